import assert from "node:assert/strict";
import { placeOf, stepsText, whenText } from "../../../notebooks/pages/where.ts";

Deno.test("placeOf() is file:line, else the file, the train step, or the run", () => {
  const row = { source: null, line: null, train_step: null, name: "x", value: 1 };
  assert.deepEqual(
    [{ ...row, source: "a", line: 2 }, { ...row, source: "a" }, { ...row, train_step: 7 }, row].map((one) =>
      placeOf(one)
    ),
    ["a:2", "a", "train step 7", "run"],
  );
  assert.deepEqual(
    [{ ...row, table: "metrics" as const, train_step: 31 }, { ...row, table: "settings" as const }].map((one) =>
      placeOf(one)
    ),
    ["metrics, train step 31", "settings"],
  );
});

Deno.test("stepsText() of one, a range, a few and many train steps", () => {
  assert.deepEqual([[], [4], [4, 5, 6], [4, 9], [1, 3, 5, 7, 9, 11, 13]].map(stepsText), [
    "",
    "4",
    "4 to 6",
    "4, 9",
    "1 to 13",
  ]);
});

Deno.test("whenText() says since when of a trend, which lasts, and the train steps of anything else", () => {
  const train_steps = Array.from({ length: 128 }, (_, i) => 60 + i);
  assert.equal(whenText({ began: 60, train_steps }), "since train step 60");
  assert.equal(whenText({ train_steps }), "from train step 60 on", "a full list is cut");
  assert.equal(whenText({ train_steps: train_steps.slice(1) }), "train step 61 to 187");
  assert.equal(whenText({ train_steps: [] }), "");
  assert.equal(whenText({ began: 60, train_steps }, { counts: "records" }), "since record 60");
  assert.equal(whenText({ train_steps }, { counts: "records" }), "from record 60 on");
});

Deno.test("placeOf() tells rows of one line apart by their train step", () => {
  const row = (train_step: number, line: number) => ({
    source: "state.json",
    line,
    train_step,
    name: "loss",
    value: 1,
  });
  const beside = [row(3, 1), row(7, 1), row(9, 2)];
  assert.deepEqual(beside.map((one) => placeOf(one, beside)), [
    "state.json:1, train step 3",
    "state.json:1, train step 7",
    "state.json:2",
  ]);
  assert.equal(placeOf(row(3, 1)), "state.json:1");
});
