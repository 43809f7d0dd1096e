import assert from "node:assert/strict";
import { jsonCell, shallow } from "../../../data/datasets/depth.ts";
import { LIMITS } from "../../../data/datasets/limits.ts";

const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const objects = (depth: number) => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);

Deno.test("shallow() gives back what is not too deep, and names the place of what is", () => {
  for (const text of [lists(LIMITS.depth), objects(LIMITS.depth), "1", "null", '"[["', `[${"[1],".repeat(999)}[1]]`]) {
    const value = JSON.parse(text);
    assert.equal(shallow(value), value);
  }
  for (const text of [lists(LIMITS.depth + 1), lists(200_000), objects(LIMITS.depth + 1), objects(200_000)]) {
    assert.throws(() => shallow(JSON.parse(text), "line 7"), {
      name: "RangeError",
      message: `line 7 has more than ${LIMITS.depth} lists and objects in one another, want fewer`,
    });
  }
  const bytes = new Uint8Array(4);
  assert.equal(shallow(bytes), bytes);
});

Deno.test("jsonCell() reads the JSON of a cell that is not too deep", () => {
  assert.deepEqual(jsonCell('[{"role":"user"}]'), [{ role: "user" }]);
  assert.throws(() => jsonCell(lists(200_000)), RangeError);
  assert.throws(() => jsonCell("[1"), SyntaxError);
});
