import assert from "node:assert/strict";
import { allDigits, digitsOf, FORMS, SIDE, splitOfWriter } from "../../../../data/tasks/visual/digits.ts";

const digits = allDigits();

Deno.test("allDigits() are those of scikit-learn's load_digits: counts of the classes, the first one's pixels", () => {
  const counts = Array.from({ length: 10 }, (_, i) => digits.filter(({ label }) => label === String(i)).length);
  assert.deepEqual(counts, [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]);
  assert.deepEqual(Array.from(digits[0]!.ink.subarray(0, SIDE), (value) => value * 16), [0, 0, 5, 13, 9, 1, 0, 0]);
  const values = digits.flatMap(({ ink }) => [...ink]);
  assert.equal(values.length, 1797 * SIDE * SIDE);
  assert.deepEqual([Math.min(...values.slice(0, 1e5)), Math.max(...values.slice(0, 1e5))], [0, 1]);
  // The mean of load_digits().data, as NumPy computes it.
  assert(Math.abs(16 * values.reduce((sum, value) => sum + value, 0) / values.length - 4.884164579855314) < 1e-9);
});

/** Length of the longest series that both have, in order and with gaps. */
function common(a: string, b: string): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const letter of a) {
    const next = [0];
    for (let i = 0; i < b.length; i++) {
      next.push(letter === b[i] ? row[i]! + 1 : Math.max(next[i]!, row[i + 1]!));
    }
    row = next;
  }
  return row[b.length]!;
}

Deno.test("a writer's digits are one form: the same series each time, a few missing", () => {
  const series = FORMS.map((_, form) =>
    digits.filter(({ writer }) => writer === form).map(({ label }) => label).join("")
  );
  assert.equal(series.join("").length, 1797);
  assert.match(series[0]!, /^(?:0123456789){3}0955650989/);
  for (const text of series) {
    assert(text.length >= 120 && text.length <= 130, `${text.length}`);
    assert.match(text, /^0?123456789/);
    assert(common(text, series[0]!) >= text.length - 2, text);
  }
});

Deno.test("no writer is in two splits, and every split has all classes", () => {
  const writers = (["train", "validation", "held_out"] as const).map((split) => {
    const own = digitsOf(split);
    assert(own.every(({ writer }) => splitOfWriter(writer) === split));
    assert.equal(new Set(own.map(({ label }) => label)).size, 10);
    return [own.length, ...new Set(own.map(({ writer }) => writer))];
  });
  assert.deepEqual(writers, [[1157, 0, 1, 2, 3, 4, 5, 6, 7, 8], [130, 9], [510, 10, 11, 12, 13]]);
});
