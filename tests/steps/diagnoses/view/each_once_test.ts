import assert from "node:assert/strict";
import { eachOnce } from "../../../../steps/diagnoses/view/each_once.ts";
import type { Evidence } from "../../../../steps/diagnoses/view/evidence.ts";

const row = (more: Partial<Evidence>): Evidence => ({
  source: "run.log",
  line: 8,
  train_step: 1,
  name: "reward",
  value: 0,
  ...more,
});

Deno.test("eachOnce() has the same value under one name at one place once, with its note", () => {
  assert.deepEqual(eachOnce([row({}), row({ note: "the first" }), row({})]), [row({ note: "the first" })]);
  assert.deepEqual(eachOnce([row({ value: NaN }), row({ value: NaN })]).length, 1);
  const told = [row({ train_step: 2, note: "as told" }), row({ train_step: 3, note: "as told" })];
  assert.deepEqual(eachOnce(told), told.slice(0, 1));
});

Deno.test("eachOnce() keeps other lines, names, values, steps of one line, and what has no place", () => {
  const rows = [
    row({}),
    row({ line: 9 }),
    row({ name: "kl" }),
    row({ value: 1 }),
    row({ train_step: 2 }),
    row({ source: null, line: null }),
    row({ source: null, line: null }),
  ];
  assert.deepEqual(eachOnce(rows), rows);
});
