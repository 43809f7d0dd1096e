import assert from "node:assert/strict";
import { pastedBlocks } from "../../../workflows/doctor/pasted.ts";
import { oneFinding } from "./one_examined.ts";

const blocks = (...options: string[]) => pastedBlocks(oneFinding({ remedy: { patches: [], options } }));

Deno.test("pastedBlocks() are lines as a system takes them, without its name in them", () => {
  assert.deepEqual(blocks("trl: temperature=1", "trl: top_p=1"), [
    { system: null, lines: ["temperature=1", "top_p=1"] },
  ]);
  assert.deepEqual(blocks("openrlhf: --actor.lr 1.0e-6"), [{ system: null, lines: ["--actor.lr 1.0e-6"] }]);
  assert.deepEqual(blocks("llamafactory: learning_rate=1.0e-6"), [{ system: null, lines: ["learning_rate: 1.0e-6"] }]);
});

Deno.test("pastedBlocks() names the systems where there is a choice", () => {
  assert.deepEqual(blocks("trl: beta=0.04", "verl: a.b=1", "trl: top_p=1"), [
    { system: "trl", lines: ["beta=0.04", "top_p=1"] },
    { system: "verl", lines: ["a.b=1"] },
  ]);
});

Deno.test("pastedBlocks() leaves lines of our workflow as they are, and has none where there is nothing to paste", () => {
  const patches = [{ step: "apply_update", key: "learning_rate", value: 0.001 }];
  assert.deepEqual(pastedBlocks(oneFinding({ remedy: { patches, options: [] } })), [
    { system: null, lines: ["learning_rate: 0.001  # apply_update"] },
  ]);
  assert.deepEqual(blocks(), []);
});
