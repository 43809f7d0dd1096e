import assert from "node:assert/strict";
import { gradientNorms, norm, unmasked, unmaskedRows, withModel } from "../../../workflows/goldens/open_model.ts";

Deno.test("withModel() opens a folder's model and gives what the body gives", async () => {
  const names = await withModel("tests/models/qwen2", (model) => Promise.resolve(Object.keys(gradientNorms(model))));
  assert(names.includes("model.embed_tokens.weight"));
  await assert.rejects(withModel("tests/models/none", () => Promise.resolve(0)), /it has no config\.json/);
});

Deno.test("unmasked() and unmaskedRows() leave out what the mask leaves out; norm() is the L2 norm", () => {
  assert.deepEqual(unmasked([[1, 2, 3], [4, 5, 6]], [[1, 0, 1], [0, 0, 0]]), [[1, 3], []]);
  assert.deepEqual(unmaskedRows(Float32Array.of(1, 2, 3, 4), [[1, 1], [0, 1]]), [[1, 2], [4]]);
  assert.equal(norm([3, 4]), 5);
});
