import assert from "node:assert/strict";
import { bestAssignment } from "../../../data/boxes/hungarian.ts";
import { uniform } from "../../../data/random.ts";

/** Numbers below 1 of a stream, one after the other. */
const randomOf = (stream: string, at = 0) => () => uniform(1, stream, 0, 0, at++);

/** The largest total gain, by trying every assignment. */
function most(gains: readonly (readonly number[])[], row = 0, taken: readonly number[] = []): number {
  if (row === gains.length) return 0;
  const skipped = gains.length - row > (gains[0]?.length ?? 0) - taken.length ? [most(gains, row + 1, taken)] : [];
  const free = gains[row]!.map((_, column) => column).filter((column) => !taken.includes(column));
  return Math.max(...skipped, ...free.map((c) => gains[row]![c]! + most(gains, row + 1, [...taken, c])));
}

Deno.test("bestAssignment() has the largest total that trying all finds, for every shape", () => {
  const random = randomOf("hungarian");
  for (let rows = 1; rows <= 5; rows++) {
    for (let columns = 1; columns <= 5; columns++) {
      for (let i = 0; i < 12; i++) {
        // Few values, so that many assignments tie; then many zeros, as IoUs have.
        const gains = Array.from(
          { length: rows },
          () =>
            Array.from(
              { length: columns },
              () => i % 3 === 0 ? Math.floor(random() * 3) : i % 3 === 1 ? random() : Math.max(0, random() - .6),
            ),
        );
        const columnOf = bestAssignment(gains), taken = columnOf.filter((column) => column !== null);
        assert.equal(columnOf.length, rows);
        assert.equal(taken.length, Math.min(rows, columns));
        assert.equal(new Set(taken).size, taken.length, "a column twice");
        const total = columnOf.reduce<number>((sum, c, row) => sum + (c === null ? 0 : gains[row]![c]!), 0);
        assert(Math.abs(total - most(gains)) < 1e-12, `${JSON.stringify(gains)}: ${total}, want ${most(gains)}`);
      }
    }
  }
});

Deno.test("bestAssignment() of nothing is nothing", () => {
  assert.deepEqual(bestAssignment([]), []);
  assert.deepEqual(bestAssignment([[], []]), [null, null]);
});

Deno.test("bestAssignment() names a row without a number, instead of looking for its column for ever", () => {
  for (const gains of [[[NaN]], [[1, 2], [NaN, NaN]], [[NaN], [NaN]]]) {
    assert.throws(
      () => bestAssignment(gains),
      /^RangeError: Cannot pair row \d: a gain is no number, want numbers ≥ 0$/,
    );
  }
});

Deno.test("bestAssignment() gives 300 rows 300 columns, each once", () => {
  const random = randomOf("many"), gains = Array.from({ length: 300 }, () => Array.from({ length: 300 }, random));
  assert.equal(new Set(bestAssignment(gains)).size, 300);
});
