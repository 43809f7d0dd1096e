/**
 * Trains small models at rates that suit them and at rates that ruin them, and asks whether a ruined run is called healthy.
 *
 *     deno task bench falls [--seed 1,2] [--warm 1] [--tasks addition,…] [--sizes tiny,small] [--rates 1e-4,…] [--models DIR] [--json FILE]
 *
 * A task and a size share their warm start (of seed --warm, 1), which --models keeps for the next call. The verdict is that of the run's own
 * `diagnose` steps and, read again from its folder, that of the doctor.
 * @module
 */
import { among, benchArguments, numbers, typed } from "./arguments.ts";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { STEPS } from "../../steps/mod.ts";
import { examine } from "../../workflows/doctor/examine.ts";
import { VERDICT_WORDS } from "../../workflows/doctor/examined.ts";
import { runPlan } from "../../workflows/engine/run_plan.ts";
import { loadWorkflow } from "../../workflows/language/parse.ts";
import { planRuns } from "../../workflows/plan/plan_workflow.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const SPLITS = "splits: { train: 0.6, validation: 0.1, held_out: 0.3 }";

interface BenchTask {
  readonly prompts: string;
  /** Cap in tokens. */
  readonly tokens: number;
  /** Where the warm start ends: low enough to leave something to learn. */
  readonly warm: string;
  /** Sizes that get there within a minute or two on two cores. */
  readonly sizes: readonly string[];
}

const TASKS: Record<string, BenchTask> = {
  sorting_digits: {
    prompts: "task: sorting_digits, min_length: 2, max_length: 3",
    tokens: 5,
    warm: "until_accuracy: 0.4, max_updates: 800",
    sizes: ["tiny", "small"],
  },
  counting_letters: {
    prompts: "task: counting_letters, min_length: 4, max_length: 6",
    tokens: 4,
    warm: "until_accuracy: 0.4, max_updates: 800",
    sizes: ["tiny", "small"],
  },
  addition: {
    prompts: "task: addition, digits: 2",
    tokens: 5,
    warm: "until_accuracy: 0.3, max_updates: 2500",
    sizes: ["tiny"],
  },
  subtraction: {
    prompts: "task: subtraction, digits: 2",
    tokens: 5,
    warm: "until_accuracy: 0.2, max_updates: 1500",
    sizes: ["tiny"],
  },
};
const SIZES: Record<string, string> = { tiny: "tiny_qwen2", small: "small_qwen2" };
const RATES = "1e-4,3e-4,1e-3,3e-3,1e-2";
const TRAIN_STEPS = 24;

/** What one run did and what was said of it. */
export interface Fallen {
  readonly name: string;
  /** Held-out scores in order: before, every few train steps, after. */
  readonly scores: readonly number[];
  readonly alarms: readonly string[];
  /** The doctor's word on the stored run. */
  readonly stored: string;
  readonly status: string;
}

/** Below half of its best held-out score at the end. */
export function isRuined({ scores }: Fallen): boolean {
  return scores.at(-1)! < 0.5 * Math.max(...scores);
}

/** Called healthy, live or afterwards. */
export function isCalledHealthy({ alarms, stored }: Fallen): boolean {
  return alarms.length === 0 || stored === VERDICT_WORDS.benign;
}

/** A line per run, and the counts. */
export function report(runs: readonly Fallen[]): string {
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`.padStart(7);
  const ruined = runs.filter(isRuined);
  const sound = runs.filter(({ scores }) => scores.at(-1)! >= 0.9 * Math.max(...scores));
  return [
    `${"run".padEnd(36)}   first    best    last  said`,
    ...runs.map((run) =>
      [
        run.name.padEnd(36),
        percent(run.scores[0]!),
        percent(Math.max(...run.scores)),
        percent(run.scores.at(-1)!),
        ` ${run.alarms.join(", ") || "healthy"}; stored: ${run.stored}${run.status === "ok" ? "" : `; ${run.status}`}`,
      ].join(" ")
    ),
    "",
    `runs ${runs.length}`,
    `below half of the best at the end   ${ruined.length}, called healthy ${ruined.filter(isCalledHealthy).length}`,
    `within a tenth of the best          ${sound.length}, with an alarm ${
      sound.filter(({ alarms }) => alarms.length > 0).length
    }`,
  ].join("\n");
}

async function launch(text: string, file: string, params: Record<string, number>, runsFolder: string) {
  await Deno.writeTextFile(file, text);
  const loaded = await loadWorkflow(file, { kinds: STEPS });
  const scores: number[] = [], alarms: string[] = [];
  const result = await runPlan(planRuns(loaded, STEPS, { params })[0]!, {
    runsFolder,
    projectFolder: PROJECT,
    onEvent(event) {
      const outputs = event["outputs"] as { sampled?: unknown } | undefined;
      if (event.event === "step_finished" && typeof outputs?.sampled === "number") scores.push(outputs.sampled);
      if (event.event === "finding" && event["severity"] !== "info") {
        alarms.push(`${event["cause"]}@${event["train_step"]}`);
      }
    },
  });
  return { result, scores, alarms };
}

const head = (name: string) =>
  `name: ${name}
params: { seed: 1, learning_rate: 1.0e-4 }
seed: \${{ params.seed }}
device: cpu
threads: 1
checkpoint: { every: 1000, keep: 1 }
steps:`;

/** The folder of a task's warm-started model. */
async function warmStart(task: string, size: string, seed: number, models: string): Promise<string> {
  const folder = join(models, `${task}_${size}_${seed}`);
  if (await Deno.stat(folder).then(() => true, () => false)) return folder;
  const { prompts, warm } = TASKS[task]!;
  const text = `${head("warm")}
  - { uses: load_prompts, with: { ${prompts}, ${SPLITS} } }
  - { uses: load_model, with: { model: ${SIZES[size]} } }
  - { uses: fine_tune, with: { ${warm}, batch_size: 128, learning_rate: 2.0e-3, evaluate_every: 50, evaluate_limit: 100 } }
  - { uses: export_model, with: { folder: ${JSON.stringify(folder)} } }
`;
  const { result } = await launch(text, join(models, "warm.yaml"), { seed }, join(models, "runs"));
  await Deno.remove(result.folder, { recursive: true });
  if (result.status !== "ok") throw new Error(`Cannot warm start ${task} ${size}: ${result.reason}`);
  return folder;
}

/** Trains on from the warm start at a rate, past every alarm. */
async function trainOn(
  { task, size, rate, seed, warm, models }: {
    readonly task: string;
    readonly size: string;
    readonly rate: number;
    readonly seed: number;
    readonly warm: number;
    readonly models: string;
  },
): Promise<Fallen> {
  const { prompts, tokens } = TASKS[task]!;
  const model = await warmStart(task, size, warm, models);
  const evaluate = "split: held_out, limit: 300";
  const text = `${head("fall")}
  - { uses: load_prompts, with: { ${prompts}, ${SPLITS} } }
  - { uses: load_model, with: { model: ${JSON.stringify(model)}, reference: copy } }
  - { id: before, uses: evaluate, with: { ${evaluate} } }
  - repeat: ${TRAIN_STEPS}
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 16, group_size: 8, max_new_tokens: ${tokens} } }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - { uses: apply_update, with: { learning_rate: "\${{ params.learning_rate }}", gradients_every: 0 } }
      - { uses: diagnose, with: { on_error: warn } }
      - { id: during, uses: evaluate, every: 6, with: { ${evaluate} } }
  - { id: after, uses: evaluate, with: { ${evaluate} } }
  - { id: verdict, uses: diagnose, with: { on_error: warn } }
`;
  const name = `${task} ${size} rate ${rate} seed ${seed}`;
  const runsFolder = join(models, "runs");
  const { result, scores, alarms } = await launch(
    text,
    join(models, "fall.yaml"),
    { seed, learning_rate: rate },
    runsFolder,
  );
  const [stored] = await examine([result.folder]);
  await Deno.remove(result.folder, { recursive: true });
  const status = result.status === "ok" ? "ok" : `${result.status}: ${result.reason}`;
  return { name, scores, alarms, stored: VERDICT_WORDS[stored!.diagnosis.verdict], status };
}

if (import.meta.main) {
  const [kept, file, tasks, chosen, rates, seeds, [warm]] = typed(() => {
    const given = benchArguments(Deno.args, {
      seed: "1",
      warm: "1",
      tasks: Object.keys(TASKS).join(","),
      sizes: Object.keys(SIZES).join(","),
      rates: RATES,
      models: "",
      json: "",
    });
    return [
      given.models,
      given.json,
      among("--tasks", given.tasks, Object.keys(TASKS)),
      among("--sizes", given.sizes, Object.keys(SIZES)),
      numbers("--rates", given.rates),
      numbers("--seed", given.seed),
      numbers("--warm", given.warm),
    ];
  });
  const models = kept === "" ? await Deno.makeTempDir({ prefix: "nonzero-falls-" }) : kept;
  await Deno.mkdir(models, { recursive: true });
  const runs: Fallen[] = [];
  for (const task of tasks) {
    for (const size of TASKS[task]!.sizes.filter((size) => chosen.includes(size))) {
      for (const rate of rates) {
        for (const seed of seeds) {
          const run = await trainOn({ task, size, rate, seed, warm: warm!, models });
          runs.push(run);
          console.error(
            `${run.name}: ${run.scores.map((score) => score.toFixed(3)).join(" ")}; ${run.alarms.join(", ")}`,
          );
        }
      }
    }
  }
  console.log(report(runs));
  if (file !== "") await Deno.writeTextFile(file, JSON.stringify(runs, null, 1));
  if (kept === "") await Deno.remove(models, { recursive: true });
}
