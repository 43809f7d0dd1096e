/** Sampler weights beside completions of unequal length, with tokens that do not count: what stands there weighs nothing. */
import assert from "node:assert/strict";
import { tableOf } from "../../data/tables/mod.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

const ADVANTAGES = [1.5, -0.5, -1, 0.75], LENGTHS = [5, 3, 2, 1], BOUNDS = [0.8, 3] as const;
const LOWEST = Math.log(1e-8);
/** old_logprobs - sampler_logprobs: within the bounds above 0, below them under 0. */
const off = (row: number, t: number) => (row + t) % 2 ? 0.3 : -0.3;

interface Rollout {
  readonly logprobs: readonly (readonly number[])[];
  readonly masks: readonly (readonly number[])[];
}

/** Four completions of a prompt, the second token of the longest without a say. */
async function unequal(run: TrainingRun): Promise<Rollout> {
  run.tables.advance();
  await run.run("sample_groups", { prompts_per_step: 1, group_size: 4, max_new_tokens: 5 });
  const table = run.tables.table("completions");
  const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(table.array(name))]));
  const token_ids = LENGTHS.map((length, row) => Int32Array.from({ length }, (_, t) => 40 + (7 * row + 3 * t) % 50));
  const sequences = run.policy.sequences([columns["prompt"]![0] as string], token_ids);
  const logprobs = (await run.policy.logprobs(sequences, 1)).map((row) => Array.from(row));
  const masks = LENGTHS.map((length, row) => Array.from({ length }, (_, t) => row === 0 && t === 1 ? 0 : 1));
  run.tables.write({
    completions: tableOf("completions", {
      ...columns,
      token_ids,
      completion_tokens: LENGTHS,
      completion_mask: masks.map((row) => Float32Array.from(row)),
      advantage: ADVANTAGES,
      sampler_logprobs: logprobs.map((row, r) => row.map((value, t) => value - off(r, t))),
      old_logprobs: logprobs,
    }),
  }, "test");
  return { logprobs, masks };
}

/** Tokens that count of a completion, each with its weight. */
function weightsOf({ masks }: Rollout, row: number, outside: string): number[] {
  const [low, high] = BOUNDS;
  return masks[row]!.flatMap((counts, t) => {
    const ratio = Math.exp(off(row, t)), inside = Math.min(Math.max(ratio, low), high);
    return counts ? [outside === "truncate" || inside === ratio ? inside : 0] : [];
  });
}
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** What TRL's vespo and verl's geo_mean come to, written out. */
const WANTED = {
  vespo(rollout: Rollout, outside: string) {
    const tokens = sum(rollout.masks.map(sum));
    return sum(ADVANTAGES.map((advantage, row) => {
      const logs = weightsOf(rollout, row, outside).map((weight) => Math.max(Math.log(weight), LOWEST));
      const log = Math.max(sum(logs), LOWEST), [k, lambda] = advantage >= 0 ? [2, 3] : [3, 2];
      const phi = Math.exp(lambda! + k! * log - lambda! * Math.exp(log));
      return -phi * advantage * sum(rollout.logprobs[row]!.map((lp, t) => lp * rollout.masks[row]![t]!)) / tokens;
    }));
  },
  geo_mean(rollout: Rollout, outside: string) {
    return sum(ADVANTAGES.map((advantage, row) => {
      const logs = weightsOf(rollout, row, outside).map((weight) => Math.log(weight + 1e-10));
      return -advantage * Math.exp(sum(logs) / logs.length) / ADVANTAGES.length;
    }));
  },
};

for (const [loss, aggregation] of [["vespo", "token_mean"], ["geo_mean", "sequence_mean"]] as const) {
  for (const sampler_outside of ["truncate", "mask"]) {
    Deno.test(`${loss} weighs tokens that count alone, ${sampler_outside} outside the bounds`, () =>
      withTinyPolicy(async (run) => {
        const rollout = await unequal(run), want = WANTED[loss](rollout, sampler_outside);
        const weights = { sampler_weights: "token", sampler_bounds: BOUNDS, sampler_outside };
        await run.run("apply_update", { learning_rate: 0, gradients_every: 0, loss, aggregation, ...weights });
        const got = run.tables.table("metrics").objects().at(-1) as Record<string, number>;
        assert(Math.abs(got["loss"]! - want) <= 1e-4 * Math.abs(want) + 1e-7, `${got["loss"]}, want ${want}`);
      }, ONE_LAYER));
  }
}
