import assert from "node:assert/strict";
import { tableOf } from "../../data/tables/mod.ts";
import { updateCritic } from "../../steps/update_critic.ts";
import { same } from "../same.ts";
import { lists, ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

const RATE = 1e-3;

/** A rollout with values and returns that a person chose: 1 for each token of every second completion, else 0. */
async function rollout(run: TrainingRun, more: Record<string, unknown> = {}): Promise<void> {
  await run.rollout();
  await run.run("compute_values");
  const table = run.tables.table("completions");
  const returns = lists(table, "token_ids").map((row, i) => row.map(() => i % 2));
  run.tables.write({ completions: table.assign(tableOf("completions", { returns, ...more })) }, "test");
}
const update = (run: TrainingRun, given = {}) => run.run("update_critic", { learning_rate: RATE, ...given });
const metrics = (run: TrainingRun) => run.tables.table("metrics").objects()[0] as Record<string, number>;
const critic = (run: TrainingRun) =>
  run.resources.critic!.model.weights.values.download(
    new Float32Array(run.resources.critic!.model.weights.layout.size),
  );

Deno.test("update_critic is half the mean squared error, and its update lowers it; the policy stays bitwise", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await rollout(run);
    const before = run.weights(), table = run.tables.table("completions");
    const values = lists(table, "values").flat(), returns = lists(table, "returns").flat();
    const half = values.reduce((sum, v, i) => sum + (v - returns[i]!) ** 2, 0) / values.length / 2;
    const { outputs } = await update(run, { updates_per_rollout: 8, value_clip: null });
    assert(Math.abs(Number(outputs!["value_loss"]) - half) < 1e-6 * (1 + half));
    assert.equal(outputs!["updates"], 8);
    same(run.weights(), before);
    await run.run("compute_values");
    const later = lists(run.tables.table("completions"), "values").flat();
    const now = later.reduce((sum, v, i) => sum + (v - returns[i]!) ** 2, 0) / values.length / 2;
    assert(now < 0.9 * half, `${now} after ${half}`);
  }, ONE_LAYER));

Deno.test("update_critic adds its metrics to the policy's row of the train step, and writes one where there is none", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await rollout(run);
    await update(run);
    assert.deepEqual([metrics(run)["phase"], metrics(run)["train_step"]], ["rollout", 1]);
    await rollout(run);
    await run.run("apply_update", { learning_rate: RATE });
    const { grad_norm, reward } = metrics(run);
    await update(run);
    const row = metrics(run), table = run.tables.table("completions");
    assert.equal(run.tables.table("metrics").numRows(), 1);
    assert.deepEqual([row["grad_norm"], row["reward"]], [grad_norm, reward]);
    const values = lists(table, "values").flat(), returns = lists(table, "returns").flat();
    const mean = (xs: number[]) => xs.reduce((a, b) => a + b, 0) / xs.length;
    const variance = (xs: number[]) => mean(xs.map((x) => (x - mean(xs)) ** 2));
    const explained = 1 - variance(returns.map((r, i) => r - values[i]!)) / variance(returns);
    for (
      const [name, want] of Object.entries({
        value_mean: mean(values),
        return_mean: mean(returns),
        return_std: Math.sqrt(variance(returns)),
        value_explained_variance: explained,
        critic_learning_rate: RATE,
        critic_non_finite: 0,
      })
    ) assert(Math.abs(row[name]! - want) < 1e-6, `${name}: ${row[name]}, want ${want}`);
    assert(row["critic_grad_norm"]! > 0 && row["value_loss"]! > 0);
  }, ONE_LAYER));

Deno.test("update_critic keeps its metrics whichever of both updates comes first", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await rollout(run);
    await update(run);
    const critic = metrics(run);
    await run.run("apply_update", { learning_rate: RATE });
    const row = metrics(run);
    assert.equal(run.tables.table("metrics").numRows(), 1);
    for (const name of ["value_loss", "critic_grad_norm", "value_explained_variance", "return_mean"]) {
      assert(Number.isFinite(row[name]), `${name}: ${row[name]}`);
      assert.equal(row[name], critic[name], name);
    }
    assert(Number.isFinite(row["grad_norm"]) && Number.isFinite(row["loss"]));
  }, ONE_LAYER));

Deno.test("update_critic on the policy's body moves its head and nothing else", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic", { body: "policy" });
    await rollout(run);
    const { weights } = run.resources.critic!.model, before = weights.toHuggingFace();
    await update(run, { minibatches: 2, updates_per_rollout: 4 });
    for (const [name, { data }] of weights.toHuggingFace()) {
      const moved = data.some((x, i) => x !== before.get(name)!.data[i]);
      assert.equal(moved, name === "score.weight", name);
    }
  }, ONE_LAYER));

Deno.test("a masked token, and rows in which none counts, are out of the value loss under either mean", () =>
  withTinyPolicy(async (run) => {
    for (const aggregation of ["token_mean", "sequence_mean"]) {
      await run.run("load_critic");
      await rollout(run);
      const table = run.tables.table("completions"), values = lists(table, "values");
      const masks = values.map((row, i) => row.map((_, t) => i === 3 || (i === 1 && t > 0) ? 0 : 1));
      // What is masked may hold anything finite.
      const returns = values.map((row, i) => row.map((_, t) => masks[i]![t] ? i % 3 : 1e6));
      const masked = table.assign(tableOf("completions", { returns, completion_mask: masks }));
      run.tables.write({ completions: masked }, "test");
      const { outputs } = await update(run, { aggregation, value_clip: null });
      const errors = values.map((row, i) =>
        row.map((v, t) => (v - returns[i]![t]!) ** 2 / 2).filter((_, t) => masks[i]![t])
      ).filter(({ length }) => length > 0);
      const mean = (xs: number[]) => xs.reduce((a, b) => a + b, 0) / xs.length;
      const want = aggregation === "token_mean" ? mean(errors.flat()) : mean(errors.map(mean));
      assert(Math.abs(Number(outputs!["value_loss"]) - want) < 1e-5, `${outputs!["value_loss"]}, want ${want}`);
    }
  }, ONE_LAYER));

Deno.test("minibatches are slices of the rollout, one after another: each has its loss", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await rollout(run);
    const table = run.tables.table("completions"), values = lists(table, "values");
    const returns = values.map((row, i) => row.map(() => i < 8 ? 0 : 3));
    run.tables.write({ completions: table.assign(tableOf("completions", { returns })) }, "test");
    const { outputs } = await update(run, {
      minibatches: 2,
      updates_per_rollout: 4,
      learning_rate: 0,
      value_clip: null,
    });
    const half = (from: number) => {
      const errors = values.slice(from, from + 8).flatMap((row, i) =>
        row.map((v, t) => (v - returns[from + i]![t]!) ** 2)
      );
      return errors.reduce((a, b) => a + b, 0) / errors.length / 2;
    };
    assert(Math.abs(Number(outputs!["value_loss"]) - half(0)) < 1e-5);
    assert(Math.abs(metrics(run)["value_loss"]! - (half(0) + half(8)) / 2) < 1e-5, `${metrics(run)["value_loss"]}`);
  }, ONE_LAYER));

Deno.test("update_critic says under which options it updated, by their names", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await rollout(run);
    await update(run, { minibatches: 2, updates_per_rollout: 4 });
    const settings = run.tables.table("settings"), names = run.column<string>("settings", "name");
    const value = (name: string) => settings.array("value")[names.indexOf(name)];
    assert.deepEqual([value("critic_updates_per_rollout"), value("critic_minibatches")], ["4", "2"]);
  }, ONE_LAYER));

Deno.test("a critic at learning rate 0 stays as it is, and its metrics say so", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await rollout(run);
    const before = critic(run);
    await update(run, { learning_rate: 0 });
    same(critic(run), before);
    const row = metrics(run);
    assert.equal(row["critic_learning_rate"], 0);
    assert(row["critic_grad_norm"]! > 0 && row["value_explained_variance"]! < 0.5);
  }, ONE_LAYER));

Deno.test("update_critic names what is missing: values, returns, tokens that count, finite returns, whole minibatches", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await run.rollout();
    const values = /Cannot update the critic: table "completions" has no column "values"; run compute_values before/;
    await assert.rejects(() => update(run), values);
    await run.run("compute_values");
    await assert.rejects(() => update(run), /no column "returns"; run compute_advantages with estimator gae before/);
    await rollout(run, {
      completion_mask: lists(run.tables.table("completions"), "values").map((row) => row.map(() => 0)),
    });
    await assert.rejects(() => update(run), /no token of the rollout counts/);
    await rollout(run);
    await assert.rejects(() => update(run, { minibatches: 3 }), /Cannot split 4 prompts into 3 minibatches/);
    const returns = lists(run.tables.table("completions"), "returns");
    returns[2]![0] = NaN;
    const table = run.tables.table("completions").assign(tableOf("completions", { returns }));
    run.tables.write({ completions: table }, "test");
    await assert.rejects(() => update(run), /the return of completion 2 is NaN at token 0, want a finite number/);
  }, ONE_LAYER));

Deno.test("update_critic bounds values by default as verl and OpenRLHF do, and by null not at all", () => {
  const parse = (given: object) => updateCritic.params.parse({ learning_rate: 1, ...given }).value_clip;
  assert.deepEqual([parse({}), parse({ value_clip: null }), parse({ value_clip: 0.2 })], [0.5, null, 0.2]);
  assert.equal(updateCritic.params.safeParse({ learning_rate: 1, value_clip: 0 }).success, false);
});

Deno.test("the value clip holds the critic to the values of compute_values: the worse of both errors counts", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await rollout(run);
    const table = run.tables.table("completions"), now = lists(table, "values"), returns = lists(table, "returns");
    // As if compute_values had been further from the critic of today than the clip, on both sides.
    const old = now.map((row, i) => row.map((value, t) => value + ((i + t) % 2 ? 0.7 : -0.4)));
    run.tables.write({ completions: table.assign(tableOf("completions", { values: old })) }, "test");
    const clip = 0.25, { outputs } = await update(run, { value_clip: clip });
    const losses = now.flatMap((row, i) =>
      row.map((value, t) => {
        const before = old[i]![t]!, held = Math.min(Math.max(value, before - clip), before + clip);
        return Math.max((value - returns[i]![t]!) ** 2, (held - returns[i]![t]!) ** 2) / 2;
      })
    );
    const want = losses.reduce((a, b) => a + b, 0) / losses.length, got = Number(outputs!["value_loss"]);
    assert(Math.abs(got - want) < 1e-5, `${got}, want ${want}`);
  }, ONE_LAYER));

Deno.test("update_critic divides by max_new_tokens under sequence_sum_norm, and by the rollout's tokens under its mean", () =>
  withTinyPolicy(async (run) => {
    for (const aggregation of ["sequence_sum_norm", "rollout_token_mean"]) {
      await run.run("load_critic");
      await rollout(run);
      const table = run.tables.table("completions"), values = lists(table, "values"), returns = lists(table, "returns");
      const masks = values.map((row, i) => row.map((_, t) => Number(i % 3 !== 0 || t === 0)));
      run.tables.write({ completions: table.assign(tableOf("completions", { completion_mask: masks })) }, "test");
      await update(run, { aggregation, value_clip: null, updates_per_rollout: 2, minibatches: 2, learning_rate: 0 });
      const errors = values.map((row, i) =>
        row.reduce((sum, v, t) => sum + masks[i]![t]! * (v - returns[i]![t]!) ** 2 / 2, 0)
      );
      const tokens = masks.flat().reduce((a, b) => a + b, 0), half = errors.length / 2;
      const of = (part: readonly number[]) => {
        const sum = part.reduce((a, b) => a + b, 0);
        return aggregation === "sequence_sum_norm" ? sum / (4 * half) : 2 * sum / tokens;
      };
      const want = (of(errors.slice(0, half)) + of(errors.slice(half))) / 2, got = metrics(run)["value_loss"]!;
      assert(Math.abs(got - want) < 1e-5, `${aggregation}: ${got}, want ${want}`);
    }
  }, ONE_LAYER));

Deno.test("a completion without a reward is out of the value loss and of what the critic is said to foretell", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await rollout(run);
    const table = run.tables.table("completions"), values = lists(table, "values"), returns = lists(table, "returns");
    const rewards = values.map((_, i) => i % 4 === 0 ? null : 1);
    run.tables.write({ completions: table.assign(tableOf("completions", { reward: rewards })) }, "test");
    await update(run, { value_clip: null });
    const scored = values.flatMap((row, i) => rewards[i] === null ? [] : row.map((v, t) => [v, returns[i]![t]!]));
    const mean = (xs: number[]) => xs.reduce((a, b) => a + b, 0) / xs.length;
    const loss = mean(scored.map(([v, r]) => (v! - r!) ** 2 / 2)), row = metrics(run);
    assert(Math.abs(row["value_loss"]! - loss) < 1e-5, `${row["value_loss"]}, want ${loss}`);
    assert(Math.abs(row["return_mean"]! - mean(scored.map(([, r]) => r!))) < 1e-6);
  }, ONE_LAYER));

Deno.test("the critic's schedule goes on from train step to train step", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    for (const share of [2 / 8, 4 / 8]) {
      await rollout(run);
      await update(run, { warmup_updates: 8, updates_per_rollout: 2 });
      const { critic_learning_rate: rate } = metrics(run);
      assert(Math.abs(rate! - share * RATE) < 1e-9, `${rate}`);
    }
  }, ONE_LAYER));

Deno.test("sequence_sum_norm divides the value loss by max_new_tokens, however short the completions are", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_critic");
    await rollout(run);
    const table = run.tables.table("completions");
    const cut = Object.fromEntries(
      ["token_ids", "completion_mask", "sampler_logprobs"].map((name) => [
        name,
        lists(table, name).map((row) => row.slice(0, 2)),
      ]),
    );
    run.tables.write({ completions: table.assign(tableOf("completions", cut)) }, "test");
    await run.run("compute_values");
    const values = lists(run.tables.table("completions"), "values"), returns = values.map((row, i) => row.map(() => i));
    const written = run.tables.table("completions").assign(tableOf("completions", { returns }));
    run.tables.write({ completions: written }, "test");
    const { outputs } = await update(run, { aggregation: "sequence_sum_norm", value_clip: null });
    const sum = values.flat().reduce((all, v, k) => all + (v - returns.flat()[k]!) ** 2 / 2, 0);
    const want = sum / values.length / 4, got = Number(outputs!["value_loss"]);
    assert(Math.abs(got - want) < 1e-5 * want, `${got}, want ${want}`);
  }, ONE_LAYER));
