import assert from "node:assert/strict";
import { tokenCoefficients } from "../../../gpu/losses/aggregations.ts";
import { readJson } from "../safetensors.ts";
import { GOLDENS, VERL } from "./golden_names.ts";

interface Case {
  name: string;
  params: {
    loss_agg_mode: string;
    dp_size?: number;
    batch_num_tokens?: number;
    global_batch_size?: number;
    loss_scale_factor?: number;
  };
  inputs: { loss_matrix: number[][]; completion_mask: number[][] };
  outputs: { loss: number };
}

const CASES: Case[] = readJson("goldens/formulas/verl_policy_losses.json").cases;
for (const { name, params, inputs, outputs } of CASES.filter(({ name }) => name.startsWith("agg_loss/"))) {
  // verl leaves empty completions out of its count.
  Deno.test(`tokenCoefficients() give verl's ${name}`, () => {
    const mask = inputs.completion_mask.flat(), width = inputs.completion_mask[0]!.length;
    const scale = params.dp_size ?? 1;
    const sequences = params.global_batch_size ?? inputs.completion_mask.filter((row) => row.includes(1)).length;
    const weights = tokenCoefficients(VERL.get(params.loss_agg_mode)!, mask, width, {
      ...(params.batch_num_tokens ? { tokens: params.batch_num_tokens } : {}),
      sequences,
      norm: params.loss_scale_factor ?? width,
    });
    const loss = inputs.loss_matrix.flat().reduce((sum, value, i) => sum + value * weights[i]!, 0) * scale;
    assert(Math.abs(loss - outputs.loss) <= 1e-6 + 1e-6 * Math.abs(outputs.loss), `${loss}, want ${outputs.loss}`);
  });
}

Deno.test("tokenCoefficients() of micro-batches are slices of the full batch's when totals are given", () => {
  const mask = [1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0];
  const totals = { tokens: 6, sequences: 4, rolloutTokens: 24, updates: 3, norm: 3 };
  for (const name of ["token_mean", "rollout_token_mean", "sequence_mean", "sequence_sum_norm"] as const) {
    const whole = tokenCoefficients(name, mask, 3, totals);
    const parts = [mask.slice(0, 6), mask.slice(6)].flatMap((part) => [...tokenCoefficients(name, part, 3, totals)]);
    assert.deepEqual([...whole], parts, name);
  }
  assert.equal(tokenCoefficients("rollout_token_mean", mask, 3, totals)[0], 0.125);
});

Deno.test("tokenCoefficients() refuses a width that does not divide the mask", () => {
  assert.throws(() => tokenCoefficients("token_mean", [1, 1, 1], 2), /3 mask values, rows of 2/);
});

Deno.test("tokenCoefficients() leave out empty completions and divide by nothing where they do not count", () => {
  const mask = [1, 1, 0, 0], skip = { countsEmpty: false } as const;
  assert.deepEqual([...tokenCoefficients("sequence_mean", mask, 2)], [0.25, 0.25, 0, 0]);
  assert.deepEqual([...tokenCoefficients("sequence_mean", mask, 2, skip)], [0.5, 0.5, 0, 0]);
  assert.deepEqual([...tokenCoefficients("sequence_sum", mask, 2, { ...skip, scale: 3 })], [3, 3, 0, 0]);
  assert.deepEqual([...tokenCoefficients("completion_mean", mask, 2)], [0.25, 0.25, 0.5, 0]);
  assert.deepEqual([...tokenCoefficients("token_mean", [0, 0], 2)], [0, 0]);
  assert.deepEqual([...tokenCoefficients("token_mean", [0, 0], 2, skip)], [NaN, NaN]);
});

Deno.test("every aggregation has a golden with a loss and its gradient", () => {
  const trl: Case[] = readJson("goldens/formulas/trl_grpo_losses.json").cases;
  const has = (cases: readonly Case[], key: string, value: string) =>
    cases.some(({ params }) => (params as unknown as Record<string, unknown>)[key] === value);
  for (const [name, { trl: lossType, verl }] of Object.entries(GOLDENS)) {
    assert(lossType === undefined || has(trl, "loss_type", lossType), `${name}: no case of TRL's ${lossType}`);
    assert(verl === undefined || has(CASES, "loss_agg_mode", verl), `${name}: no case of verl's ${verl}`);
  }
});
