import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { FORMULA_TOPICS, TORCH_TOPICS } from "../../../workflows/goldens/mod.ts";
import { defineTopic } from "../../../workflows/goldens/topic.ts";

Deno.test("defineTopic() gives back the topic", () => {
  const topic = { about: "nothing", takes: {}, evaluate: () => null };
  assert.equal(defineTopic(topic), topic);
});

Deno.test("every topic has its file, and every file of topics its topic", () => {
  const files = readdirSync(new URL("../../../workflows/goldens/topics", import.meta.url))
    .map((name) => name.replace(/\.ts$/, ""));
  const shared: string[] = [];
  const names = [...Object.keys(FORMULA_TOPICS), ...Object.keys(TORCH_TOPICS)];
  assert.deepEqual(files.filter((name) => !shared.includes(name)).sort(), names.sort());
});
