import assert from "node:assert/strict";
import { z } from "zod";
import { tableOf } from "../../../data/tables/mod.ts";
import { entropyOfUpdates, keptEntropy, writesEntropy } from "../../../steps/training/entropy_before.ts";
import { SAMPLER_PARAMS } from "../../../steps/training/sampler_correction.ts";
import { lists, ONE_LAYER, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

/** A rollout of a policy far from uniform, whose second tokens do not count; and its mean entropy at temperature 1. */
async function rollout(run: TrainingRun, temperature: number): Promise<number> {
  run.policy.model.weights.values.upload(run.weights().map((weight) => 10 * weight));
  await run.rollout({ temperature, prompts_per_step: 2 });
  const table = run.tables.table("completions"), ids = lists(table, "token_ids");
  const completion_mask = ids.map((row) => Float32Array.from(row, (_, t) => Number(t !== 1)));
  const advantage = ids.map((_, i) => Math.sin(3 * i + 1));
  run.tables.write({ completions: table.assign(tableOf("completions", { completion_mask, advantage })) }, "test");
  const prompts = run.column<string>("completions", "prompt").filter((_, i) => i % 4 === 0);
  const sequences = run.policy.sequences(prompts, ids);
  const { statistics } = await run.policy.model.logprobs(sequences, { temperature: 1, statistics: ["entropy"] });
  const counted = statistics.get("entropy")!.flatMap((row) => [...row].filter((_, t) => t !== 1));
  return counted.reduce((a, b) => a + b, 0) / counted.length;
}
const entropyOf = (run: TrainingRun) => run.column<number>("metrics", "entropy")[0]!;
const trials = [{}, { updates_per_rollout: 3 }, { updates_per_rollout: 4, minibatches: 2 }, {
  sampler_weights: "token",
  updates_per_rollout: 2,
}];

for (const temperature of [1, 0.5]) {
  Deno.test(`metrics have the entropy before the updates of what was sampled at temperature ${temperature}`, () =>
    withTinyPolicy(async (run) => {
      for (const given of trials) {
        const want = await rollout(run, temperature);
        await run.run("apply_update", { learning_rate: 3e-2, ...given });
        const got = entropyOf(run);
        assert(Math.abs(got - want) < 1e-4 * want, `${JSON.stringify(given)}: ${got}, want ${want}`);
        run.policy.model.weights.values.upload(run.weights().map((weight) => weight / 10));
      }
    }, ONE_LAYER));
}

Deno.test("a resumed train step has the entropy before its first update", async () => {
  let want = 0;
  const given = { learning_rate: 3e-2, updates_per_rollout: 2 };
  await withTinyPolicy(async (run) => {
    await rollout(run, 0.5);
    await run.run("apply_update", given);
    want = entropyOf(run);
  }, ONE_LAYER);
  await withTinyPolicy(async (run) => {
    await rollout(run, 0.5);
    const safePoint = () => {
      throw new Error("stop");
    };
    await assert.rejects(() => run.run("apply_update", given, { safePoint }), /stop/);
    await run.run("apply_update", given, { position: 1 });
    assert.equal(entropyOf(run), want);
  }, ONE_LAYER);
});

Deno.test("the pass for the entropy reads no more prompts at once than prompts_per_pass", () =>
  withTinyPolicy(async (run) => {
    await rollout(run, 0.5);
    const { model } = run.policy, logprobs = model.logprobs, asked: unknown[] = [];
    model.logprobs = (sequences, options) => {
      asked.push(options?.promptsPerPass);
      return logprobs.call(model, sequences, options);
    };
    await run.run("apply_update", { learning_rate: 0, prompts_per_pass: 1 });
    assert.deepEqual(asked, [1]);
  }, ONE_LAYER));

Deno.test("keptEntropy() weighs completions by their tokens, and entropyOfUpdates() reads each slice once", () => {
  const completions = tableOf("completions", { entropy: [1, null, 3] });
  assert.equal(keptEntropy(completions, { lengths: [3, 0, 1], tokens: 4 }), 1.5);
  assert.equal(keptEntropy(completions, { lengths: [0, 0, 0], tokens: 0 }), 0);
  assert.equal(keptEntropy(tableOf("completions", { sample: [0] }), { lengths: [1], tokens: 1 }), null);
  assert.equal(entropyOfUpdates([{ entropy: 1 }, { entropy: 2 }, { entropy: 9 }], 2), 1.5);
  assert.equal(entropyOfUpdates([{ entropy: null }, { entropy: 2 }], 1), null);
});

Deno.test("writesEntropy() knows before a run whether the rollout is read before its first update", () => {
  const options = (written = {}) => ({ ...z.strictObject(SAMPLER_PARAMS).parse(written), minibatches: 1 });
  const writes = (given: ReturnType<typeof options>, temperature?: number, dropout?: number) =>
    writesEntropy(given, { temperature }, { lora: { dropout } });
  assert.equal(writesEntropy(options(), null, null), false);
  assert.equal(writes(options(), 1, 0), false);
  assert.equal(writes(options(), 0), false, "greedy sampling has the log-probs of temperature 1");
  assert.equal(writes(options(), 0.7), true);
  assert.equal(writes(options(), 1, 0.1), true);
  assert.equal(writes(options({ sampler_weights: "token" }), 1), true);
  assert.equal(writes({ ...options(), minibatches: 2 }, 1), true);
  assert.equal(writes({ ...options({ old_logprobs: "sampler" }), minibatches: 2 }, 1), false);
});
