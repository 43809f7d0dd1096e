import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { defineTopic } from "../../../workflows/goldens/topic.ts";

const GOLDENS = new URL("../../../workflows/goldens/", import.meta.url);

Deno.test("defineTopic() gives back the topic", () => {
  const topic = { about: "nothing", takes: {}, evaluate: () => null };
  assert.equal(defineTopic(topic), topic);
});

Deno.test("every file that defines a topic is in the table of topics", () => {
  const table = readFileSync(new URL("mod.ts", GOLDENS), "utf8");
  const forgotten = readdirSync(new URL("topics", GOLDENS)).filter((name) =>
    /defineTopic|: TorchTopic/.test(readFileSync(new URL(`topics/${name}`, GOLDENS), "utf8")) &&
    !table.includes(`"./topics/${name}"`)
  );
  assert.deepEqual(forgotten, []);
});
