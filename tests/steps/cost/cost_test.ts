/** The costs that steps declare, by hand. */
import assert from "node:assert/strict";
import { type Cost, type CostFacts, FLOPS, trainingFlops } from "../../../steps/cost/cost.ts";
import { decodingBytes, rowsBytes, trainingBytes } from "../../../steps/cost/memory.ts";
import { STEPS } from "../../../steps/mod.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";

const config = modelConfig({ ...MODEL_PRESETS.small_qwen2, vocab_size: 258 });
const SAMPLED = STEPS.sample_groups.params.parse({ prompts_per_step: 6, group_size: 4, max_new_tokens: 8 });
const FACTS: CostFacts = {
  config,
  parameters: 1000,
  promptTokens: 5,
  answerTokens: 3,
  preferences: null,
  keptSteps: 2,
  earlier: (uses) => uses === "sample_groups" ? SAMPLED : null,
};

/** What stays of a cost once its texts are left out. */
const numbers = ({ flops, trainSteps, peak: { key, bytes } }: Cost) => ({ flops, trainSteps, key, bytes });

Deno.test("sampling costs two FLOPs for each parameter and token, and holds its rows", () => {
  assert.equal(FLOPS.sampled, 2);
  const load = { prompts: 6, group: 4, promptTokens: 5, completionTokens: 8 };
  const whole = STEPS.sample_groups.cost!(SAMPLED, FACTS)!;
  assert.deepEqual(numbers(whole), {
    flops: 2 * 1000 * 24 * 8,
    trainSteps: 1,
    key: "prompts_per_step",
    bytes: decodingBytes(config, load),
  });
  assert.equal(whole.held, rowsBytes(48, 8));
  assert.deepEqual(whole.shape, { name: "rollout", text: "[24, 8] completion tokens per train step" });
  const few = STEPS.sample_groups.cost!({ ...SAMPLED, rows_at_once: 8 }, FACTS)!;
  assert.equal(few.peak.bytes, decodingBytes(config, { ...load, prompts: 2 }));
});

Deno.test("sampling with top_p holds scores beside the probabilities, also where the model's folder asks for it", () => {
  const peak = (more: object, facts = {}) =>
    STEPS.sample_groups.cost!({ ...SAMPLED, ...more }, { ...FACTS, ...facts })!.peak.bytes;
  const scores = 4 * (6 + 24) * config.vocabSize, plain = peak({});
  assert(peak({ top_p: 0.9 }) - plain >= scores);
  const generation = { top_p: 0.9 };
  assert.equal(peak({}, { generation }), plain, "not followed");
  assert.equal(peak({ inherit_sampling: true }, { generation }), peak({ top_p: 0.9 }));
});

Deno.test("an update costs six FLOPs for each parameter and token that was sampled before it", () => {
  assert.equal(FLOPS.trained, 6);
  const { params, cost } = STEPS.apply_update;
  const load = { prompts: 3, group: 4, promptTokens: 5, completionTokens: 8 };
  const given = params.parse({ learning_rate: 1e-4, minibatches: 2, updates_per_rollout: 2 });
  assert.deepEqual(numbers(cost!(given, FACTS)!), {
    flops: 6 * 1000 * 24 * 8,
    trainSteps: 0,
    key: "prompts_per_pass",
    bytes: trainingBytes(config, load),
  });
  const passes = cost!({ ...given, prompts_per_pass: 1 }, FACTS)!;
  assert.equal(passes.peak.bytes, trainingBytes(config, { ...load, prompts: 1 }));
  assert.equal(cost!(given, { ...FACTS, earlier: () => null }), null);
});

Deno.test("a warm start costs its updates at most", () => {
  const { params, cost } = STEPS.fine_tune;
  assert.deepEqual(numbers(cost!(params.parse({ max_updates: 7, batch_size: 16 }), FACTS)!), {
    flops: 6 * 1000 * 7 * 16 * (5 + 3),
    trainSteps: 7,
    key: "batch_size",
    bytes: trainingBytes(config, { prompts: 16, group: 1, promptTokens: 5, completionTokens: 3 }),
  });
});

Deno.test("training on a token costs 6 operations per parameter, of an adapter's base 4, and 2 more to compute it again", () => {
  const adapter = { layout: { count: 10 } } as unknown as NonNullable<Parameters<typeof trainingFlops>[0]["adapter"]>;
  assert.equal(trainingFlops({ parameters: 1000 }, {}), FLOPS.trained * 1000);
  assert.equal(trainingFlops({ parameters: 1000 }, { recompute: true }), 8 * 1000);
  assert.equal(trainingFlops({ parameters: 1000, adapter }, {}), 4 * 1000 + 6 * 10);
  assert.equal(trainingFlops({ parameters: 1000, adapter }, { recompute: true }), 6 * 1000 + 8 * 10);
});
