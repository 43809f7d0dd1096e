/** config.json and generation_config.json. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { readGenerationConfig, readModelConfig } from "../../../data/hub/config.ts";

Deno.test("readModelConfig() and readGenerationConfig() give plain objects", () => {
  assert.equal(readModelConfig("tests/models/qwen2").hidden_size, 64);
  assert.equal(readGenerationConfig("tests/models/qwen2")!.top_p, 0.8);
});

Deno.test("a missing or broken config is named", () => {
  const folder = Deno.makeTempDirSync();
  assert.equal(readGenerationConfig(folder), null);
  assert.throws(() => readModelConfig(folder), /it has no config\.json/);
  Deno.writeTextFileSync(join(folder, "config.json"), '{"a":1,"a":2}');
  assert.throws(() => readModelConfig(folder), /config\.json: key "a" stands twice/);
  Deno.removeSync(folder, { recursive: true });
});
