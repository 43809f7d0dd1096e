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

Deno.test("RopeTensors keep the tables of long sequences apart, and one of each rope in use", async () => {
  const runtime = await cpuRuntime(), config = modelConfig(readJson("goldens/families/phi3/config.json"));
  const rope = new RopeTensors(runtime, config), short = rope.get(10), long = rope.get(10, true);
  assert.deepEqual(short.tensors.sin!.data, ropeTables(config, 256).sin);
  assert.deepEqual(long.tensors.sin!.data, ropeTables(config, 256, { long: true }).sin);
  assert.notDeepEqual(short.tensors.sin!.data, long.tensors.sin!.data);
  assert.deepEqual([rope.get(5), rope.get(5, true)], [short, long]);
  const gemma = modelConfig(readJson("goldens/families/gemma3/config.json"));
  const { tensors } = new RopeTensors(runtime, gemma).get(3);
  assert.deepEqual(Object.keys(tensors).sort(), ["cos", "cos.local", "sin", "sin.local"]);
  assert.deepEqual(tensors["sin.local"]!.data, ropeTables(gemma, 256, { local: true }).sin);
  runtime.release();
});
