import assert from "node:assert/strict";
import { type ColumnTable, table } from "arquero";
import { computeAdvantages } from "../../steps/compute_advantages.ts";
import { ADVANTAGE_PRESETS } from "../../steps/advantages/presets.ts";
import type { StepEvent } from "../../steps/step.ts";
import { RunTables } from "../../workflows/store/run_tables.ts";
import { stepContext } from "./contexts/reward_steps.ts";
import { runCompute } from "./contexts/run_compute.ts";
import { ONE_LAYER, withTinyPolicy } from "./contexts/training_run.ts";

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
  const { outputs } = await runCompute({ estimator: "reinforce_plus_plus" }, single.slice(0, 1).reify());
  assert.equal(computeAdvantages.outputs.parse(outputs).advantage_std, null, "one completion has no deviation");
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

const LISTS = COMPLETIONS.assign(table({
  completion_mask: [[1, 1], [1, 1, 1], [1, 1], [1]],
  old_logprobs: [[-1, -2], [-1, -1, -1], [-3, -3], [-4]],
  ref_logprobs: [[-2, -2], [-1, -1, -2], [-3, -3], [-4]],
  values: [[0.5, 0.5], [0, 0, 0], [1, 1], [0]],
  truncated: [true, false, false, false],
}));

const lists = (written: ColumnTable, name: string) =>
  Array.from(written.array(name) as ArrayLike<ArrayLike<number>>, (row) => Array.from(row));

Deno.test("compute_advantages writes advantages and returns per token for estimators of tokens, their mean beside them", async () => {
  const given = { estimator: "gae", whiten: false, gamma: 0.5 };
  const { written, advantages } = await runCompute(given, LISTS);
  assert.deepEqual(lists(written, "advantages"), [[0, 0.5], [0, 0, 0], [-0.5, 0], [1]]);
  assert.deepEqual(lists(written, "returns"), [[0.5, 1], [0, 0, 0], [0.5, 1], [1]]);
  assert.deepEqual(advantages, [0.25, 0, -0.25, 1]);
  const masked = LISTS.assign(table({ completion_mask: [[1, 0], [1, 1, 1], [1, 1], [1]] }));
  assert.deepEqual(
    lists((await runCompute(given, masked)).written, "advantages")[0],
    [0.5, 0],
    "0 where nothing counts",
  );
  assert.equal((await runCompute({}, LISTS)).written.column("advantages"), undefined);
});

Deno.test("a completion that no reward judges gets 0 on every token and takes no part in a whitening, whatever the estimator", async () => {
  const masks = [[1, 1], [1, 1, 0], [1, 1], [1]];
  const rows = LISTS.assign(table({
    reward: [1, null, 0, 3],
    values: [[0.5, 0.2], [9, -7, 5], [0.1, 0.3], [1]],
    completion_mask: masks,
    old_logprobs: [[-1, -2], [-3, -1, -2], [-1, -1], [-2]],
    ref_logprobs: [[-1.5, -1], [-9, -1, -9], [-1, -2], [-1]],
  }));
  const judged = masks.map((mask, i) => mask.filter((_, t) => i !== 1 && mask[t]));
  for (const given of [{ estimator: "gae" }, { preset: "verl/gae" }, { preset: "openrlhf/gae" }]) {
    for (const kl of [{}, { kl_coef: 0.3, kl_per_token: true }]) {
      const { written } = await runCompute({ ...given, ...kl }, rows), found = lists(written, "advantages");
      assert.deepEqual(found[1], [0, 0, 0], JSON.stringify(given));
      const all = found.flatMap((row, i) => row.slice(0, judged[i]!.length));
      const mean = all.reduce((a, b) => a + b, 0) / all.length;
      const variance = all.reduce((sum, x) => sum + (x - mean) ** 2, 0) / all.length;
      assert(Math.abs(mean) < 1e-6 && variance > 0.7 && variance < 1.01, `${mean} ${variance}: white by themselves`);
      assert.deepEqual(lists(written, "returns")[1], [9, -7, 0], "the critic's own values");
    }
  }
});

Deno.test("compute_advantages takes KL off tokens after it compared, and off rewards before", async () => {
  const rows = LISTS.assign(table({ reward: [1, 0, 1, 0] })), given = { estimator: "dr_grpo", kl_coef: 0.5 };
  const before = await runCompute(given, rows);
  assert.deepEqual(before.advantages, [(0.5 - -0.5) / 2, (-0.5 - 0.5) / 2, 0.5, -0.5], "both pay 0.5 · 1 nat");
  assert.deepEqual([before.outputs.kl, before.outputs.kl_coef], [(0.5 + 1 / 3) / 4, 0.5]);
  assert.deepEqual(computeAdvantages.outputs.parse(before.outputs), before.outputs, "all that it tells is declared");
  const { written, outputs } = await runCompute({ ...given, kl_per_token: true }, rows);
  assert.deepEqual(lists(written, "advantages"), [[0, 0.5], [-1, -1, -1], [0.5, 0.5], [-0.5]]);
  assert.equal(outputs.return_mean, (0 - 1 + 0.5 - 0.5) / 4);
  const bounded = await runCompute({ ...given, kl_per_token: true, kl_bound: 0.5, kl_estimator: "k2" }, rows);
  assert.deepEqual(lists(bounded.written, "advantages")[0], [0.25, 0.5]);
});

Deno.test("compute_advantages clips before and after comparing, and punishes truncation first", async () => {
  const rows = LISTS.assign(table({ reward: [8, 2, 1, 1] })), given = { estimator: "dr_grpo" };
  assert.deepEqual((await runCompute({ ...given, reward_clip: [0, 4] }, rows)).advantages, [1, -1, 0, 0]);
  assert.deepEqual((await runCompute({ ...given, shaped_clip: [-2, 1] }, rows)).advantages, [1, -2, 0, 0]);
  assert.deepEqual((await runCompute({ ...given, truncated_scale: 0.5 }, rows)).advantages, [1, -1, 0, 0]);
  assert.deepEqual((await runCompute({ ...given, truncated_reward: -2 }, rows)).advantages, [-2, 2, 0, 0]);
});

Deno.test("compute_advantages takes a system's numbers by a preset, over which what is said wins", async () => {
  const rows = COMPLETIONS.assign(table({ reward: [1, 0, 0.5, 0.25] }));
  const eps = async (given: Record<string, unknown>) => (await runCompute(given, rows)).advantages[0]!;
  const std = Math.SQRT1_2,
    near = (got: number, want: number) => assert(Math.abs(got - want) < 1e-6, `${got}, ${want}`);
  near(await eps({ preset: "trl/grpo" }), 0.5 / (std + 1e-4));
  near(await eps({ preset: "verl/grpo" }), 0.5 / (std + 1e-6));
  near(await eps({ preset: "verl/grpo", eps: 0.1 }), 0.5 / (std + 0.1));
  const single = COMPLETIONS.assign(table({ prompt_id: [1, 2, 3, 4] }));
  assert.deepEqual((await runCompute({ preset: "verl/rloo" }, single)).advantages, [1, 0, 1, 1], "the reward itself");
  assert.deepEqual((await runCompute({ preset: "trl/grpo" }, single)).advantages, [0, 0, 0, 0]);
  await assert.rejects(runCompute({ preset: "openrlhf/rloo" }, single), /the group size is 1, want at least 2/);
});

Deno.test("compute_advantages reads each reward by its name for gdpo", async () => {
  const rows = COMPLETIONS.assign(table({ "reward.right": [1, 0, 0, 0], "reward.short": [0, 9, 3, 1] }));
  const { advantages } = await runCompute({ estimator: "gdpo", finish: "none", eps: 0 }, rows);
  [0, 0, Math.SQRT1_2, -Math.SQRT1_2].forEach((want, row) => assert(Math.abs(advantages[row]! - want) < 1e-6));
  const weighted = await runCompute(
    { estimator: "gdpo", finish: "none", eps: 0, reward_weights: { short: 0 } },
    rows,
  );
  [1, -1, 0, 0].forEach((sign, row) => assert(Math.abs(weighted.advantages[row]! - sign * Math.SQRT1_2) < 1e-6));
});

Deno.test("compute_advantages names the step that is missing for what an estimator needs", async () => {
  const refused = (given: Record<string, unknown>, says: RegExp) =>
    assert.rejects(runCompute(given, COMPLETIONS), says);
  await refused({ estimator: "gae" }, /no column "values"; run compute_values before/);
  await refused({ estimator: "remax" }, /no column "greedy_reward"; run sample_greedy before score_rewards/);
  await refused({ estimator: "optimal_token_baseline" }, /no column "log_sum_squares"; run measure_tokens before/);
});

Deno.test("compute_advantages refuses a value that is not finite, and an estimate that is none", async () => {
  const values = [[0.5, NaN], [0, 0, 0], [1, 1], [0]];
  await assert.rejects(
    runCompute({ estimator: "gae" }, LISTS.assign(table({ values }))),
    /"values" of completion 0 is NaN at token 1, want a finite number/,
  );
  await assert.rejects(
    runCompute({ estimator: "reinforce_plus_plus" }, LISTS.assign(table({ reward: [1e308, -1e308, 1e308, 1] }))),
    /Cannot compute "reinforce_plus_plus" advantages: that of completion 0 is .*, want a finite number/,
  );
});

Deno.test("compute_advantages leaves completions without a counted token at 0, whatever the estimator", async () => {
  const none = LISTS.assign(table({ completion_mask: [[0, 0], [0, 0, 0], [1, 1], [1]] }));
  for (const estimator of ["grpo", "opo", "rloo", "gae", "reinforce_plus_plus"]) {
    const { advantages } = await runCompute({ estimator }, none);
    assert(advantages.every(Number.isFinite), estimator);
  }
  assert.deepEqual((await runCompute({ estimator: "opo" }, none)).advantages.slice(0, 2), [0, 0]);
});

Deno.test("compute_advantages.check() names what contradicts a preset, each other, or changes nothing", () => {
  assert.deepEqual(messages({ preset: "verl/gae", lambda: 0.95 }), []);
  assert.deepEqual(messages({ preset: "openrlhf/reinforce", kl_coef: 0.1 }), []);
  assert.match(
    messages({ preset: "verl/gae", estimator: "grpo" })[0]!,
    /preset "verl\/gae" with estimator "grpo": it is of "gae"/,
  );
  assert.match(
    messages({ preset: "verl/gae", scale: "none" })[0]!,
    /Cannot set "scale" for estimator "gae": it reads gamma/,
  );
  assert.match(
    messages({ estimator: "remax", gamma: 0.5 })[0]!,
    /Cannot set "gamma" for estimator "remax": it reads no option/,
  );
  assert.match(messages({ truncated_scale: 0.5, truncated_reward: 0 })[0]!, /"truncated_scale" and "truncated_reward"/);
  assert.match(messages({ shaped_clip: [1, 1] })[0]!, /lower bound is not below/);
  assert.match(messages({ kl_per_token: true })[0]!, /Cannot use "kl_per_token": kl_coef is 0/);
  assert.match(messages({ kl_coef: 0.1, kl_horizon: 5 })[0]!, /Cannot use "kl_horizon": kl_target is not set/);
  assert.match(messages({ preset: "openrlhf/group_norm", group_size: 1 })[0]!, /group size is 1, want at least 2/);
  assert.deepEqual(messages({ preset: "verl/rloo", group_size: 1 }), []);
});

/** Train steps one after another, each on its completions: outputs and rows of `metrics`, and what was told. */
async function trainSteps(given: Record<string, unknown>, completions: readonly ColumnTable[]) {
  const tables = new RunTables("all"), told: unknown[] = [], params = computeAdvantages.params.parse(given);
  const outputs = [];
  for (const rows of completions) {
    const context = {
      ...stepContext({ completions: rows }),
      trainStep: tables.advance(),
      history: tables.history.bind(tables),
      emit: ({ text }: StepEvent) => void told.push(text),
    };
    const result = await computeAdvantages.run(params, context);
    tables.write(result.tables!, "compute_advantages");
    outputs.push(result.outputs!);
  }
  return { outputs, told, metrics: tables.history("metrics", 99).objects() as Record<string, number>[] };
}

Deno.test("compute_advantages moves kl_coef towards kl_target from train step to train step, as verl does", async () => {
  const given = { estimator: "rloo", kl_coef: 0.1, kl_target: 0.01, kl_horizon: 40 };
  const { outputs, metrics, told } = await trainSteps(given, [LISTS, LISTS]);
  const moved = 0.1 * (1 + 0.2 * 4 / 40); // 0.2 at most, times 4 of 40 completions
  assert.deepEqual(outputs.map(({ kl_coef }) => kl_coef), [0.1, moved]);
  assert.deepEqual(metrics.map(({ reward_kl_coef }) => reward_kl_coef), [0.1, moved]);
  assert.deepEqual(metrics.map(({ reward_kl }) => reward_kl), outputs.map(({ kl }) => kl));
  assert.deepEqual(metrics.map(({ completions }) => completions), [4, 4]);
  assert.deepEqual(told, []);
});

Deno.test("compute_advantages leaves kl_coef where it was after a KL that is not finite, and says so", async () => {
  // A completion that no reward judges has no reward to lose to its KL: the others' advantages are finite.
  const broken = LISTS.assign(table({
    reward: [1, 0, 3, null],
    old_logprobs: [[-1, -2], [-1, -1, -1], [-3, -3], [NaN]],
  }));
  const given = { estimator: "grpo", kl_coef: 0.1, kl_target: 0.01, kl_horizon: 40 };
  const { outputs, metrics, told } = await trainSteps(given, [broken, LISTS, LISTS]);
  assert.deepEqual(outputs.map(({ kl_coef }) => kl_coef), [0.1, 0.1, 0.1 * (1 + 0.2 * 4 / 40)]);
  assert.deepEqual([outputs[0]!["kl"], metrics[0]!["reward_kl"]], [null, NaN]);
  assert.deepEqual(told, ["reward_kl_coef stays 0.1: the KL that it follows was NaN"]);
});

for (const preset of Object.keys(ADVANTAGE_PRESETS)) {
  Deno.test(`compute_advantages runs preset ${preset} with KL in the reward: finite, and one number per token or completion`, async () => {
    const rows = LISTS.assign(table({
      reward: [1, 0, 3, 1],
      "reward.right": [1, 0, 1, 0],
      greedy_reward: [1, 1, 0, 0],
      log_sum_squares: [[-1, -1], [-1, -1, -1], [-2, -1], [-1]],
      sampler_logprobs: [[-1, -2], [-1, -1, NaN], [-3, -3], [-4]],
    }));
    const { written, advantages } = await runCompute({ preset, kl_coef: 0.1 }, rows);
    assert(advantages.every(Number.isFinite) && advantages.some((value) => value !== 0), String(advantages));
    const lengths = [2, 3, 2, 1], perToken = written.column("advantages") !== undefined;
    if (perToken) assert.deepEqual(lists(written, "advantages").map(({ length }) => length), lengths);
    const given = computeAdvantages.params.parse({ preset, kl_coef: 0.1 });
    const declared = computeAdvantages.writes.completions!.find((write) =>
      typeof write !== "string" && write.column === "advantages"
    );
    assert.equal(typeof declared !== "string" && declared!.when(given, () => null), perToken, "as it declares");
    assert.deepEqual(computeAdvantages.check!(given), []);
  });
}

Deno.test("advantages per token reach the update: each multiplies its own token", async () => {
  /** The weights after one update; `change` rewrites the completions before it. */
  const updated = async (change: (completions: ColumnTable) => ColumnTable) => {
    let weights: Float32Array = new Float32Array();
    await withTinyPolicy(async (run) => {
      run.tables.advance();
      await run.run("sample_groups", { prompts_per_step: 2, group_size: 4, max_new_tokens: 4 });
      const rewards = table({ reward: [0, 1, 2, 3, 0, 2, 1, 4] });
      run.tables.write({ completions: run.tables.table("completions").assign(rewards) }, "test");
      await run.run("compute_advantages", { estimator: "reinforce_plus_plus", gamma: 0.5 });
      run.tables.write({ completions: change(run.tables.table("completions")) }, "test");
      await run.run("apply_update", { learning_rate: 0.01 });
      weights = run.weights();
    }, ONE_LAYER);
    return weights;
  };
  const each = await updated((completions) => completions);
  const alike = await updated((completions) =>
    completions.assign(table({
      advantages: Array.from(completions.array("advantage") as ArrayLike<number>, (value, row) =>
        new Float32Array((completions.array("token_ids") as ArrayLike<ArrayLike<number>>)[row]!.length).fill(value)),
    }))
  );
  const none = await updated((completions) =>
    completions.select(...completions.columnNames().filter((name) => name !== "advantages"))
  );
  const gap = (a: Float32Array, b: Float32Array) => a.reduce((most, x, i) => Math.max(most, Math.abs(x - b[i]!)), 0);
  assert(gap(each, none) > 1e-4, "the mean of a completion is another update");
  assert(gap(alike, none) < 1e-6, "the same on every token is the mean");
});
