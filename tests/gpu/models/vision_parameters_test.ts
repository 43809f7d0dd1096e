import assert from "node:assert/strict";
import { initialRange, storedShape } from "../../../gpu/weights/layout.ts";
import { adapterNames } from "../../../gpu/weights/adapter.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { isVision, partOf, visionRows } from "../../../gpu/models/vision_parameters.ts";
import { readModel } from "../safetensors.ts";
import { plainConfig, TOWERS } from "./plain_config.ts";
import { goldenConfig, VISION_CASES, type VisionCase } from "./vision/vision_golden.ts";

for (const name of Object.keys(VISION_CASES) as VisionCase[]) {
  Deno.test(`visionRows() of ${name} are the tensors of its file, patches as a matrix`, () => {
    const { vision, hiddenSize } = goldenConfig(name), rows = visionRows(vision!, hiddenSize);
    const ours = rows.flatMap(([, ...parts]) => parts.map(([name, shape, stored = shape]) => `${name} [${stored}]`));
    const theirs = [...readModel(VISION_CASES[name].model)].filter(([name]) => name.startsWith("visual."));
    assert.deepEqual(ours.sort(), theirs.map(([name, { shape }]) => `${name} [${shape}]`).sort());
    const [, embed] = rows.find(([packed]) => packed === "vision.patch_embed")!;
    assert.deepEqual(embed![1], [vision!.embedDim, 3 * 2 * 14 * 14]);
    assert(rows.every(([packed]) => isVision(packed)));
  });
}

Deno.test("partOf() tells tower, merger and text apart, also of adapters", () => {
  const names = ["visual.blocks.0.attn.qkv.weight", "visual.merger.mlp.0.bias", "model.norm.weight", "lm_head.weight"];
  assert.deepEqual(names.map(partOf), ["tower", "merger", "text", "text"]);
  const adapters = names.slice(0, 3).map((name) => partOf(adapterNames(name).a));
  assert.deepEqual(adapters, ["tower", "merger", "text"]);
  assert(!isVision("0.qkv") && !isVision("embed"));
});

Deno.test("a tower's matrices begin as wide as its own initializer_range says", () => {
  const vision_config = { ...TOWERS.qwen2_vl, initializer_range: 0.5 };
  const layout = parameterLayout(modelConfig({ ...plainConfig("qwen2_vl"), vision_config, initializer_range: 0.1 }));
  assert.equal(initialRange(layout, "visual.blocks.0.attn.qkv.weight"), 0.5);
  assert.equal(initialRange(layout, "visual.patch_embed.proj.weight"), 0.5);
  assert.equal(initialRange(layout, "model.embed_tokens.weight"), 0.1);
});

Deno.test("storedShape() is that of the file", () => {
  const { parameters } = parameterLayout(goldenConfig("qwen2_vl"));
  const patches = parameters.find(({ name }) => name === "visual.patch_embed.proj.weight")!;
  assert.deepEqual([patches.shape, storedShape(patches)], [[32, 1176], [32, 3, 2, 14, 14]]);
});
