import assert from "node:assert/strict";
import { carriedOn } from "../../../../../data/adapters/post/numbers/carried_on.ts";
import { mentionsIn } from "../../../../../data/adapters/post/mentions.ts";
import { numbersIn } from "../../../../../data/adapters/post/numbers/numbers.ts";

const carried = (before: string, text: string) =>
  carriedOn(text, mentionsIn(before), numbersIn(text)).map(({ name, values }) => `${name} ${values}`);

Deno.test("carriedOn() gives numbers to what the clause before spoke of", () => {
  assert.deepEqual(carried("the reward is stuck", "between 0.2 and 0.4"), ["reward 0.2,0.4"]);
  assert.deepEqual(carried("熵一直不动", "在 0.2 左右"), ["entropy 0.2"]);
});

Deno.test("carriedOn() gives none where nothing was spoken of, or the clause is of something else", () => {
  assert.deepEqual(carried("the run is slow", "between 0.2 and 0.4"), []);
  assert.deepEqual(carried("the reward is stuck", "we use 8 cards"), []);
});
