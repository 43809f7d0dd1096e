import assert from "node:assert/strict";
import { type ModelConfig, modelConfig } from "../../../gpu/models/config.ts";
import { inverseFrequencies, ropeTables } from "../../../gpu/models/rope.ts";
import { readJson } from "../safetensors.ts";

Deno.test("ropeTables() are cos and sin of position times theta^(-2i/d)", () => {
  const rope = { theta: 100, scaling: null };
  const config: ModelConfig = { ...modelConfig(readJson("models/qwen2/config.json")), headDim: 4, rope };
  const { cos, sin } = ropeTables(config, 3);
  assert.deepEqual([...inverseFrequencies(rope, 4)], [1, Math.fround(0.1)]);
  assert.deepEqual([...cos], [0, 0, 1, 0.1, 2, 0.2].map((angle) => Math.fround(Math.cos(Math.fround(angle)))));
  assert.deepEqual([...sin], [0, 0, 1, 0.1, 2, 0.2].map((angle) => Math.fround(Math.sin(Math.fround(angle)))));
});

Deno.test("inverseFrequencies() stretch long wavelengths of llama3 and leave short ones", () => {
  const { rope } = modelConfig(readJson("models/llama/config.json"));
  const plain = inverseFrequencies({ ...rope, scaling: null }, 16);
  const stretched = inverseFrequencies(rope, 16);
  assert.equal(stretched[0], plain[0]); // wavelength 6.3 < 64 / 4
  assert.equal(stretched[7], plain[7]! / 4); // wavelength 1446 > 64
  // wavelength 29.7: smooth = (64 / 29.7 - 1) / 3
  const smooth = (64 * plain[2]! / (2 * Math.PI) - 1) / 3;
  assert(smooth > 0 && smooth < 1);
  assert(Math.abs(stretched[2]! - plain[2]! * (smooth + (1 - smooth) / 4)) < 1e-8);
});
