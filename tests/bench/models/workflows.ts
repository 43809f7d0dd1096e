/**
 * The workflows of the library that take a model, run on it by the command line: two steps with short completions.
 *
 * The weights are random: what they say earns nothing, so the run must not be called healthy.
 * @module
 */
import { join } from "node:path";
import type { Figure, Part, TrialContext } from "./figure.ts";
import { measuredRun } from "./measured_run.ts";

const WITHIN = 0.15, MOST_BYTES = 10e9;

type Params = Readonly<Record<string, number | string | boolean>>;

const ONWARD = { evaluate_limit: 4, on_error: "warn" },
  ROLLOUT = { train_steps: 2, prompts_per_step: 2, group_size: 4 };

/** What a person sets so that it is soon over, and goes to its end although it is found to be ill. */
const SHORT = {
  lora_grpo: { ...ONWARD, ...ROLLOUT, chat_template: true, max_new_tokens: 16, learning_rate: 1e-5 },
  lora_kto: { ...ONWARD, chat_template: true, updates: 2, batch_size: 8, learning_rate: 1e-5 },
  gsm8k_grpo: { ...ONWARD, ...ROLLOUT, max_new_tokens: 32 },
} as const satisfies Record<string, Params>;

/** The object of the last line of a text that is JSON. */
const lastLine = (text: string) => JSON.parse(text.trim().split("\n").at(-1)!);

function trial(name: keyof typeof SHORT) {
  return async ({ folder, threads }: TrialContext): Promise<Figure[]> => {
    const params = Object.entries({ model: folder, ...SHORT[name] }).flatMap((
      [key, value],
    ) => ["-p", `${key}=${value}`]);
    const words = ["run", join("workflows", "library", `${name}.yaml`), ...params, "--threads", `${threads}`, "--json"];
    const told = await measuredRun([...words, "--dry-run"]);
    if (told.code !== 0) throw new Error(`Cannot plan ${name}: ${told.stderr.slice(-1500)}`);
    const estimated = lastLine(told.stdout).estimate.memoryBytes as number;
    const runs = Deno.makeTempDirSync({ prefix: "nonzero_workflows_" });
    try {
      const run = await measuredRun([...words, "--runs", runs]), end = lastLine(run.stdout);
      if (end.run === null) throw new Error(`Cannot run ${name}: ${end.error}`);
      return [
        { what: "run", value: run.seconds, unit: "s" },
        { what: "exit code", value: run.code, unit: "", most: 0, ...end.reason ? { note: end.reason } : {} },
        { what: "peak memory", value: run.peakBytes / 1e6, unit: "MB", most: MOST_BYTES / 1e6 },
        { what: "estimated by --dry-run", value: estimated / 1e6, unit: "MB" },
        { what: "estimated of peak", value: estimated / run.peakBytes, unit: "×", least: 1 - WITHIN, most: 1 + WITHIN },
        verdict(join(runs, end.run)),
        adapter(join(runs, end.run, "model")),
      ];
    } finally {
      Deno.removeSync(runs, { recursive: true });
    }
  };
}

/** Whether the diagnosis calls the run healthy, and what it found. */
function verdict(run: string): Figure {
  const { verdict, findings } = JSON.parse(Deno.readTextFileSync(join(run, "run.json")));
  const found = (findings as { cause: string }[]).map(({ cause }) => cause).join(", ");
  return {
    what: "called healthy",
    value: Number(verdict?.verdict === "benign"),
    unit: "",
    most: 0,
    note: `${verdict?.verdict ?? "no verdict"}: ${found || "no finding"}`,
  };
}

/** PEFT's folder of the adapter. */
function adapter(folder: string): Figure {
  const sizes = ["adapter_config.json", "adapter_model.safetensors"].map((name) => {
    try {
      return Deno.statSync(join(folder, name)).size;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      return 0;
    }
  });
  return { what: "adapter exported", value: sizes.includes(0) ? 0 : sizes[1]! / 1e6, unit: "MB", least: 1 };
}

export const WORKFLOWS: Part = {
  about: "The library's workflows for real models, by the command line, two steps each",
  trials: { lora_grpo: trial("lora_grpo"), lora_kto: trial("lora_kto"), gsm8k_grpo: trial("gsm8k_grpo") },
};
