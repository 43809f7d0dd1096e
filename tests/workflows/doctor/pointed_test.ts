/** Where a reason speaks of a line of a post, the line is told as evidence. */
import assert from "node:assert/strict";
import { pointedAt } from "../../../workflows/doctor/pointed.ts";

const CLAIM = {
  source: "post.md",
  line: 3,
  subject: "reward",
  predicate: "collapses",
  value: null,
  from: null,
  to: null,
  throughout: false,
  text: " the reward just collapses",
  counts: true,
  elsewhere: false,
} as const;

Deno.test("pointedAt() is the statement that a reason quotes, of several in its line", () => {
  const other = { ...CLAIM, predicate: "zero", text: "and it is 0" };
  const [row, ...more] = pointedAt({ claims: [other, CLAIM] }, [
    "nothing on the 2 records proves that the run learns",
    'line 3 says "the reward just collapses", and no number tells why',
  ]);
  assert.deepEqual([row!.source, row!.line, row!.value, more], ["post.md", 3, "the reward just collapses", []]);
});

Deno.test("pointedAt() finds what a reason says without its words, and nothing in another line or of others", () => {
  const asks = ["line 3 asks of reward collapses, as healthy runs have it: kl 0.1"];
  assert.equal(pointedAt({ claims: [CLAIM] }, asks)[0]!.line, 3);
  assert.deepEqual(pointedAt({ claims: [{ ...CLAIM, line: 33 }, { ...CLAIM, counts: false }] }, asks), []);
});
