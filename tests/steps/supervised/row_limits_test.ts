import assert from "node:assert/strict";
import { cutRow, type Limits, requireText, RowProblems } from "../../../steps/supervised/row_limits.ts";

const policy = { model: { config: { maxPositions: 6, vocabSize: 10, silentTokens: [8] } } };
const tokens = (length: number, id = 1) => new Int32Array(length).fill(id);

/** The lengths of a cut row, or what is said of it. */
function cut(limits: Limits, prompt: Int32Array, ...completions: Int32Array[]): number[] | string {
  const problems = new RowProblems("learn", 'table "rows"');
  const { completions: kept, room } = cutRow(policy, limits, { prompt, completions }, problems, 7);
  try {
    problems.refuse();
  } catch (error) {
    return (error as Error).message;
  }
  return [room, ...kept.map(({ length }) => length)];
}

Deno.test("cutRow() cuts completions to max_length, and to the context less what the model takes besides", () => {
  assert.deepEqual(cut({ maxLength: null }, tokens(2), tokens(4), tokens(1)), [4, 4, 1]);
  assert.deepEqual(cut({ maxLength: 5 }, tokens(2), tokens(4), tokens(9)), [3, 3, 3]);
  assert.deepEqual(cut({ maxLength: 5, besides: 1 }, tokens(2), tokens(4)), [3, 3]);
  const long =
    "Cannot learn: 1 rows are longer than the model's context, want max_length to cut them off (row 7 of table " +
    '"rows")';
  assert.equal(cut({ maxLength: null }, tokens(2), tokens(4), tokens(5)), long);
  assert.equal(cut({ maxLength: null, besides: 1 }, tokens(2), tokens(4)), long);
  assert.equal(cut({ maxLength: 7 }, tokens(2), tokens(5)), long);
});

Deno.test("cutRow() names prompts that leave no room, and ids that the model has not", () => {
  assert.match(
    String(cut({ maxLength: 2 }, tokens(2), tokens(1))),
    /1 prompts leave no room .* want fewer than 2 tokens/,
  );
  assert.match(
    String(cut({ maxLength: null }, tokens(1, 10), tokens(1))),
    /ids outside .* vocabulary, want less than 10/,
  );
  assert.match(String(cut({ maxLength: null }, tokens(1), tokens(1, -1))), /ids outside/);
});

Deno.test("RowProblems counts rows by kind, each once, and names the first five", () => {
  const problems = new RowProblems("learn", 'table "rows"');
  problems.refuse();
  for (let row = 0; row < 7; row++) requireText(problems, row, row === 3 ? ["a"] : ["", null]);
  requireText(problems, 9, ["a", undefined]);
  problems.add(8, "rows are odd");
  assert.throws(() => problems.refuse(), {
    name: "RangeError",
    message: 'Cannot learn: 7 completions are empty, want a text (rows 0, 1, 2, 4, 5, … of table "rows"); ' +
      '1 rows are odd (row 8 of table "rows")',
  });
});

Deno.test("cutRow() names completions with markers of images, whose probability is 0; prompts have them", () => {
  assert.match(
    String(cut({ maxLength: null }, tokens(2), tokens(1), tokens(2, 8))),
    /^Cannot learn: 1 completions hold markers of images, which the model never says; take them out of the texts \(row 7/,
  );
  assert.deepEqual(cut({ maxLength: null }, tokens(2, 8), tokens(1)), [4, 1]);
});
