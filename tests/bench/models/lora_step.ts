/**
 * One GRPO step by an adapter, 2 prompts of 64 tokens × 4 completions of 32, rank 8 on every linear layer: ours, what of it
 * takes how long, and beside TRL with PEFT.
 * @module
 */
import { normals, uniform } from "../../../data/random.ts";
import type { LanguageModel } from "../../../gpu/language_model.ts";
import { openRuntime } from "../../../gpu/session.ts";
import { policyFromFolder } from "../../../steps/resources/open_policy.ts";
import { denoRun } from "../../../workflows/cli/install.ts";
import { PROJECT } from "../../../workflows/terminal/paths.ts";
import { trlPython } from "../../peers/trl.ts";
import { adamw, ON_POLICY } from "../clipped_update.ts";
import { median, peakRssMb } from "../rows.ts";
import { RANK, rankEight } from "./adapted_model.ts";
import type { Figure, Part, TrialContext } from "./figure.ts";
import { below } from "./random_values.ts";

const PROMPTS = 2, GROUP = 4, PROMPT_TOKENS = 64, NEW_TOKENS = 32, STEPS = 3;
const MOST_SECONDS = 30, MOST_MIB = 6e9 / 2 ** 20, LEAST_SPEED = 1.5, MOST_MEMORY = 0.6;
const ADAMW = adamw(1e-5);
const NO_FILTERS = { temperature: 1, topK: 0, topP: 1, minP: 0, repetitionPenalty: 1 };

/** The policy of a folder with a new adapter. */
async function adaptedModel({ folder, threads }: TrialContext): Promise<LanguageModel> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads, spinning: true });
  const { model } = policyFromFolder(runtime, folder, { chat: { always: false }, images: folder });
  const adapted = rankEight(model);
  let tensor = 0;
  adapted.weights.initialize((count) => normals(1, "adapter", count, 0, tensor++));
  return adapted;
}

/** Steps of one model, with the seconds of their parts; the first step makes the sessions. */
async function steps(context: TrialContext, limits: { readonly recompute?: boolean }, reference: boolean) {
  const model = await adaptedModel(context), draw = below(7), rows: Record<string, number>[] = [];
  const base = reference ? model.withoutAdapter() : null;
  const ids = () => Int32Array.from({ length: PROMPT_TOKENS }, () => draw(150_000));
  for (let step = 0; step <= STEPS; step++) {
    const prompts = Array.from({ length: PROMPTS }, ids), seconds: Record<string, number> = {};
    const timed = async <T>(what: string, body: () => Promise<T>) => {
      const began = performance.now(), result = await body();
      seconds[what] = (performance.now() - began) / 1000;
      return result;
    };
    const uniforms = (row: number, token: number) => uniform(1, "sample", step, row, token);
    const options = { ...NO_FILTERS, maxNewTokens: NEW_TOKENS, eosIds: [], uniforms };
    const sampled = await timed("sample", () => model.sample(prompts, GROUP, options));
    const completions = sampled.map(({ tokenIds }) => tokenIds), sequences = { prompts, group: GROUP, completions };
    if (base) await timed("reference", () => base.logprobs(sequences));
    const advantages = completions.map((_, i) => i % 2 ? 1 : -1);
    const settings = { ...ON_POLICY, ...limits };
    await timed("gradient", () => model.accumulateGradient({ ...sequences, inputs: { advantages } }, settings));
    await timed("update", () => model.applyUpdate(ADAMW));
    rows.push({ ...seconds, step: Object.values(seconds).reduce((a, b) => a + b, 0) });
  }
  return rows.slice(1);
}

function trial(limits: { readonly recompute?: boolean }, reference = false) {
  return async (context: TrialContext): Promise<Figure[]> => {
    const rows = await steps(context, limits, reference);
    const figures = Object.keys(rows[0]!).map((what): Figure => ({
      what: what === "step" ? "a step" : `of it ${what}`,
      value: median(rows.map((row) => row[what]!)),
      unit: "s",
      ...(what === "step" ? { most: MOST_SECONDS } : {}),
    }));
    return [...figures, { what: "peak memory", value: peakRssMb(), unit: "MiB", most: MOST_MIB }];
  };
}

interface Measured {
  readonly seconds: number;
  readonly mib: number;
}

async function childOutput(command: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args], cwd: PROJECT }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (!success) throw new Error(`Cannot measure ${args[0]}: ${text(stderr).slice(-1500)}`);
  return text(stdout).trim().split("\n").at(-1)!;
}

async function ours({ folder, threads }: TrialContext): Promise<Measured> {
  const args = ["--trial", "lora_step/step", "--folder", folder, "--threads", `${threads}`];
  const line = await childOutput(Deno.execPath(), denoRun("tests/bench/models.ts", args));
  const { figures, peak_rss_mb } = JSON.parse(line) as { figures: Figure[]; peak_rss_mb: number };
  return { seconds: figures.find(({ what }) => what === "a step")!.value!, mib: peak_rss_mb };
}

async function trl({ folder, threads }: TrialContext, python: string): Promise<Measured> {
  const sizes = {
    folder,
    threads,
    prompts: PROMPTS,
    group: GROUP,
    prompt_tokens: PROMPT_TOKENS,
    new_tokens: NEW_TOKENS,
  };
  const script = new URL("../../peers/trl_lora_step.py", import.meta.url).pathname;
  return JSON.parse(await childOutput(python, [script, JSON.stringify({ ...sizes, rank: RANK, steps: STEPS })]));
}

const FASTER = "how much faster", SMALLER = "share of its memory";

/** Ours and TRL's, twice in turn, each in a process of its own. */
async function beside(context: TrialContext): Promise<Figure[]> {
  const python = trlPython();
  if (python === null) {
    const unmeasured = { value: null, unit: "×", note: "no Python with TRL: set NONZERO_PEERS_PYTHON" };
    return [
      { what: FASTER, ...unmeasured, least: LEAST_SPEED },
      { what: SMALLER, ...unmeasured, most: MOST_MEMORY },
    ];
  }
  const own: Measured[] = [], theirs: Measured[] = [];
  for (let turn = 0; turn < 2; turn++) {
    own.push(await ours(context));
    theirs.push(await trl(context, python));
  }
  const least = (rows: readonly Measured[], key: keyof Measured) => Math.min(...rows.map((row) => row[key]));
  return [
    { what: "a step, ours", value: least(own, "seconds"), unit: "s" },
    { what: "a step, TRL and PEFT", value: least(theirs, "seconds"), unit: "s" },
    { what: FASTER, value: least(theirs, "seconds") / least(own, "seconds"), unit: "×", least: LEAST_SPEED },
    { what: "peak memory, ours", value: least(own, "mib"), unit: "MiB" },
    { what: "peak memory, TRL and PEFT", value: least(theirs, "mib"), unit: "MiB" },
    { what: SMALLER, value: least(own, "mib") / least(theirs, "mib"), unit: "×", most: MOST_MEMORY },
  ];
}

export const LORA_STEP: Part = {
  about: "A GRPO step by an adapter of rank 8, beside TRL and PEFT",
  trials: { step: trial({}), recompute: trial({ recompute: true }), reference: trial({}, true), beside },
};
