/** The cost of steps that train on rows of a table, by hand. */
import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import type { CostFacts } from "../../../steps/cost/cost.ts";
import { trainedBytes, trainingBytes } from "../../../steps/cost/memory.ts";
import { supervisedCost } from "../../../steps/cost/supervised_cost.ts";
import { STEPS } from "../../../steps/mod.ts";
import { PROMPTS_PER_PASS } from "../../../steps/resources/policy.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";

const config = modelConfig({ ...MODEL_PRESETS.tiny_qwen2, vocab_size: 258, max_position_embeddings: 64 });
const FACTS: CostFacts = {
  config,
  parameters: 1000,
  promptTokens: 10,
  answerTokens: 20,
  preferences: { promptTokens: 12, answerTokens: 31 },
  keptSteps: 1,
  earlier: () => null,
};
const tune = (given: object) =>
  STEPS.fine_tune.cost!(STEPS.fine_tune.params.parse({ max_updates: 3, batch_size: 4, ...given }), FACTS)!;
const UPDATES = 6 * 1000 * 3;

/** Rows that fine_tune computes at once, and the FLOPs of its three updates on four of them. */
const TUNED = [
  [{}, { prompts: 4, promptTokens: 10, completionTokens: 20 }, UPDATES * 4 * 30],
  [{ prompts_per_pass: 3 }, { prompts: 3, promptTokens: 10, completionTokens: 20 }, UPDATES * 4 * 30],
  [{ prompts_per_pass: 9 }, { prompts: 4, promptTokens: 10, completionTokens: 20 }, UPDATES * 4 * 30],
  [{ max_length: 16 }, { prompts: 4, promptTokens: 10, completionTokens: 6 }, UPDATES * 4 * 16],
  [{ max_length: 5 }, { prompts: 4, promptTokens: 10, completionTokens: 1 }, UPDATES * 4 * 11],
  [{ packing: 48 }, { prompts: 4, promptTokens: 1, completionTokens: 47 }, UPDATES * 4 * 48],
  [{ packing: 48, max_length: 16 }, { prompts: 4, promptTokens: 1, completionTokens: 47 }, UPDATES * 4 * 48],
  [{ loss_on: "all" }, { prompts: 4, promptTokens: 1, completionTokens: 29 }, UPDATES * 4 * 30],
  [{ table: "preferences" }, { prompts: 4, promptTokens: 12, completionTokens: 31 }, UPDATES * 4 * 43],
] as const;

for (const [given, shape, flops] of TUNED) {
  Deno.test(`supervisedCost() counts rows of fine_tune as its graph reads them, with ${JSON.stringify(given)}`, () => {
    const cost = tune(given);
    assert.deepEqual([cost.flops, cost.trainSteps], [flops, 3]);
    assert.equal(cost.peak.bytes, trainingBytes(config, { group: 1, ...shape }));
  });
}

Deno.test("supervisedCost() says what a pass holds, and the option that bounds it", () => {
  const whole = tune({}), cut = tune({ prompts_per_pass: 3 });
  assert.equal(whole.shape!.text, "[4, 30] tokens per update at most");
  assert.deepEqual([whole.peak.key, cut.peak.key], ["batch_size", "prompts_per_pass"]);
  assert.equal(whole.peak.remedy, "lower batch_size, or set prompts_per_pass");
  assert.equal(cut.peak.what, "fine_tune on 3 rows of up to 30 tokens at once");
  assert.equal(cut.peak.remedy, "lower prompts_per_pass");
});

Deno.test("supervisedCost() of preferences: both completions of a pair, each gradient of an update, what is read before", () => {
  const { params, cost } = STEPS.train_preferences;
  const read = (shape: { prompts: number; promptTokens: number; completionTokens: number }, ...groups: number[]) =>
    groups.reduce((sum, group) => sum + trainingBytes(config, { ...shape, group }, { reads: "values" }), 0);
  const given = { max_updates: 3, batch_size: 4, gradient_accumulation: 5, learning_rate: 1e-4 };
  const row = { prompts: 4, promptTokens: 12, completionTokens: 31 };
  const pairs = cost!(params.parse({ loss: "dpo", ...given }), FACTS)!;
  assert.deepEqual([pairs.flops, pairs.peak.bytes], [
    UPDATES * 20 * (12 + 2 * 31),
    trainingBytes(config, { ...row, group: 2 }) + read(row, 2),
  ]);
  const labelled = cost!(params.parse({ loss: "kto", max_length: 20, ...given }), { ...FACTS, preferences: null })!;
  const short = { prompts: 4, promptTokens: 10, completionTokens: 10 };
  assert.deepEqual([labelled.flops, labelled.peak.bytes], [
    UPDATES * 20 * (10 + 10),
    // Of the reference, kept for all rows, and of the policy the mismatched ones.
    trainingBytes(config, { ...short, group: 1 }) + read(short, 1, 1),
  ]);
  const bytes = (more: object) => cost!(params.parse({ ...given, ...more }), FACTS)!.peak.bytes;
  const trained = trainingBytes(config, { ...row, group: 1 });
  assert.equal(bytes({ loss: "kto", precompute_reference: false }), trained + read(row, 2, 1), "both at once");
  assert.equal(bytes({ loss: "kto_vanilla" }), trained + read(row, 1));
  assert.equal(bytes({ loss: "dpo", reference_free: true }), trainingBytes(config, { ...row, group: 2 }));
  const many = { ...row, prompts: 64 };
  const whole = trainingBytes(config, { ...many, group: 2 }) + read({ ...row, prompts: PROMPTS_PER_PASS }, 2);
  assert.equal(bytes({ loss: "dpo", batch_size: 64 }), whole, "no more are read at once");
});

Deno.test("supervisedCost() of a reward model: no logits, weights of its own, and the place where it reads the score", () => {
  const { params, cost } = STEPS.train_reward_model,
    parse = (given: object) => params.parse({ max_updates: 3, ...given });
  const bytes = (completionTokens: number) =>
    trainingBytes({ ...config, vocabSize: 0 }, { prompts: 4, group: 2, promptTokens: 12, completionTokens });
  const whole = cost!(parse({ batch_size: 4 }), FACTS)!;
  assert.deepEqual([whole.flops, whole.peak.bytes], [UPDATES * 4 * (12 + 2 * 32), bytes(32)]);
  assert.equal(whole.held, trainedBytes(1000));
  assert.equal(cost!(parse({ batch_size: 9, prompts_per_pass: 4, max_length: 20 }), FACTS)!.peak.bytes, bytes(9));
  const long = { ...FACTS, preferences: { promptTokens: 12, answerTokens: 500 } };
  assert.equal(cost!(parse({ batch_size: 4 }), long)!.peak.bytes, bytes(64 - 12), "the model has 64 places");
});

Deno.test("supervisedCost() takes a step's own configuration for what a pass holds", () => {
  const own = { ...config, layers: 1 }, longest = { promptTokens: 2, answerTokens: 3 };
  const kind = { name: "x", rows: "rows", group: 1, longest, config: own, held: 7 };
  const { peak, held } = supervisedCost({ max_updates: 1, batch_size: 2 }, FACTS, kind);
  assert.equal(held, 7);
  assert.equal(peak.bytes, trainingBytes(own, { prompts: 2, group: 1, promptTokens: 2, completionTokens: 3 }));
});

Deno.test("supervisedCost() within a budget takes as many rows at once as it leaves, unless the step says how many", () => {
  const { params, cost } = STEPS.fine_tune, given = params.parse({ max_updates: 1, batch_size: 12 });
  const whole = cost!(given, FACTS)!.peak, free = 0.4 * whole.bytes;
  const { bytes, chosen } = cost!(given, { ...FACTS, free })!.peak;
  assert(bytes <= free && chosen!.value < 12 && chosen!.value > 1, `${bytes} of ${free} by ${chosen!.value}`);
  assert.equal(chosen!.option, "prompts_per_pass");
  const least = cost!(given, { ...FACTS, free: 1 })!.peak;
  assert.equal(least.chosen!.value, 1);
  assert.equal(cost!({ ...given, prompts_per_pass: 11 }, { ...FACTS, free: 1 })!.peak.chosen, undefined);
});
