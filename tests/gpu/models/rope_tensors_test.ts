import assert from "node:assert/strict";
import { modelConfig } from "../../../gpu/models/config.ts";
import { ropeTables } from "../../../gpu/models/rope.ts";
import { RopeTensors } from "../../../gpu/models/rope_tensors.ts";
import { cpuRuntime } from "../golden_model.ts";
import { readJson } from "../safetensors.ts";

Deno.test("RopeTensors keep one table and make a longer one when a longer sequence comes", async () => {
  const runtime = await cpuRuntime(), config = modelConfig(readJson("models/llama/config.json"));
  const rope = new RopeTensors(runtime, config);
  const short = rope.get(10);
  assert.equal(rope.get(256), short);
  const long = rope.get(257);
  assert.equal(long.positions, 512);
  assert.deepEqual(long.tensors.cos!.shape, [512, 8]);
  assert.deepEqual(long.tensors.sin!.data, ropeTables(config, 512).sin);
  runtime.release();
});
