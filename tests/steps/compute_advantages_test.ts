import assert from "node:assert/strict";
import { type ColumnTable, table } from "arquero";
import { computeAdvantages } from "../../steps/compute_advantages.ts";
import { stepContext } from "./contexts/reward_steps.ts";
import { runCompute } from "./contexts/run_compute.ts";

const COMPLETIONS = table({
  prompt_id: [4, 4, 9, 9],
  sample: [0, 1, 0, 1],
  reward: [1, 0, 1, 1],
  completion_tokens: [2, 3, 2, 1],
});

const messages = (given: Record<string, unknown>) => computeAdvantages.check!(computeAdvantages.params.parse(given));

Deno.test("compute_advantages writes the advantage beside the columns that were there", async () => {
  const { written, advantages, outputs } = await runCompute({ scale: "none" }, COMPLETIONS);
  assert.deepEqual(advantages, [0.5, -0.5, 0, 0]);
  assert.deepEqual(written.array("sample"), [0, 1, 0, 1]);
  assert.equal(outputs.zero_spread_fraction, 0.5);
  assert.equal(outputs.advantage_mean, 0);
  assert.equal(outputs.unscored, 0);
});

Deno.test("compute_advantages writes float32 values, so that a stored table is the same", async () => {
  const { advantages } = await runCompute({}, COMPLETIONS);
  assert.deepEqual(advantages, [...new Float32Array(advantages)]);
});

Deno.test("compute_advantages gives a dropped completion 0 and counts it", async () => {
  const { advantages, outputs } = await runCompute(
    { scale: "none" },
    COMPLETIONS.assign(table({ reward: [1, null, 1, 0] })),
  );
  assert.deepEqual(advantages, [0, 0, 0.5, -0.5]);
  assert.equal(outputs.unscored, 1);
});

Deno.test("compute_advantages refuses a group of one for grpo and rloo, not for reinforce_plus_plus", async () => {
  const single = COMPLETIONS.assign(table({ prompt_id: [1, 2, 3, 4] }));
  for (const estimator of ["grpo", "rloo"]) {
    await assert.rejects(runCompute({ estimator }, single), /the group size is 1, want at least 2; raise group_size/);
  }
  assert.equal((await runCompute({ estimator: "reinforce_plus_plus" }, single)).advantages.length, 4);
});

Deno.test("compute_advantages keeps the two groups of a prompt that was drawn twice apart", async () => {
  const twice = COMPLETIONS.assign(table({ prompt_id: [4, 4, 4, 4] }));
  assert.deepEqual((await runCompute({ scale: "none" }, twice)).advantages, [0.5, -0.5, 0, 0]);
});

Deno.test("compute_advantages refuses groups of unequal size", async () => {
  const uneven = COMPLETIONS.assign(table({ prompt_id: [4, 4, 4, 9], sample: [0, 1, 2, 0] }));
  await assert.rejects(runCompute({}, uneven), /Cannot split 4 completions into groups of 3: prompt 9 has 1; sample/);
  await assert.rejects(runCompute({ group_size: 4 }, COMPLETIONS), /groups of 4: prompt 4 has 2/);
});

Deno.test("compute_advantages refuses a reward that is not finite and a missing column", async () => {
  await assert.rejects(
    runCompute({}, COMPLETIONS.assign(table({ reward: [1, NaN, 1, 1] }))),
    /completion 1 is NaN, want/,
  );
  await assert.rejects(runCompute({ kl_coef: 0.1 }, COMPLETIONS), /no column "old_logprobs"/);
  await assert.rejects(
    runCompute({}, COMPLETIONS.select("prompt_id", "sample", "completion_tokens")),
    /no column "reward"/,
  );
});

Deno.test("compute_advantages.check() names options the estimator does not read and a group that is too small", () => {
  assert.deepEqual(messages({}), []);
  assert.deepEqual(messages({ estimator: "grpo", scale: "batch", eps: 1e-6 }), []);
  assert.match(
    messages({ estimator: "rloo", scale: "none" })[0]!,
    /Cannot set "scale" for estimator "rloo": it reads normalize, eps/,
  );
  assert.match(messages({ estimator: "grpo", group_size: 1 })[0]!, /group size is 1, want at least 2/);
  assert.match(messages({ reward_clip: [1, -1] })[0]!, /lower bound is not below/);
});

Deno.test("compute_advantages says zero spread of the rewards themselves, before their KL", async () => {
  const rows = COMPLETIONS.assign(table({
    reward: [1, 1, 0, 1],
    completion_mask: [[1], [1], [1], [1]],
    old_logprobs: [[-1], [-2], [-3], [-4]],
    ref_logprobs: [[-1], [-1], [-1], [-1]],
  }));
  const { outputs, advantages } = await runCompute({ estimator: "rloo", kl_coef: 0.1 }, rows);
  assert.equal(outputs.zero_spread_fraction, 0.5);
  assert(advantages[0] !== 0, "the KL sets them apart");
});

Deno.test("compute_advantages goes on where no completion is scored, whatever the estimator: the doctor says why", async () => {
  const unscored = COMPLETIONS.assign(table({ reward: [null, null, null, null] }));
  for (
    const given of [{ estimator: "reinforce_plus_plus" }, { estimator: "reinforce_plus_plus", baseline: true }, {}]
  ) {
    const { advantages, outputs } = await runCompute(given, unscored);
    assert.deepEqual([advantages, outputs.unscored], [[0, 0, 0, 0], 4], JSON.stringify(given));
  }
});

Deno.test("compute_advantages refuses a log-prob of the reference that is not finite where it counts", async () => {
  const rows = (bad: number, mask: number) =>
    COMPLETIONS.assign(table({
      completion_mask: [[1, 1], [1, mask], [1, 1], [1, 1]],
      old_logprobs: [[-1, -1], [-2, -2], [-3, -3], [-4, -4]],
      ref_logprobs: [[-1, -1], [-1, bad], [-1, -1], [-1, -1]],
    }));
  for (const bad of [NaN, -Infinity]) {
    await assert.rejects(
      runCompute({ kl_coef: 0.1 }, rows(bad, 1)),
      new RegExp(`reference's log-prob of completion 1 is ${bad} at token 1, want a finite number; look at`),
    );
  }
  assert((await runCompute({ kl_coef: 0.1 }, rows(NaN, 0))).advantages.every(Number.isFinite), "a masked token");
});

Deno.test("compute_advantages writes what a group is to its estimator: the doctor knows none by its name", async () => {
  const written = async (given: Record<string, unknown>) => {
    const values: Record<string, unknown> = {};
    const write = (tables: Partial<Record<string, ColumnTable>>) =>
      tables.settings!.objects().forEach((row) => {
        const { name, value } = row as { name: string; value: string };
        values[name] = JSON.parse(value);
      });
    const context = { ...stepContext({ completions: COMPLETIONS }), write };
    await computeAdvantages.run(computeAdvantages.params.parse(given), context);
    return [values.algorithm, values.compares_groups, values.sums_to_zero, values.small_groups];
  };
  assert.deepEqual(await written({}), ["grpo", true, true, false]);
  assert.deepEqual(await written({ estimator: "rloo" }), ["rloo", true, true, true]);
  const name = "reinforce_plus_plus";
  assert.deepEqual(await written({ estimator: name }), [name, false, false, false]);
  assert.deepEqual(await written({ estimator: name, baseline: true }), [name, true, false, false]);
});
