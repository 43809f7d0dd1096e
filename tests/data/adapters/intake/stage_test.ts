import assert from "node:assert/strict";
import { ALL_DIGITS, expectedName, NONE, Stage } from "../../../../data/adapters/intake/stage.ts";

Deno.test("Stage.info() gives one object per name and cuts a name without end", () => {
  const stage = new Stage();
  assert.equal(stage.info("loss"), stage.info("loss"));
  assert(stage.info("x".repeat(10_000)).printed.length <= 301);
});

Deno.test("Stage.put() keeps a printed None apart from a printed NaN", () => {
  const stage = new Stage();
  stage.put("loss", NaN);
  stage.put("kl", null);
  assert.deepEqual([stage.values, stage.decimals], [[NaN, NaN], [ALL_DIGITS, NONE]]);
});

Deno.test("Stage.reset() forgets the record and keeps the names expected next", () => {
  const stage = new Stage();
  stage.put("loss", 1);
  stage.texts.push({ name: "a", value: "b", quoted: true, at: 0 });
  stage.expected[0] = expectedName("'loss': ", stage.info("loss"));
  stage.reset();
  assert.deepEqual([stage.count, stage.texts.length, stage.expected.length], [0, 0, 1]);
});
