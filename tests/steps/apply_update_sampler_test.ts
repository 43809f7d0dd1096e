/** apply_update with a sampler that is not quite the policy, and with coefficients that follow a target. */
import assert from "node:assert/strict";
import { tableOf } from "../../data/tables/mod.ts";
import { nextEntropyCoefficient } from "../../steps/controllers/entropy_coefficient.ts";
import { applyUpdate } from "../../steps/apply_update.ts";
import { lists, ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

const SIZE = { prompts_per_step: 2, group_size: 2, max_new_tokens: 3 };
const ADVANTAGES = [1.5, -0.5, -1, 0.75];
const OFF = [0.4, -0.3, 0.05]; // old_logprobs - sampler_logprobs by position, nats

/** A rollout whose sampler reports log-probs that are off by OFF from the trainer's. */
async function disagreeing(run: TrainingRun, off: readonly number[] = OFF): Promise<number[][]> {
  await run.rollout(SIZE);
  const table = run.tables.table("completions");
  const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(table.array(name))]));
  const sequences = run.policy.sequences(
    [0, 2].map((row) => columns["prompt"]![row] as string),
    columns["token_ids"] as Int32Array[],
  );
  const own = await run.policy.logprobs(sequences, 1);
  const sampler_logprobs = own.map((row) => row.map((value, t) => value - off[t % off.length]!));
  run.tables.write(
    { completions: tableOf("completions", { ...columns, sampler_logprobs, advantage: ADVANTAGES }) },
    "t",
  );
  return own.map((row) => Array.from(row));
}

const update = (run: TrainingRun, given: Record<string, unknown> = {}, options = {}) =>
  run.run("apply_update", { learning_rate: 0, gradients_every: 0, ...given }, options);
const last = (run: TrainingRun, table: "metrics" | "updates") =>
  run.tables.table(table).objects().at(-1) as Record<string, number>;
const near = (got: unknown, want: number, tolerance = 2e-5) =>
  assert(Math.abs(Number(got) - want) <= tolerance * Math.max(1, Math.abs(want)), `${got}, want ${want}`);
const withPolicy = (body: (run: TrainingRun) => Promise<void>, more = {}) =>
  withTinyPolicy(body, { ...ONE_LAYER, ...more });

/** A model that reads sequences of more than 6 tokens otherwise. */
const LONG_ROPE = {
  model_type: "phi3",
  hidden_size: 32,
  intermediate_size: 48,
  num_hidden_layers: 1,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  max_position_embeddings: 64,
  original_max_position_embeddings: 6,
  initializer_range: 0.5,
  rope_scaling: { type: "longrope", short_factor: [1, 1, 1, 1], long_factor: [2, 3, 4, 5] },
};

/** Tokens with what the loss of each weighs: completion, position, weight. */
function tokensOf(run: TrainingRun, weight: (row: number, t: number, length: number) => number) {
  return lists(run.tables.table("completions"), "completion_mask").flatMap((mask, row) =>
    mask.map((_, t) => ({ row, t, weight: weight(row, t, mask.length) }))
  );
}
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

Deno.test("apply_update weighs every token by trainer over sampler, within the bounds, and tells the weights", () =>
  withPolicy(async (run) => {
    await disagreeing(run);
    await update(run, { sampler_weights: "token", sampler_bounds: [0.8, 1.2] });
    const tokens = tokensOf(run, (_, t) => Math.min(Math.max(Math.exp(OFF[t]!), 0.8), 1.2));
    near(last(run, "metrics")["loss"], mean(tokens.map(({ row, weight }) => -weight * ADVANTAGES[row]!)));
    const metrics = last(run, "metrics"), weights = tokens.map(({ weight }) => weight);
    near(metrics["sampler_ratio_mean"], mean(weights));
    near(metrics["sampler_ratio_min"], Math.min(...weights));
    near(metrics["sampler_ratio_max"], Math.max(...weights));
    near(metrics["sampler_kl"], mean(tokens.map(({ t }) => -OFF[t]!)));
    near(metrics["sampler_logprob_gap_mean"], mean(tokens.map(({ t }) => Math.abs(OFF[t]!))));
    near(metrics["sampler_k3_kl"], mean(tokens.map(({ t }) => Math.exp(OFF[t]!) - 1 - OFF[t]!)));
    near(metrics["sampler_chi2"], mean(tokens.map(({ t }) => Math.exp(2 * OFF[t]!) - 1)));
    near(metrics["sampler_outside_fraction"], mean(tokens.map(({ t }) => t < 2 ? 1 : 0)));
    near(metrics["effective_sample_fraction"], mean(weights) ** 2 / mean(weights.map((w) => w * w)));
    assert.equal(metrics["rejected_fraction"], null);
    assert.equal(metrics["expected_loss"], null);
  }));

Deno.test("apply_update weighs completions by the product of their ratios, normalised, or leaves out those outside", () =>
  withPolicy(async (run) => {
    await disagreeing(run);
    const product = (length: number) => Math.exp(OFF.slice(0, length).reduce((a, b) => a + b, 0));
    const all = tokensOf(run, (_, __, length) => product(length));
    await update(run, { sampler_weights: "sequence", sampler_bounds: [null, null] });
    near(last(run, "metrics")["loss"], mean(all.map(({ row, weight }) => -weight * ADVANTAGES[row]!)));
    const masks = lists(run.tables.table("completions"), "completion_mask");
    const factor = mean(masks.map(({ length }) => product(length)));
    await update(run, { sampler_weights: "sequence", sampler_bounds: [null, null], sampler_normalize: true });
    near(last(run, "metrics")["loss"], mean(all.map(({ row, weight }) => -weight / factor * ADVANTAGES[row]!)));
    const outside = { sampler_weights: "token", sampler_bounds: [0.9, 1.1], sampler_outside: "mask" };
    await update(run, outside);
    const inside = tokensOf(run, (_, t) => t === 2 ? Math.exp(OFF[2]!) : 0);
    near(last(run, "metrics")["loss"], mean(inside.map(({ row, weight }) => -weight * ADVANTAGES[row]!)));
  }));

Deno.test("apply_update leaves rejected tokens out of the loss and of its mean", () =>
  withPolicy(async (run) => {
    await disagreeing(run);
    await update(run, { sampler_reject: { token_k1: [0.72, 1.4] } }); // sampler over trainer: 0.67, 1.35, 0.95
    const kept = tokensOf(run, (_, t) => t === 0 ? 0 : 1), left = kept.filter(({ weight }) => weight);
    const metrics = last(run, "metrics");
    near(metrics["loss"], mean(left.map(({ row }) => -ADVANTAGES[row]!)));
    near(metrics["rejected_fraction"], 1 - left.length / kept.length);
    near(metrics["rejected_completion_fraction"], 1); // each lost its first token
    near(metrics["expected_loss"], metrics["loss"]!);
  }));

Deno.test("apply_update with old_logprobs: sampler compares with the sampler in the first update, without a further pass", () =>
  withPolicy(async (run) => {
    const own = await disagreeing(run);
    let passes = 0;
    const { model } = run.policy, logprobs = model.logprobs;
    model.logprobs = (...given) => (passes++, logprobs.apply(model, given));
    await update(run, { old_logprobs: "sampler", clip_low: 10, clip_high: 10 });
    assert.equal(passes, 0);
    const tokens = tokensOf(run, (_, t) => Math.exp(OFF[t]!));
    const metrics = last(run, "metrics");
    near(metrics["loss"], mean(tokens.map(({ row, weight }) => -weight * ADVANTAGES[row]!)));
    near(metrics["ratio_mean"], mean(tokens.map(({ weight }) => weight)));
    near(metrics["sampler_logprob_gap"], 0.4);
    lists(run.tables.table("completions"), "old_logprobs").forEach((row, i) =>
      row.forEach((v, t) => near(v, own[i]![t]!))
    );
    await update(run, { sampler_weights: "token" });
    assert.equal(passes, 1);
    await update(run, {
      old_logprobs: "sampler",
      clip_low: 10,
      clip_high: 10,
      sampler_reject: { token_k1: [0.72, 1.4] },
    });
    const left = tokens.filter(({ t }) => t > 0);
    near(last(run, "metrics")["loss"], mean(left.map(({ row, weight }) => -weight * ADVANTAGES[row]!)));
  }));

Deno.test("apply_update refuses to compare with a sampler of another distribution, and to weigh everything by 0", () =>
  withPolicy(async (run) => {
    await disagreeing(run);
    const narrow = { sampler_weights: "token", sampler_bounds: [0.99, 1.01], sampler_outside: "mask" };
    await assert.rejects(() => update(run, narrow), /every weight is 0, want some within the bounds 0.99 to 1.01/);
    await assert.rejects(
      () => update(run, { sampler_reject: { token_k2: 1e-9 } }),
      /every token was rejected by token_k2/,
    );
    await run.rollout({ ...SIZE, top_k: 3 });
    await assert.rejects(
      () => update(run, { sampler_weights: "token" }),
      /the sampler draws from a filtered distribution/,
    );
    const problems = applyUpdate.check!(
      applyUpdate.params.parse({ learning_rate: 0, kl_target: 1, sampler_normalize: true }),
    );
    assert.match(problems.join("\n"), /"sampler_normalize"[^]*kl_target: its first value is 0/);
  }));

Deno.test("apply_update counts a token of which the sampler says nothing with weight 1, and says how many", () =>
  withPolicy(async (run) => {
    await disagreeing(run, [NaN, 0.1]);
    await update(run, { sampler_weights: "token" });
    const tokens = tokensOf(run, (_, t) => t === 1 ? Math.exp(0.1) : 1);
    near(last(run, "metrics")["loss"], mean(tokens.map(({ row, weight }) => -weight * ADVANTAGES[row]!)));
    const told = run.events.map(({ text }) => text).find((text) => /gave no log-prob/.test(String(text)));
    const missing = tokens.filter(({ t }) => t % 2 === 0).length;
    assert.equal(told, `The sampler gave no log-prob for ${missing} tokens: they count with weight 1`);
  }));

Deno.test("apply_update follows kl_target from train step to train step by the rows of metrics", () =>
  withPolicy(async (run) => {
    const given = { learning_rate: 1e-2, kl_coef: 0.1, kl_target: 0.05, kl_horizon: 20 };
    let want = 0.1;
    for (const step of [1, 2, 3]) {
      await run.rollout(SIZE);
      await update(run, given);
      const { kl_coef, kl, loss, policy_loss } = last(run, "metrics");
      near(kl_coef, want, 1e-12);
      if (step > 1) near(loss! - policy_loss!, want * kl!);
      want *= 1 + Math.min(Math.max(kl! / 0.05 - 1, -0.2), 0.2) * 4 / 20;
    }
    assert.notEqual(want, 0.1);
  }, { reference: "copy" }));

Deno.test("apply_update follows entropy_target from update to update, over train steps too", () =>
  withPolicy(async (run) => {
    const controller = { target: 100, step: 0.02, min: 0, max: 0.05 };
    const given = {
      learning_rate: 1e-3,
      entropy_coef: 0.01,
      entropy_target: 100,
      entropy_coef_step: 0.02,
      entropy_coef_max: 0.05,
      updates_per_rollout: 2,
    };
    let want = 0.01, weight = 0;
    for (const step of [1, 2]) {
      await run.rollout(SIZE);
      await update(run, given);
      for (const row of run.tables.table("updates").objects() as Record<string, number>[]) {
        near(row["entropy_coef"], want, 1e-12);
        near(row["policy_loss"]! - row["loss"]!, weight * row["entropy"]!, 1e-4);
        want = weight = nextEntropyCoefficient(want, controller, row["entropy"]!);
      }
      assert.equal(last(run, "metrics")["entropy_coef"], last(run, "updates")["entropy_coef"], `step ${step}`);
    }
    assert.equal(want, 0.05);
    await run.rollout(SIZE);
    await update(run, { ...given, entropy_target: 0 });
    near(last(run, "updates")["policy_loss"]! - last(run, "updates")["loss"]!, 0); // above the target: no bonus
  }));

Deno.test("apply_update tells the largest gap to the sampler before it rejects anything: rejection hides none", () =>
  withPolicy(async (run) => {
    await disagreeing(run);
    await update(run, { sampler_reject: { token_k1: [0.72, 1.4] } }); // the first token of each completion
    const { sampler_logprob_gap, sampler_logprob_gap_mean } = last(run, "metrics");
    near(sampler_logprob_gap, 0.4);
    near(sampler_logprob_gap_mean, mean(tokensOf(run, () => 0).map(({ t }) => Math.abs(OFF[t]!))));
  }));

Deno.test("apply_update reads nothing of what the sampler says of a token that does not count", () =>
  withPolicy(async (run) => {
    await disagreeing(run);
    const table = run.tables.table("completions"), masks = lists(table, "completion_mask");
    const completion_mask = masks.map((row, i) => Float32Array.from(row, (_, t) => Number(t > 0 || i === 0)));
    const sampler_logprobs = lists(table, "sampler_logprobs");
    const write = (value: number) =>
      run.tables.write({
        completions: table.assign(tableOf("completions", {
          completion_mask,
          sampler_logprobs: sampler_logprobs.map((row, i) => row.map((x, t) => completion_mask[i]![t] ? x : value)),
        })),
      }, "t");
    for (const ratio_level of ["token", "sequence"]) {
      const told = [];
      for (const value of [-1, NaN, -Infinity]) {
        write(value);
        await update(run, { old_logprobs: "sampler", clip_low: 10, clip_high: 10, ratio_level });
        const { loss, grad_norm } = last(run, "metrics");
        told.push({ loss, grad_norm });
      }
      assert(Number.isFinite(told[0]!.loss) && told[0]!.grad_norm! > 0);
      assert.deepEqual([told[1], told[2]], [told[0], told[0]]);
    }
  }));

Deno.test("apply_update reads a rollout with the frequencies that its sampler had, though all that it wrote is short", () =>
  withPolicy(async (run) => {
    await run.rollout(SIZE); // 4 tokens of a prompt and 3 new ones: beyond 6 positions the frequencies are others
    const table = run.tables.table("completions");
    const short = (name: string) => lists(table, name).map((row) => row.slice(0, 1));
    const names = ["token_ids", "completion_mask", "sampler_logprobs"] as const;
    const cut = Object.fromEntries(names.map((name) => [name, short(name)]));
    run.tables.write({
      completions: table.assign(tableOf("completions", { ...cut, completion_tokens: ADVANTAGES.map(() => 1) })),
    }, "t");
    await update(run, { sampler_weights: "token" });
    near(last(run, "metrics")["sampler_logprob_gap"], 0, 1e-4);
  }, { model: LONG_ROPE }));
