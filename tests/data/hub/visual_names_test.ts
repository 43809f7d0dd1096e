import assert from "node:assert/strict";
import { commonEnd, moduleName, publishedName } from "../../../data/hub/visual_names.ts";

const NAMES = [
  ["model.layers.0.mlp.up_proj.weight", "model.language_model.layers.0.mlp.up_proj.weight"],
  ["model.embed_tokens", "model.language_model.embed_tokens"],
  ["visual.merger.mlp.0.bias", "model.visual.merger.mlp.0.bias"],
  ["lm_head.weight", "lm_head.weight"],
  ["score.weight", "score.weight"],
] as const;

Deno.test("publishedName() and moduleName() lead to each other, and leave what is so already", () => {
  for (const [published, module] of NAMES) {
    assert.equal(publishedName(module), published);
    assert.equal(publishedName(published), published);
    assert.equal(moduleName(published), module);
  }
});

Deno.test("commonEnd() is what both names end in, after a dot", () => {
  for (const names of NAMES) {
    const end = commonEnd(names[0]);
    for (const name of names) assert(name === end || name.endsWith(`.${end}`), `${name} ${end}`);
  }
});
