import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOf } from "../../../data/tables/mod.ts";
import { scramble } from "../../../steps/faults/change.ts";
import { lists, ONE_LAYER, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

async function metrics(run: TrainingRun, sampling: Record<string, unknown>, given: Record<string, unknown> = {}) {
  await run.rollout(sampling);
  const table = run.tables.table("completions");
  const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(table.array(name))]));
  const advantage = Array.from({ length: table.numRows() }, (_, i) => [1.5, -0.5, -1, 0.25][i % 4]);
  run.tables.write({ completions: tableOf("completions", { ...columns, advantage }) }, "test");
  await run.run("apply_update", { learning_rate: 1e-3, ...given });
  return run.tables.table("metrics").objects()[0] as Record<string, number>;
}

/** Of the log-ratio ref - policy (Schulman, "Approximating KL divergence"). */
const ESTIMATORS = { k1: (r: number) => -r, k2: (r: number) => r * r / 2, k3: (r: number) => Math.exp(r) - 1 - r };

Deno.test("the entropy is that of the policy at temperature 1, whatever was sampled at", () =>
  withTinyPolicy(async (run) => {
    const measured = (await metrics(run, { temperature: 0.5 }, { learning_rate: 0 }))["entropy"]!;
    const prompts = run.column<string>("completions", "prompt").filter((_, i) => i % 4 === 0);
    const sequences = run.policy.sequences(prompts, lists(run.tables.table("completions"), "token_ids"));
    const { statistics } = await run.policy.model.logprobs(sequences, { temperature: 1, statistics: ["entropy"] });
    const entropy = statistics.get("entropy")!;
    const all = entropy.flatMap((row) => Array.from(row));
    const want = all.reduce((a, b) => a + b, 0) / all.length;
    assert(Math.abs(measured - want) < 1e-5, `${measured}, want ${want}`);
  }));

Deno.test("the entropy at temperature 1 is the mean over the tokens that count", () =>
  withTinyPolicy(async (run) => {
    // Weights far from uniform: no token has the entropy of another.
    run.policy.model.weights.values.upload(run.weights().map((weight) => 20 * weight));
    await run.rollout({ temperature: 0.5 });
    const table = run.tables.table("completions"), counts = (row: number, t: number) => (row + t) % 2 === 0 ? 1 : 0;
    const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(table.array(name))]));
    const completion_mask = lists(table, "token_ids").map((ids, row) =>
      Float32Array.from(ids, (_, t) => counts(row, t))
    );
    run.tables.write({ completions: tableOf("completions", { ...columns, completion_mask }) }, "test");
    const prompts = run.column<string>("completions", "prompt").filter((_, i) => i % 4 === 0);
    const sequences = run.policy.sequences(prompts, lists(table, "token_ids"));
    const { statistics } = await run.policy.model.logprobs(sequences, { temperature: 1, statistics: ["entropy"] });
    const entropy = statistics.get("entropy")!;
    const counted = entropy.flatMap((values, row) => Array.from(values).filter((_, t) => counts(row, t) === 1));
    const want = counted.reduce((a, b) => a + b, 0) / counted.length;
    await run.run("apply_update", { learning_rate: 0 });
    const [measured] = run.column<number>("metrics", "entropy");
    assert(Math.abs(measured! - want) < 1e-4 * want, `${measured}, want ${want}`);
  }));

Deno.test("the gap to the sampler is measured where both have the same distribution, and null elsewhere", () =>
  withTinyPolicy(async (run) => {
    const gap = async (sampling: Record<string, unknown>) => (await metrics(run, sampling))["sampler_logprob_gap"]!;
    assert(await gap({}) < 1e-4);
    assert(await gap({ temperature: 0.7 }) < 1e-4);
    assert.equal(await gap({ top_k: 5 }), null);
    assert.equal(await gap({ suppress_tokens: [65] }), null);
    assert.equal(await gap({ temperature: 0 }), null);
  }));

for (const aggregation of ["token_mean", "sequence_mean", "sequence_sum_norm", "rollout_token_mean"]) {
  Deno.test(`the loss at ratio 1 is the closed form of ${aggregation}`, () =>
    withTinyPolicy(async (run) => {
      const { loss, expected_loss: want } = await metrics(run, { max_new_tokens: 40 }, { aggregation });
      assert(Math.abs(loss! - want!) < 1e-5 && Math.abs(want!) > 1e-3, `${loss}, want ${want}`);
    }));
}

Deno.test("the closed form of sequence_sum_norm has the length asked for, whatever was sampled", () =>
  withTinyPolicy(async (run) => {
    const { loss, expected_loss: want, completion_length_max: longest } = await metrics(
      run,
      { max_new_tokens: 40 },
      { aggregation: "sequence_sum_norm" },
    );
    assert(longest! < 40, `${longest}`);
    assert(Math.abs(loss! - want!) < 1e-6 && Math.abs(want!) > 1e-4, `${loss}, want ${want}`);
  }, { model: join(import.meta.dirname!, "../../models/warm_addition") }));

Deno.test("a gap of one sampled log-prob is the gap of the train step", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    const table = run.tables.table("completions");
    const sampler_logprobs = lists(table, "sampler_logprobs").map((row) => Float32Array.from(row));
    sampler_logprobs[3]![0]! += 0.3;
    run.tables.write({ completions: table.assign(tableOf("completions", { sampler_logprobs })) }, "sample_groups");
    await run.run("apply_update", { learning_rate: 0 });
    const [gap] = run.column<number>("metrics", "sampler_logprob_gap");
    assert(Math.abs(gap! - 0.3) < 1e-3, `${gap}`);
  }));

for (const [estimator, of] of Object.entries(ESTIMATORS)) {
  Deno.test(`without a KL in the loss the metric kl is ${estimator} of the policy that sampled to the reference`, () =>
    withTinyPolicy(async (run) => {
      scramble(run.context("x").resource("reference").model().weights, 5);
      await metrics(run, {}, { kl_estimator: estimator });
      const table = run.tables.table("completions"), masks = lists(table, "completion_mask");
      const [old, ref] = [lists(table, "old_logprobs"), lists(table, "ref_logprobs")];
      let sum = 0, tokens = 0;
      masks.forEach((mask, i) =>
        mask.forEach((counts, t) => {
          sum += counts * of(ref[i]![t]! - old[i]![t]!);
          tokens += counts;
        })
      );
      const [kl] = run.column<number>("metrics", "kl");
      assert(Math.abs(kl! - sum / tokens) < 1e-5 * Math.abs(kl!), `${kl}, want ${sum / tokens}`);
    }, { reference: "copy" }));
}

Deno.test("with a KL in the loss the metric kl is the mean over the updates", () =>
  withTinyPolicy(async (run) => {
    scramble(run.context("x").resource("reference").model().weights, 5);
    await metrics(run, {}, { kl_coef: 0.1, updates_per_rollout: 3 });
    const [kl] = run.column<number>("metrics", "kl"), each = run.column<number>("updates", "kl");
    const mean = each.reduce((a, b) => a + b, 0) / 3;
    assert(each.length === 3 && Math.abs(each[0]! - mean) > 1e-4, `${each}`);
    assert.equal(kl, mean);
  }, { reference: "copy" }));

Deno.test("there is no closed form for other aggregations, several updates or a KL", () =>
  withTinyPolicy(async (run) => {
    for (
      const given of [{ aggregation: "token_sum" }, { updates_per_rollout: 2 }, { kl_coef: 0.1 }, { preset: "gspo" }]
    ) {
      assert.equal((await metrics(run, {}, given))["expected_loss"], null, JSON.stringify(given));
    }
  }, { reference: "copy" }));

Deno.test("the metrics have the learning rate of the last update, and no update of these was not finite", () =>
  withTinyPolicy(async (run) => {
    const schedule = { schedule: "linear", schedule_updates: 4, updates_per_rollout: 2 };
    const { learning_rate, non_finite } = await metrics(run, {}, schedule);
    assert.equal(non_finite, 0);
    assert(Math.abs(learning_rate! - 0.75e-3) < 1e-9, `${learning_rate}`);
  }));

Deno.test("a replayed completion, which an older policy sampled, is no gap to the sampler", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    const table = run.tables.table("completions"), replayed_from = Array<number | null>(16).fill(null);
    const sampler_logprobs = lists(table, "sampler_logprobs").map((row) => Float32Array.from(row));
    replayed_from[3] = 1;
    sampler_logprobs[3]![0]! += 0.3;
    sampler_logprobs[5]![0]! += 0.1;
    const columns = tableOf("completions", { sampler_logprobs, replayed_from });
    run.tables.write({ completions: table.assign(columns) }, "test");
    await run.run("apply_update", { learning_rate: 0 });
    const [gap] = run.column<number>("metrics", "sampler_logprob_gap");
    assert(Math.abs(gap! - 0.1) < 1e-3, `${gap}`);
  }, ONE_LAYER));
