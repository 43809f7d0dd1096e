import assert from "node:assert/strict";
import { type ModelConfig, modelConfig } from "../../../gpu/models/config.ts";
import { requireTower } from "../../../steps/resources/tower_fit.ts";

const json = JSON.parse(Deno.readTextFileSync(new URL("../../models/qwen2_vl/config.json", import.meta.url)));
const policy: ModelConfig = modelConfig(json);
const words = modelConfig(
  JSON.parse(Deno.readTextFileSync(new URL("../../models/qwen2/config.json", import.meta.url))),
);

Deno.test("requireTower() lets a model read a policy's prompts that sees what the policy sees", () => {
  requireTower("", policy, policy);
  requireTower("", { ...policy, vision: { ...policy.vision!, depth: 9, embedDim: 64 } }, policy);
  // A policy of words has no images, whatever the other could read.
  requireTower("", policy, words);
  requireTower("", words, words);
});

Deno.test("requireTower() names what of another tower is not the policy's", () => {
  const refused = (own: Pick<ModelConfig, "vision" | "imageToken">, want: RegExp) =>
    assert.throws(() => requireTower("Cannot use F", own, policy), { name: "RangeError", message: want });
  refused(words, /^Cannot use F: it reads words alone and the policy reads images, want one with a vision tower/);
  refused({ ...policy, vision: { ...policy.vision!, patchSize: 16 } }, /F: patchSize of its tower is 16, want 14 as/);
  refused({ ...policy, vision: { ...policy.vision!, mergeSize: 1 } }, /F: mergeSize of its tower is 1, want 2 as/);
  refused({ ...policy, imageToken: 7 }, /F: images stand at token 7 \(image_token_id\), want \d+ as the policy/);
});
