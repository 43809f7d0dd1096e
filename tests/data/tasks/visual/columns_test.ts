import assert from "node:assert/strict";
import { z } from "zod";
import { DIGIT_COLUMNS, DRAWN_BY_SEED, SCENE_PARAMS, sceneCounts } from "../../../../data/tasks/visual/columns.ts";

Deno.test("SCENE_PARAMS have a number of scenes for each split, which sceneCounts() gives", () => {
  const given = z.strictObject(SCENE_PARAMS).parse({ held_out_scenes: 5 });
  assert.deepEqual(sceneCounts(given), [["train", 4000], ["validation", 200], ["held_out", 5]]);
  assert.equal(z.strictObject(SCENE_PARAMS).safeParse({ train_scenes: 0 }).success, false);
});

Deno.test("DRAWN_BY_SEED is 0 where it is left out, and no fraction", () => {
  assert.deepEqual([undefined, 3, 0.5, -1].map((seed) => DRAWN_BY_SEED.safeParse(seed).data), [
    0,
    3,
    undefined,
    undefined,
  ]);
});

Deno.test("DIGIT_COLUMNS are texts: a class has a name, a scene several writers", () => {
  assert.deepEqual(Object.values(DIGIT_COLUMNS).map(({ type }) => type), ["utf8", "utf8"]);
});
