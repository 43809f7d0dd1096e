import assert from "node:assert/strict";
import { groupsOfOneLength } from "../../../../steps/diagnoses/view/same_length.ts";

/** Means over 16 groups of 8: whole lengths of a group each, or of a completion each. */
const means = (completions: number, of: (completion: number, record: number) => number) =>
  Array.from({ length: 12 }, (_, record) => {
    let sum = 0;
    for (let i = 0; i < completions; i++) sum += of(i, record);
    return Math.fround(sum / completions);
  });
const draw = (seed: number) => Math.floor(40 * ((seed * 0.6180339887498949) % 1));
const REWARDS = means(16, (group, record) => draw(group * 31 + record * 17) % 2);
const ALIKE = means(16, (group, record) => 80 + draw(group * 7 + record * 101));
const APART = means(128, (completion, record) => 80 + draw(completion * 7 + record * 101));

Deno.test("groupsOfOneLength() knows lengths that are one per group from those that are drawn", () => {
  assert.equal(groupsOfOneLength(ALIKE, REWARDS, 8), 16);
  assert.equal(groupsOfOneLength(ALIKE, REWARDS, null), 16);
  assert.equal(groupsOfOneLength(APART, REWARDS, 8), null);
});

Deno.test("groupsOfOneLength() says nothing of answers that are all equally long, of few records and of few digits", () => {
  assert.equal(groupsOfOneLength(ALIKE.map(() => 7), REWARDS, 8), null);
  assert.equal(groupsOfOneLength(ALIKE.slice(0, 3), REWARDS.slice(0, 3), 8), null);
  assert.equal(groupsOfOneLength(ALIKE.slice(0, 4), REWARDS.slice(0, 4), 8), 16);
  assert.equal(groupsOfOneLength(ALIKE.slice(0, 9), REWARDS.slice(0, 9), null), null);
  assert.equal(groupsOfOneLength(APART.map((value) => Math.round(10 * value) / 10), REWARDS.map(() => 0.1), 8), null);
});
