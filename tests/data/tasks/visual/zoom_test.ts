import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { allDigits, SIDE } from "../../../../data/tasks/visual/digits.ts";
import { CANVAS, pictureFile, zoomed } from "../../../../data/tasks/visual/zoom.ts";

const digits = allDigits();

/** Tent weights of all 64 pixels, as a sum: no floor, no edge cases. */
function byTents(ink: Float64Array, scale: number, top: number, left: number): number[] {
  const tent = (out: number, offset: number, at: number) =>
    Math.max(0, 1 - Math.abs((out + 0.5 - offset) / scale - (at + 0.5)));
  return Array.from({ length: CANVAS * CANVAS }, (_, i) => {
    const x = i % CANVAS, y = Math.floor(i / CANVAS);
    return ink.reduce(
      (sum, value, at) => sum + value * tent(y, top, Math.floor(at / SIDE)) * tent(x, left, at % SIDE),
      0,
    );
  });
}

Deno.test("zoomed() weighs pixels by tents around their centres, and ends outside the digit", () => {
  for (const [row, scale, top, left] of [[3, 2.5, 7, 30], [40, 7 * 1.08, -6.2, 1.8], [900, 3, 32, 0]] as const) {
    const want = byTents(digits[row]!.ink, scale, top, left), got = zoomed(digits[row]!.ink, scale, top, left);
    assert.equal(got.length, want.length);
    got.forEach((value, i) => assert(Math.abs(value - want[i]!) < 1e-12, `${row}: ${i}`));
  }
});

// What the PyTorch prototype of the tasks (NumPy, float32) makes of the same digits: row, scale of 7, shift down and to the
// right, sum of the picture, pixels (10,20), (28,28), (40,33) and (3,30).
const JITTERED = [
  [0, 1, 0, 0, 879.0, [0.8661, 0.0, 0.3737, 0.5982]],
  [5, 0.85, -4, 3, 751.36, [0.6328, 0.2022, 0.7893, 0.3997]],
  [700, 1.08, 2, -2, 1118.32, [0.97, 0.8253, 0.2381, 0.9947]],
  [1500, 0.92, 4, 4, 749.33, [0.0505, 0.0252, 0.6789, 0.0252]],
] as const;

Deno.test("zoomed() makes the prototype's pictures", () => {
  for (const [row, scale, down, right, sum, pixels] of JITTERED) {
    const size = 7 * scale, border = (CANVAS - SIDE * size) / 2;
    const got = zoomed(digits[row]!.ink, size, border + down, border + right);
    assert(Math.abs(got.reduce((a, b) => a + b, 0) - sum) < 0.01, `${row}`);
    const at = [[10, 20], [28, 28], [40, 33], [3, 30]].map(([y, x]) => got[y! * CANVAS + x!]!);
    at.forEach((value, i) => assert(Math.abs(value - pixels[i]!) < 1e-4, `${row}: ${value}`));
  }
});

Deno.test("pictureFile() is a PNG of 56 x 56 pixels, 0 black and 1 white, halves rounded up", () => {
  const picture = new Float64Array(CANVAS * CANVAS);
  picture.set([0, 1, 0.5, 0.25]);
  const file = pictureFile(picture), view = new DataView(file.buffer);
  assert.deepEqual([view.getUint32(16), view.getUint32(20)], [56, 56]);
  const length = view.getUint32(33); // Signature and header chunk are 33 bytes.
  const rows = inflateSync(file.subarray(41, 41 + length));
  assert.deepEqual([...rows.subarray(0, 6)], [0, 0, 255, 128, 64, 0]);
});
