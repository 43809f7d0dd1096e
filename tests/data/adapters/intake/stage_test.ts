import assert from "node:assert/strict";
import { Names, Stage } from "../../../../data/adapters/intake/stage.ts";

Deno.test("Names gives one object per name and cuts a name without end", () => {
  const names = new Names();
  assert.equal(names.get("loss"), names.get("loss"));
  assert(names.get("x".repeat(10_000)).printed.length <= 301);
});

Deno.test("Stage.reset() forgets the record and keeps the names expected next", () => {
  const stage = new Stage();
  stage.add(stage.names.get("loss"), 1, -1, 0);
  stage.texts.push({ name: "a", value: "b", quoted: true, at: 0 });
  stage.expected[0] = { text: "'loss': ", info: stage.names.get("loss") };
  stage.reset();
  assert.deepEqual([stage.count, stage.texts.length, stage.expected.length], [0, 0, 1]);
});
