/** What apply_update makes of two options together: each loss as plain arithmetic over its tokens. */
import assert from "node:assert/strict";
import { type GivenLogprobs, updateOn } from "./contexts/given_logprobs.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

const MASK = [[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 1, 0]], ZERO = MASK.map((row) => row.map(() => 0));
const WIDE = { clip_low: 0.99, clip_high: 10 };
const GIVEN: GivenLogprobs = {
  logprobs: [[0.3, -0.4, 0.05, 0.6], [-0.5, 0.1, 0, 0], [0.2, -0.3, 0.4, 0]],
  old_logprobs: ZERO,
  completion_mask: MASK,
  advantages: [1, -0.8, 0.3],
};

/** Every token that counts with what it is worth to the clipped loss, -r·A. */
function tokensOf({ logprobs, completion_mask, advantages }: GivenLogprobs) {
  return completion_mask.flatMap((mask, row) =>
    mask.flatMap((counts, t) => counts ? [{ row, t, loss: -Math.exp(logprobs[row]![t]!) * advantages[row]! }] : [])
  );
}
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;
const near = (value: unknown, want: number, what = "loss", tolerance = 2e-5) =>
  assert(Math.abs(Number(value) - want) <= tolerance * (1 + Math.abs(want)), `${what}: ${value}, want ${want}`);
const withPolicy = (body: (run: TrainingRun) => Promise<void>) => withTinyPolicy(body, ONE_LAYER);

Deno.test("apply_update takes the entropy bonus of the tokens of highest entropy alone, where only those are learned from", () =>
  withPolicy(async (run) => {
    await run.run("fine_tune", { max_updates: 10, batch_size: 8, learning_rate: 1e-2 }); // entropies that differ
    // All first tokens have the same distribution: one of them counts.
    const given = { ...GIVEN, completion_mask: [[1, 1, 1, 1], [0, 1, 1, 0], [0, 1, 1, 1]] };
    const trial = async (options: Record<string, unknown>) => {
      const { update, sequences } = await updateOn(run, given, options);
      const { statistics } = await run.policy.model.logprobs(sequences, { temperature: 1, statistics: ["entropy"] });
      const entropy = statistics.get("entropy")!;
      return { update, tokens: tokensOf(given).map((token) => ({ ...token, nats: entropy[token.row]![token.t]! })) };
    };
    const { update, tokens } = await trial({ ...WIDE, entropy_coef: 0.5, top_entropy_fraction: 0.4 });
    // Of 9 tokens 0.4 reach down to between the fourth and the fifth: 4 are above it.
    const top = tokens.toSorted((a, b) => b.nats - a.nats).slice(0, 4), bonus = mean(top.map(({ nats }) => nats));
    const learned = sum(top.map(({ loss }) => loss)) / tokens.length;
    near(update["policy_loss"], learned, "policy loss");
    near(update["loss"], learned - 0.5 * bonus);
    assert(Math.abs(bonus - mean(tokens.map(({ nats }) => nats))) > 0.01, "the bonus of all tokens is another");
    const all = await trial({ ...WIDE, entropy_coef: 0.5 });
    near(all.update["loss"], mean(all.tokens.map(({ loss }) => loss)) - 0.5 * mean(all.tokens.map(({ nats }) => nats)));
  }));

Deno.test("apply_update judges what is off-policy by the sampler's log-probs where it weighs by them, else by the old ones", () =>
  withPolicy(async (run) => {
    // Completion 1 has left the sampler and not the old policy, completion 2 the old policy and not the sampler.
    const given: GivenLogprobs = {
      logprobs: [[0.1, -0.1, 0, 0], [0, 0, 0, 0], [-0.6, -0.6, 0, 0]],
      old_logprobs: ZERO,
      sampling_logprobs: [[0, 0, 0, 0], [0.6, 0.6, 0, 0], [-0.6, -0.6, 0, 0]],
      completion_mask: [[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]],
      advantages: [1, -0.8, -0.5],
    };
    const tokens = tokensOf(given), mask = { ...WIDE, off_policy_threshold: 0.3 };
    const old = await updateOn(run, given, mask);
    near(old.update["loss"], sum(tokens.map(({ row, loss }) => row === 2 ? 0 : loss)) / tokens.length, "by the old");
    const weights = { sampler_weights: "token", sampler_bounds: [null, null] };
    const sampler = await updateOn(run, given, { ...mask, ...weights });
    const weight = (row: number, t: number) => Math.exp(-given.sampling_logprobs![row]![t]!);
    const kept = tokens.map(({ row, t, loss }) => row === 1 ? 0 : weight(row, t) * loss);
    near(sampler.update["loss"], sum(kept) / tokens.length, "by the sampler");
  }));

Deno.test("apply_update weighs a completion whose first token does not count by its tokens that count", () =>
  withPolicy(async (run) => {
    const given: GivenLogprobs = {
      ...GIVEN,
      sampling_logprobs: [[0.9, -0.2, 0.1, 0.05], [0.3, 0.1, 0, 0], [-0.7, 0.8, 0.1, 0]],
      completion_mask: [[0, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 0]],
    };
    const { update, metrics } = await updateOn(run, given, {
      ...WIDE,
      sampler_weights: "sequence",
      sampler_bounds: [null, null],
    });
    const tokens = tokensOf(given);
    const weights = given.completion_mask.map((mask, row) =>
      Math.exp(-sum(mask.map((counts, t) => counts * given.sampling_logprobs![row]![t]!)))
    );
    near(update["loss"], sum(tokens.map(({ row, loss }) => weights[row]! * loss)) / tokens.length);
    near(metrics["sampler_ratio_mean"], mean(tokens.map(({ row }) => weights[row]!)), "mean weight");
  }));

Deno.test("apply_update by clip_cov draws other tokens with each update, train step and seed, and the same again", () =>
  withPolicy(async (run) => {
    // Every token may be drawn, 3 of 9 are: the loss says which.
    const clipCov = {
      loss: "clip_cov",
      cov_fraction: 0.34,
      cov_low: -100,
      cov_high: 100,
      clip_low: 0.99,
      clip_high: 10,
    };
    const worth = tokensOf(GIVEN).map(({ loss }) => loss), losses = new Map<string, string>();
    const further = { ...clipCov, learning_rate: 0, gradients_every: 0, updates_per_rollout: 3 };
    const drawn = async (seed: number) => {
      run.seed = seed;
      await run.run("apply_update", further, { position: 1 });
      return run.column<number>("updates", "loss").slice(-2);
    };
    for (const step of ["one", "the next"]) {
      await updateOn(run, GIVEN, clipCov);
      for (const seed of [1, 2]) {
        const updates = await drawn(seed);
        for (const [i, loss] of updates.entries()) {
          const taken = triples(worth).find((three) => Math.abs((sum(worth) - sum(three)) / 9 - loss) < 1e-5);
          assert(taken, `${loss} is that of no three tokens`);
          losses.set(`train step ${step}, seed ${seed}, update ${i}`, loss.toFixed(5));
        }
        assert.deepEqual(await drawn(seed), updates);
      }
    }
    assert.equal(new Set(losses.values()).size, 8, JSON.stringify([...losses]));
  }));

const triples = (values: readonly number[]) =>
  values.flatMap((a, i) => values.slice(i + 1).flatMap((b, j) => values.slice(i + j + 2).map((c) => [a, b, c])));

Deno.test("apply_update takes the tokens of highest entropy at the temperature that they were sampled at", () =>
  withPolicy(async (run) => {
    await run.rollout({ temperature: 0.5, prompts_per_step: 1 });
    const { model } = run.policy, logprobs = model.logprobs, asked: unknown[] = [];
    model.logprobs = (sequences, options) => {
      asked.push(options?.temperature);
      return logprobs.call(model, sequences, options);
    };
    await run.run("apply_update", { learning_rate: 0, top_entropy_fraction: 0.5 });
    assert.deepEqual(asked, [1, 0.5], "the metric's pass, then that of the update");
  }));
