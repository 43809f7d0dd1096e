/** The estimate against measured peaks of resident memory, and what it depends on. */
import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";
import { estimate } from "../../../workflows/preflight/estimate.ts";
import { decodingBytes, rowsBytes, trainedBytes, trainingBytes } from "../../../steps/cost/memory.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";

interface Run {
  readonly model?: string;
  readonly prompts: number;
  readonly tokens?: number;
  readonly perPass?: number;
  readonly rowsAtOnce?: number;
  readonly batch?: number;
  readonly update?: boolean;
}

function workflow({ model = "small_qwen2", prompts, tokens = 4, perPass, rowsAtOnce = 0, batch, update = true }: Run) {
  return `name: measured
seed: 1
steps:
  - { uses: load_prompts, with: { task: addition, digits: 2 } }
  - { uses: load_model, with: { model: ${model} } }
${batch ? `  - { uses: fine_tune, with: { max_updates: 2, batch_size: ${batch} } }\n` : ""}  - repeat: 2
    steps:
      - uses: sample_groups
        with: { prompts_per_step: ${prompts}, group_size: 8, max_new_tokens: ${tokens}, rows_at_once: ${rowsAtOnce} }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { uses: compute_advantages }
${
    update
      ? `      - { uses: apply_update, with: { learning_rate: 1.0e-4${
        perPass ? `, prompts_per_pass: ${perPass}` : ""
      } } }\n`
      : ""
  }`;
}

/** Largest resident set of `deno task run` on each, in MB (ru_maxrss of the process; Linux, two cores, ffi). */
const MEASURED: readonly (readonly [Run, number])[] = [
  [{ model: "tiny_qwen2", prompts: 8 }, 272],
  [{ prompts: 64 }, 402],
  [{ prompts: 256 }, 775],
  [{ prompts: 1024 }, 2307],
  [{ prompts: 1024, perPass: 16 }, 675],
  [{ prompts: 1024, perPass: 16, rowsAtOnce: 512 }, 394],
  [{ prompts: 256, tokens: 32 }, 4422],
  [{ prompts: 256, update: false }, 305],
  [{ prompts: 1024, update: false }, 600],
  [{ model: "tiny_qwen2", prompts: 4096, update: false }, 883],
  [{ prompts: 8, batch: 512 }, 493],
  [{ prompts: 8, batch: 2048 }, 1257],
];

for (const [run, peak] of MEASURED) {
  Deno.test(`the estimate of memory is near the measured peak of ${JSON.stringify(run)}`, async () => {
    const plan = planWorkflow(parseWorkflow(workflow(run), "measured.yaml", { kinds: STEPS }), STEPS);
    const ratio = (await estimate(plan)).memoryBytes / 1e6 / peak;
    assert(ratio > 0.85 && ratio < 1.2, `${ratio.toFixed(2)} of ${peak} MB`);
  });
}

/** The same of two updates on preferences: the loss, its batch, MB. */
const PREFERENCES = [["kto", 512, 580], ["kto", 2048, 1321], ["dpo", 256, 498], ["dpo", 1024, 1035]] as const;

for (const [loss, batch, peak] of PREFERENCES) {
  Deno.test(`the estimate of memory is near the measured peak of ${loss} on batches of ${batch}`, async () => {
    const form = loss === "kto" ? "unpaired" : "pairs";
    const text = `name: measured
seed: 1
steps:
  - { uses: load_prompts, with: { task: addition, digits: 2 } }
  - { uses: load_preferences, with: { task: addition, digits: 2, form: ${form} } }
  - { uses: load_model, with: { model: small_qwen2, reference: copy } }
  - { uses: train_preferences, with: { loss: ${loss}, max_updates: 2, batch_size: ${batch}, learning_rate: 1.0e-4 } }
`;
    const plan = planWorkflow(parseWorkflow(text, "measured.yaml", { kinds: STEPS }), STEPS);
    const ratio = (await estimate(plan)).memoryBytes / 1e6 / peak;
    assert(ratio > 0.88 && ratio < 1.15, `${ratio.toFixed(3)} of ${peak} MB`);
  });
}

const CONFIG = modelConfig({ ...MODEL_PRESETS.small_qwen2, vocab_size: 258 });
const LOAD = { prompts: 4, group: 8, promptTokens: 8, completionTokens: 8 };

Deno.test("trainingBytes() and decodingBytes() grow with prompts; a group's prompt is computed once", () => {
  const decoded = decodingBytes(CONFIG, { ...LOAD, prompts: 8 }) / decodingBytes(CONFIG, LOAD);
  assert(Math.abs(decoded - 2) < 0.05, `${decoded}`);
  const twice = trainingBytes(CONFIG, { ...LOAD, prompts: 8 }) / trainingBytes(CONFIG, LOAD);
  assert(Math.abs(twice - 2) < 0.1, `${twice}`);
  // Beyond what is made to be measured, in a straight line.
  const [many, more] = [1 << 16, 1 << 17].map((prompts) => trainingBytes(CONFIG, { ...LOAD, prompts }) / prompts);
  assert(Math.abs(more! / many! - 1) < 0.01, `${many} and ${more}`);
  assert(trainingBytes(CONFIG, { ...LOAD, group: 16 }) < 2 * trainingBytes(CONFIG, LOAD));
  const grouped = decodingBytes(CONFIG, { ...LOAD, group: 16 }) / decodingBytes(CONFIG, LOAD);
  assert(grouped > 1.7 && grouped <= 2, `${grouped}`);
});

Deno.test("decodingBytes() counts heads as wide as the cache keeps them", () => {
  const of = (headDim: number) => decodingBytes({ ...CONFIG, headDim }, { ...LOAD, completionTokens: 200 });
  assert(of(24) > 0.95 * of(32) && of(24) > 1.3 * of(16), `${of(16)}, ${of(24)}, ${of(32)}`);
});

Deno.test("trainedBytes() counts weights, gradient and two moments; rowsBytes() grows with rows and tokens", () => {
  assert.equal(trainedBytes(10), 160);
  assert(rowsBytes(10, 100) > rowsBytes(10, 10) && rowsBytes(20, 10) === 2 * rowsBytes(10, 10));
});

Deno.test("trainingBytes() holds four numbers of every word per completion token", () => {
  const shape = { prompts: 2, group: 4, promptTokens: 8, completionTokens: 16 }, tokens = 2 * 4 * 16;
  const of = (vocabSize: number) => trainingBytes({ ...CONFIG, vocabSize }, shape);
  const perWord = (of(8000) - of(4000)) / 4000 / 4 / tokens;
  assert(perWord > 3 && perWord < 5.5, `${perWord}`);
});

Deno.test("trainingBytes() of layers that are computed again is far less; of an adapter it is what its graph holds", () => {
  const config = modelConfig({ ...MODEL_PRESETS.small_qwen2, vocab_size: 258, num_hidden_layers: 12 });
  const shape = { prompts: 8, group: 8, promptTokens: 16, completionTokens: 16 };
  assert(trainingBytes(config, shape, { recompute: true }) < 0.4 * trainingBytes(config, shape));
});

Deno.test("a row holds four numbers per token; moments of a byte each are a quarter", () => {
  assert.equal(rowsBytes(10, 50) - rowsBytes(10, 0), 10 * 50 * 4 * 4);
  assert.equal(trainedBytes(1000, "int8"), 8 * 1000 + (2 + 8 / 256) * 1000);
});
