/** What bounds memory changes no number: each step that trains, with and without it. */
import assert from "node:assert/strict";
import type { LanguageModel } from "../../../gpu/language_model.ts";
import { tableOf } from "../../../data/tables/mod.ts";
import { PASS_PARAMS, passLimits } from "../../../steps/training/pass_options.ts";
import { lists, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

const RATE = { learning_rate: 1e-3 };

/** Steps that train, and the model whose weights they move. */
const TRAINING: Record<string, (run: TrainingRun, given: Record<string, unknown>) => Promise<LanguageModel>> = {
  async apply_update(run, given) {
    await run.rollout();
    const entropy = { entropy_coef: 0.01, kl_coef: 0.1 };
    await run.run("apply_update", { ...RATE, ...entropy, updates_per_rollout: 2, minibatches: 2, ...given });
    return run.policy.model;
  },
  async fine_tune(run, given) {
    await run.run("fine_tune", { ...RATE, max_updates: 3, batch_size: 8, ...given });
    return run.policy.model;
  },
  async train_preferences(run, given) {
    await run.run("load_preferences", { task: "addition", digits: 1 });
    await run.run("train_preferences", { ...RATE, loss: "dpo", max_updates: 2, batch_size: 4, ...given });
    return run.policy.model;
  },
  async train_reward_model(run, given) {
    await run.run("load_preferences", { task: "addition", digits: 1 });
    await run.run("train_reward_model", { ...RATE, max_updates: 2, batch_size: 4, ...given });
    return run.resources.reward_model!.model;
  },
  async update_critic(run, given) {
    await run.run("load_critic");
    await run.rollout();
    await run.run("compute_values");
    const table = run.tables.table("completions");
    const returns = lists(table, "token_ids").map((row, i) => row.map(() => i % 2));
    run.tables.write({ completions: table.assign(tableOf("completions", { returns })) }, "test");
    await run.run("update_critic", { ...RATE, ...given });
    return run.resources.critic!.model;
  },
};

/** Weights and logged metrics after a step; `headBytes` bounds the logits of every pass of the policy. */
async function after(step: string, given: Record<string, unknown>, lora: boolean, headBytes?: number) {
  let told: { weights: Float32Array; metrics: Record<string, unknown>[] } | null = null;
  await withTinyPolicy(async (run) => {
    const { model } = run.policy, accumulate = model.accumulateGradient.bind(model), read = model.logprobs.bind(model);
    if (headBytes) {
      model.accumulateGradient = (batch, settings) => accumulate(batch, { ...settings, headBytes });
      model.logprobs = (sequences, options) => read(sequences, { ...options, headBytes });
    }
    const { weights } = await TRAINING[step]!(run, given);
    const metrics = run.tables.history("metrics", 99).objects() as Record<string, unknown>[];
    told = { weights: weights.values.download(new Float32Array(weights.layout.size)), metrics };
  }, {
    reference: lora ? "adapter_off" : "copy",
    ...(lora ? { lora: { rank: 2, target_modules: "all_linear" } } : {}),
  });
  return told!;
}

const TIMES = /_ms$|per_second|time/;

for (const step of Object.keys(TRAINING)) {
  for (const lora of step === "train_reward_model" || step === "update_critic" ? [false] : [false, true]) {
    Deno.test(`${step} ends with the same weights and metrics${lora ? " of an adapter" : ""} when layers are computed again and the head is cut`, async () => {
      const plain = await after(step, {}, lora), bounded = await after(step, { recompute: true }, lora, 3 * 4 * 258);
      // AdamW makes a step of the sign of a gradient that is nearly 0: of 2e-3 at most.
      const apart = bounded.weights.map((w, i) => Math.abs(w - plain.weights[i]!));
      assert(Math.max(...apart) <= 1e-4, `${Math.max(...apart)}`);
      assert(apart.reduce((a, b) => a + b, 0) / apart.length <= 1e-7);
      assert.equal(bounded.metrics.length, plain.metrics.length);
      for (const [i, row] of plain.metrics.entries()) {
        for (const [name, want] of Object.entries(row)) {
          const got = bounded.metrics[i]![name];
          if (TIMES.test(name)) continue;
          if (typeof want !== "number" || !Number.isFinite(want)) assert.deepEqual(got, want, name);
          else assert(Math.abs(Number(got) - want) <= 1e-5 + 1e-3 * Math.abs(want), `${name}: ${got}, want ${want}`);
        }
      }
    });
  }
}

Deno.test("passLimits() says nothing of what is not asked for", () => {
  assert.deepEqual(passLimits({ prompts_per_pass: undefined, recompute: false }), {});
  assert.deepEqual(passLimits({ prompts_per_pass: 3, recompute: true }), { promptsPerPass: 3, recompute: true });
  assert.deepEqual(Object.keys(PASS_PARAMS), ["prompts_per_pass", "recompute"]);
});
