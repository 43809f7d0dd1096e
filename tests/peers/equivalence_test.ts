/** Ten updates of TRL and ten of ours from one checkpoint on the same rows: losses, gradient norms and weights are the same. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOf } from "../../data/tables/mod.ts";
import { integers, uniform } from "../../data/random.ts";
import { readSafetensors } from "../gpu/safetensors.ts";
import { type TrainingRun, withRun } from "../steps/contexts/training_run.ts";
import { trlPython, type TrlTask, type TrlUpdate, trlUpdates } from "./trl.ts";

const MODEL = new URL("../models/warm_addition", import.meta.url).pathname;
const UPDATES = 10, BATCH = 16, LEARNING_RATE = 1e-4;
/** AdamW as transformers has it. */
const ADAMW = { learning_rate: LEARNING_RATE, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, max_grad_norm: 1 };
const CONFIG = { max_steps: UPDATES, learning_rate: LEARNING_RATE };
const TOLERANCE = 1e-3;

const python = trlPython();
const ignore = python === null;
const why = ignore ? ": needs a Python with TRL in NONZERO_PEERS_PYTHON or .venv-peers/bin/python" : "";

/** Largest relative differences, told in the end: of each number that both report, of the weights and of their change. */
interface Agreement {
  readonly loss: number;
  readonly grad_norm: number;
  readonly weights: number;
  readonly change: number;
}

function agreement(
  ours: readonly TrlUpdate[],
  theirs: readonly TrlUpdate[],
  run: TrainingRun,
  path: string,
): Agreement {
  assert.equal(ours.length, UPDATES);
  assert.equal(theirs.length, UPDATES);
  const worst = (name: string) => Math.max(...ours.map((row, i) => relative(row[name]!, theirs[i]![name]!)));
  const { layout } = run.policy.model.weights, values = run.weights();
  const before = readSafetensors("models/warm_addition/model.safetensors"), after = readFile(path);
  let difference = 0, size = 0, change = 0;
  for (const { name, offset, size: count } of layout.parameters) {
    const start = before.get(name)!.data, end = after.get(name)!.data;
    for (let i = 0; i < count; i++) {
      difference += (values[offset + i]! - end[i]!) ** 2;
      size += end[i]! ** 2;
      change += (end[i]! - start[i]!) ** 2;
    }
  }
  return {
    loss: worst("loss"),
    grad_norm: worst("grad_norm"),
    weights: Math.sqrt(difference / size),
    change: Math.sqrt(difference / change),
  };
}

const readFile = (path: string) => readSafetensors(new URL(`file://${path}`).href);
const relative = (a: number, b: number) => Math.abs(a - b) / Math.max(Math.abs(b), 1e-3);

function holds(kind: string, found: Agreement): void {
  const text = Object.entries(found).map(([name, value]) => `${name} ${value.toExponential(1)}`).join(", ");
  console.log(`${kind}: largest relative difference over ${UPDATES} updates: ${text}`);
  for (const [name, value] of Object.entries(found)) assert(value < TOLERANCE, `${kind}: ${name} differs by ${value}`);
}

interface GrpoRow {
  readonly prompt: string;
  readonly completions: number[][];
  readonly rewards: number[];
}
const GROUP = 4, PROMPTS = BATCH / GROUP;

/** Sums with four answers each, of which some are right; rewards are any numbers. */
function grpoRows(): GrpoRow[] {
  const digits = integers(1, "trl", 0, 0, 2 * UPDATES * PROMPTS, 100);
  const draws = Array.from({ length: 2 * BATCH * UPDATES }, (_, i) => uniform(1, "trl", 1, 0, i));
  return Array.from({ length: UPDATES * PROMPTS }, (_, i) => {
    const [a, b] = [digits[2 * i]!, digits[2 * i + 1]!];
    const at = (k: number) => 2 * (i * GROUP + k);
    const answer = (k: number) => draws[at(k)]! < 0.5 ? a + b : Math.floor(198 * draws[at(k)]!);
    const tokens = (text: string) => [...text].map((digit) => digit.charCodeAt(0)).concat(257);
    return {
      prompt: `${a}+${b}=`,
      completions: Array.from({ length: GROUP }, (_, k) => tokens(String(answer(k)))),
      rewards: Array.from({ length: GROUP }, (_, k) => draws[at(k) + 1]!),
    };
  });
}

/** Our steps on the rows of one update. */
async function grpoUpdate(
  run: TrainingRun,
  rows: readonly GrpoRow[],
  params: Record<string, unknown>,
): Promise<TrlUpdate> {
  run.tables.advance();
  const ids = rows.flatMap(({ completions }) => completions), prompts = rows.map(({ prompt }) => prompt);
  const sequences = run.policy.sequences(prompts, ids);
  const each = <T>(of: (row: GrpoRow, k: number, p: number) => T) =>
    rows.flatMap((row, p) => Array.from({ length: GROUP }, (_, k) => of(row, k, p)));
  run.tables.write({
    completions: tableOf("completions", {
      prompt_id: each((_, _k, p) => p),
      sample: each((_, k) => k),
      prompt: each(({ prompt }) => prompt),
      truncated: each(() => false),
      completion_tokens: ids.map(({ length }) => length),
      token_ids: ids.map((list) => Int32Array.from(list)),
      completion_mask: ids.map((list) => new Float32Array(list.length).fill(1)),
      sampler_logprobs: await run.policy.logprobs(sequences, 1),
      ref_logprobs: await run.resources.reference!.logprobs(sequences, 1),
      reward: each(({ rewards }, k) => rewards[k]!),
    }),
  }, "test");
  await run.run("compute_advantages", { estimator: "grpo" });
  await run.run("apply_update", { ...ADAMW, gradients_every: 0, ...params });
  return run.tables.table("updates").objects().at(-1) as TrlUpdate;
}

const GRPO = [
  { loss_type: "dapo", ours: { preset: "dapo", clip_high: 0.2, kl_times_ratio: true } },
  { loss_type: "grpo", ours: { preset: "grpo", kl_times_ratio: true } },
];
for (const { loss_type, ours } of GRPO) {
  Deno.test({
    name: `10 updates of apply_update are those of TRL's GRPOTrainer with loss_type ${loss_type}${why}`,
    ignore,
    fn: () =>
      withRun(async (run) => {
        const rows = grpoRows(),
          config = { ...CONFIG, num_generations: GROUP, max_completion_length: 8, beta: 0.04, loss_type };
        const task: TrlTask = { batch: BATCH, config, rows };
        const theirs = await trlUpdates(python!, "grpo", MODEL, task, run.folder);
        await run.run("load_model", { model: MODEL, reference: "copy" });
        const made = [];
        for (let u = 0; u < UPDATES; u++) {
          const slice = rows.slice(u * PROMPTS, (u + 1) * PROMPTS);
          made.push(await grpoUpdate(run, slice, { kl_coef: 0.04, ...ours }));
        }
        holds(`GRPO ${loss_type}`, agreement(made, theirs.updates, run, theirs.weights));
      }),
  });
}

interface Pair {
  readonly prompt: string;
  readonly chosen: string;
  readonly rejected: string;
}

/** Sums with a right answer and another one. */
function pairRows(): Pair[] {
  const digits = integers(1, "trl_pairs", 0, 0, 3 * UPDATES * BATCH, 100);
  return Array.from({ length: UPDATES * BATCH }, (_, i) => {
    const [a, b, other] = [digits[3 * i]!, digits[3 * i + 1]!, digits[3 * i + 2]!];
    return { prompt: `${a}+${b}=`, chosen: String(a + b), rejected: String(a + b + 1 + other) };
  });
}

/** TRL's KTO and DPO: data, and what of it and of the options the step has other names for. */
const PREFERENCES = [
  { kind: "dpo", config: {}, rows: pairRows(), ours: { loss: "dpo" } },
  {
    kind: "dpo",
    config: { loss_type: ["ipo"], beta: 0.2 },
    rows: pairRows(),
    ours: { loss: "dpo", dpo_loss: "ipo", beta: 0.2 },
  },
  {
    kind: "kto",
    config: { desirable_weight: 1.2 },
    rows: pairRows().map(({ prompt, chosen, rejected }, i) => {
      const label = i % 3 > 0;
      return { prompt, completion: label ? chosen : rejected, label };
    }),
    ours: { loss: "kto", desirable_weight: 1.2 },
  },
] as const;
for (const { kind, config, rows, ours } of PREFERENCES) {
  const name = `${kind.toUpperCase()} ${JSON.stringify(config)}`;
  Deno.test({
    name: `10 updates of train_preferences are those of TRL's ${kind.toUpperCase()}Trainer with ${
      JSON.stringify(config)
    }${why}`,
    ignore,
    fn: () =>
      withRun(async (run) => {
        const task: TrlTask = { batch: BATCH, config: { ...CONFIG, ...config }, rows };
        const theirs = await trlUpdates(python!, kind, MODEL, task, run.folder);
        await loadPairs(run, rows);
        await run.run("load_model", { model: MODEL, reference: "copy" });
        await run.run("train_preferences", { ...ADAMW, max_updates: UPDATES, batch_size: BATCH, ...ours });
        const made = run.tables.history("updates", UPDATES).objects() as TrlUpdate[];
        holds(name, agreement(made, theirs.updates, run, theirs.weights));
      }),
  });
}

/** SFT of TRL on the right answers of the pairs, in the order of the file. */
const SUPERVISED = [
  { config: {}, ours: { loss_on: "completion" } },
  { config: { completion_only_loss: false }, ours: { loss_on: "all" } },
] as const;
for (const { config, ours } of SUPERVISED) {
  const name = `SFT ${JSON.stringify(config)}`;
  Deno.test({
    name: `10 updates of fine_tune are those of TRL's SFTTrainer with ${JSON.stringify(config)}${why}`,
    ignore,
    fn: () =>
      withRun(async (run) => {
        const pairs = pairRows(), rows = pairs.map(({ prompt, chosen }) => ({ prompt, completion: chosen }));
        const task: TrlTask = { batch: BATCH, config: { ...CONFIG, ...config }, rows };
        const theirs = await trlUpdates(python!, "sft", MODEL, task, run.folder);
        await loadPairs(run, pairs);
        await run.run("load_model", { model: MODEL });
        const given = { table: "preferences", order: "table", warmup_updates: 0, batch_size: BATCH };
        await run.run("fine_tune", { ...ADAMW, max_updates: UPDATES, ...given, ...ours });
        const made = run.tables.history("updates", UPDATES).objects() as TrlUpdate[];
        holds(name, agreement(made, theirs.updates, run, theirs.weights));
      }),
  });
}

/** The table `preferences` with these rows for training, in this order. */
async function loadPairs(run: TrainingRun, rows: readonly unknown[]): Promise<void> {
  const file = join(run.folder, "preferences.jsonl");
  Deno.writeTextFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
  await run.run("load_preferences", { file, order: "file", splits: { train: 1, validation: 0, held_out: 0 } });
}
