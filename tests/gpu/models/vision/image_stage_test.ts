import assert from "node:assert/strict";
import { stageOf } from "../../../../gpu/models/vision/image_stage.ts";

Deno.test("stageOf() is the first part of which something trains, whatever the order of names", () => {
  const tower = "visual.blocks.1.attn.proj.weight", merger = "visual.merger.mlp.0.weight", text = "model.norm.weight";
  assert.equal(stageOf([text, merger, tower]), "patches");
  assert.equal(stageOf([tower]), "patches");
  assert.equal(stageOf(new Set([merger, text])), "states");
  assert.equal(stageOf([text]), "features");
  assert.equal(stageOf([]), "features");
});
