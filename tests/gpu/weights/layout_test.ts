import assert from "node:assert/strict";
import { layoutOf, matchParameters } from "../../../gpu/weights/layout.ts";

const LAYOUT = layoutOf([
  ["scale", ["a.norm.weight", [3]]],
  ["both", ["a.q_proj.weight", [2, 3]], ["a.k_proj.weight", [1, 3]]],
  ["last", ["b.q_proj.weight", [5, 4]]],
], { repeated: [], initializerRange: 0.02, initialNorm: 1 });

Deno.test("layoutOf() stacks the parts of a tensor, puts matrices first and aligns", () => {
  const places = LAYOUT.packed.map(({ name, shape, offset, size }) => [name, shape, offset, size]);
  assert.deepEqual(places, [["both", [3, 3], 0, 9], ["last", [5, 4], 16, 20], ["scale", [3], 48, 3]]);
  assert.deepEqual([LAYOUT.matrixSize, LAYOUT.size, LAYOUT.count], [48, 64, 32]);
  assert.deepEqual(LAYOUT.parameters.map(({ name, offset }) => [name, offset]).slice(0, 2), [
    ["a.q_proj.weight", 0],
    ["a.k_proj.weight", 6],
  ]);
});

Deno.test("matchParameters() takes patterns and refuses one that matches nothing, listing the names", () => {
  assert.deepEqual([...matchParameters(LAYOUT, ["*.q_proj.weight"])], ["a.q_proj.weight", "b.q_proj.weight"]);
  assert.equal(matchParameters(LAYOUT, ["*"]).size, 4);
  assert.throws(
    () => matchParameters(LAYOUT, ["*", "lm_head*"]),
    /"lm_head\*" matches no parameter, want one of .*a\.q_proj\.weight/,
  );
});

Deno.test("matchParameters() leaves out what a pattern with ! matches, whatever its place, and refuses to leave none", () => {
  const names = (...patterns: string[]) => [...matchParameters(LAYOUT, patterns)];
  assert.deepEqual(names("!a.*"), ["b.q_proj.weight"], "of all, where nothing else is said");
  assert.deepEqual(names("!*k_proj*", "a.*").sort(), ["a.norm.weight", "a.q_proj.weight"]);
  assert.throws(() => names("*", "!visual.*"), /"!visual\.\*" matches no parameter/);
  assert.throws(() => names("a.*", "!*"), /"a\.\*", "!\*" leaves none, want one of/);
});
