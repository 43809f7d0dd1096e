import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { encodingBytes } from "../../../gpu/models/vision/encoder_graph.ts";
import { STEPS } from "../../../steps/mod.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { costsOf } from "../../../workflows/preflight/costs.ts";
import { type Facts, factsOf } from "../../../workflows/preflight/facts.ts";
import { imageBytes, imageFacts } from "../../../workflows/preflight/image_facts.ts";
import { fixedBytes, modelMemory } from "../../../workflows/preflight/model_memory.ts";
import { SCENES, withVisual } from "../../steps/contexts/visual_run.ts";

const MODEL = fromFileUrl(new URL("../../models/qwen2_vl", import.meta.url));

function factsWith(load: Record<string, unknown> = {}, prompts: Record<string, unknown> = SCENES): Promise<Facts> {
  const text = `name: small
steps:
  - { uses: load_prompts, with: ${JSON.stringify(prompts)} }
  - { uses: load_model, with: ${JSON.stringify({ model: MODEL, ...load })} }
  - { uses: fine_tune, with: { max_updates: 1, batch_size: 1 } }
  - { uses: sample_groups, with: { prompts_per_step: 2, group_size: 2, max_new_tokens: 4 } }
  - { uses: score_rewards, with: { rewards: [{ uses: visual/iou }] } }
  - { uses: compute_advantages, with: { estimator: grpo } }
  - { uses: apply_update, with: { learning_rate: 0.001 } }
`;
  return factsOf(planWorkflow(parseWorkflow(text, "small.yaml", { folder: "/data", kinds: STEPS }), STEPS), null);
}

Deno.test("imageFacts() says what prompts show, and how far images are computed where something trains", async () => {
  const load = async (given: Record<string, unknown>) => imageFacts(await factsWith(given))!.load;
  assert.deepEqual(await load({}), { each: 1, patches: 16, stage: "patches" });
  assert.deepEqual(await load({ trainable: ["model.*"] }), { each: 1, patches: 16, stage: "features" });
  assert.deepEqual((await load({ trainable: ["model.*", "visual.merger.*"] })).stage, "states");
  assert.equal((await load({ lora: { rank: 2, target_modules: ["q_proj"] } })).stage, "features");
  assert.equal((await load({ lora: { rank: 2, target_modules: "all-linear" } })).stage, "patches");
  assert.equal((await load({ min_pixels: 4 * 56 * 56, max_pixels: 4 * 56 * 56 })).patches, 64);
});

Deno.test("imageFacts() is null of prompts without images and of a model of words alone", async () => {
  const words = { task: "addition", digits: 1 };
  const plain = await factsWith({}, words);
  assert.equal(imageFacts(plain), null);
  assert.equal(imageBytes(plain, null), 0);
  assert.equal(imageFacts(await factsWith({ model: "tiny_qwen2" }, words)), null);
});

Deno.test("costsOf() counts the tokens of images as the policy does, and what passes compute of them", async () => {
  const facts = await factsWith();
  const [, counted] = /\[1, (\d+)\] tokens/.exec(costsOf(facts)[0]!.cost.shape!.text)!;
  await withVisual((run) => {
    const rows = run.tables.table("prompts").objects() as Record<string, string>[];
    const most = (lengths: readonly number[]) => Math.max(...lengths);
    const prompt = most(rows.map(({ prompt }) => run.policy.encodePrompt(prompt!, 0).length));
    assert.equal(Number(counted), prompt + most(rows.map(({ answer }) => run.policy.encodeAnswer(answer!).length)));
    return Promise.resolve();
  });
  const update = (facts: Facts) => costsOf(facts).find(({ step }) => step.uses === "apply_update")!.cost.peak.bytes;
  const [whole, merger, text] = [
    update(facts),
    update(await factsWith({ trainable: ["model.*", "visual.merger.*"] })),
    update(await factsWith({ trainable: ["model.*"] })),
  ];
  assert(whole > merger && merger > text, `${whole} ${merger} ${text}`);
});

Deno.test("modelMemory() counts what is kept of images, within its bounds, and the largest image in the tower", async () => {
  const facts = await factsWith(), config = facts.model!.config!, { embedDim } = config.vision!;
  const images = new Set(facts.prompts!.rows.map(({ prompt }) => prompt.match(/[0-9a-f]{32}-56x56/)![0])).size;
  const kept = 4 * images * (16 * 1176 + 16 * embedDim + 4 * config.hiddenSize);
  assert.equal(modelMemory(facts)!.images, kept + encodingBytes(config, 16));
  const budget = 32 * 4 * 16 * embedDim;
  const [patches, states, features] = [
    budget / 32,
    budget / 32,
    Math.min(4 * images * 4 * config.hiddenSize, budget / 32),
  ];
  assert.equal(imageBytes(facts, budget), patches + states + features + encodingBytes(config, 16));
  // A reference keeps states and features once more.
  const copied = imageBytes(await factsWith({ reference: "copy" }), null) - imageBytes(facts, null);
  assert.equal(copied, 4 * images * (16 * embedDim + 4 * config.hiddenSize));
  const parts = modelMemory(facts)!;
  assert.equal(fixedBytes(parts) - fixedBytes({ ...parts, images: 0 }), parts.images);
});
