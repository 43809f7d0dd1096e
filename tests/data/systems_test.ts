import assert from "node:assert/strict";
import { OPTIONS } from "../../data/options.ts";
import { samplesAsFolder, SYSTEM_LIST, SYSTEMS, trainsBy } from "../../data/systems.ts";

Deno.test("SYSTEMS holds every system that an option has a name for, besides a model's own files", () => {
  const named = Object.values(OPTIONS).flatMap(({ names }) => Object.keys(names));
  assert.deepEqual(named.filter((name) => !Object.hasOwn({ ...SYSTEMS, model: null }, name)), []);
});

Deno.test("SYSTEMS gives a mark to one system alone", () => {
  const marks = SYSTEM_LIST.flatMap(([, { marks }]) => marks);
  assert.deepEqual(marks.length, new Set(marks).size);
});

Deno.test("SYSTEMS says which take over TRL's options", () => {
  const descend = SYSTEM_LIST.flatMap(([name, { descendsFrom }]) => descendsFrom === "trl" ? [name] : []);
  assert.deepEqual(descend, ["ms-swift", "unsloth", "llamafactory", "visual-rft", "vlm-r1", "r1-v-family"]);
});

Deno.test("samplesAsFolder() is true of trainers that read no option of sampling", () => {
  assert.deepEqual(["visual-rft", "vlm-r1", "r1-v-family", "trl", null].map(samplesAsFolder), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("trainsBy() knows the methods that a system lacks", () => {
  assert(trainsBy("verl", "grpo") && !trainsBy("verl", "dpo") && trainsBy("trl", "dpo"));
  assert(trainsBy("visual-rft", "grpo") && !trainsBy("vlm-r1", "sft"));
});
