import assert from "node:assert/strict";
import * as aq from "arquero";
import { tableOf } from "../../../../data/tables/mod.ts";
import { completionRows } from "../../../../steps/diagnoses/view/completion_rows.ts";

/** Two train steps of `groups` groups of two. */
function own(groups: number) {
  const rows = Array.from({ length: 4 * groups }, (_, i) => i);
  return tableOf("completions", {
    train_step: rows.map((i) => i < 2 * groups ? 7 : 8),
    prompt_id: rows.map((i) => Math.floor(i / 2) % groups),
    sample: rows.map((i) => i % 2),
    text: rows.map(String),
    truncated: rows.map(() => false),
    completion_tokens: rows.map(() => 3),
    completion_mask: rows.map((i) => [1, i % 2, 1]),
    correct: rows.map((i) => i % 2 === 0),
    "reward.verifier": rows.map((i) => i % 2 === 0 ? null : 1),
  });
}

Deno.test("completionRows() of a run of ours has the last train step with groups, masks and what the verifier says", () => {
  const rows = completionRows(own(3), true);
  assert.deepEqual(rows.map(({ trainStep, promptId }) => [trainStep, promptId]), [
    [8, 0],
    [8, 0],
    [8, 1],
    [8, 1],
    [8, 2],
    [8, 2],
  ]);
  const [first, second] = rows;
  assert.deepEqual([first!.correct, first!.lossTokens, first!.rewards], [true, 2, { verifier: null }]);
  assert.deepEqual([second!.correct, second!.lossTokens, second!.rewards], [false, 3, { verifier: 1 }]);
  assert.deepEqual([first!.table, first!.source, first!.line], ["completions", null, null]);
});

Deno.test("completionRows() of a run of ours stops at 128 rows, at the end of a group", () => {
  assert.equal(completionRows(own(100), true).length, 128);
  assert.equal(completionRows(own(64), true).length, 128);
});

Deno.test("completionRows() of a log has every row, and tells a function that was not printed from a None", () => {
  const rows = completionRows(
    aq.table({
      train_step: [1, null],
      prompt_id: [0, 0],
      text: ["a", "b"],
      "reward.x": [0.3, null],
      "reward.y": [undefined, NaN],
      source: ["c.jsonl", "c.jsonl"],
      line: [1, 2],
    }),
    false,
  );
  assert.deepEqual(rows.map(({ rewards }) => rewards), [{ x: 0.3 }, { x: null, y: NaN }]);
  assert.deepEqual(rows.map(({ trainStep, source, line }) => [trainStep, source, line]), [
    [1, "c.jsonl", 1],
    [null, "c.jsonl", 2],
  ]);
  assert(!("correct" in rows[0]!) && !("table" in rows[0]!));
  assert.deepEqual(completionRows(undefined, false), []);
});
