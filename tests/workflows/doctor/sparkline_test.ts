import assert from "node:assert/strict";
import { columnAt, spanOf, sparkline, tells } from "../../../workflows/doctor/sparkline.ts";

const over = (values: readonly (number | null)[], width: number) => {
  const series = { trainSteps: values.map((_, i) => i + 1), values };
  return sparkline(series, spanOf([series], width));
};

Deno.test("sparkline() rises with the values, marks NaN and leaves gaps", () => {
  assert.equal(over([0, 1, 2, 3, 4, 5, 6, 7], 8), "▁▂▃▄▅▆▇█");
  assert.equal(over([0, NaN, null, 7], 4)[1], "×");
  assert.equal(over([0, NaN, null, 7], 4)[2], " ");
  assert.equal(over(Array.from({ length: 100 }, (_, i) => i), 10).length, 10);
});

Deno.test("sparkline() puts what was measured seldom where it was measured, and goes on over steps that were not logged", () => {
  const records = { trainSteps: Array.from({ length: 40 }, (_, i) => i + 1), values: Array(40).fill(1) };
  const held = { trainSteps: [10, 20, 30, 40], values: [1, 0.5, 0, 0] };
  const span = spanOf([records, held], 20);
  assert.deepEqual(span, { from: 1, to: 40, columns: 20 });
  assert.equal(sparkline(held, span), "    █    ▅    ▁    ▁");
  assert.deepEqual([10, 20, 40].map((step) => columnAt(step, span)), [4, 9, 19]);
  const uneven = { trainSteps: [1, 2, 3, 6, 7, 8], values: [0, 0, 0, 1, 1, 1] };
  assert.equal(sparkline(uneven, { from: 1, to: 8, columns: 8 }), "▁▁▁▁▁███");
});

Deno.test("sparkline() shows spikes and a few other values by the extremes of their shares", () => {
  const spiky = Array.from({ length: 300 }, (_, i) => i === 99 || i === 200 ? 400 : 1);
  assert.equal(over(spiky, 30), "▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁");
  // Noise about one level is none: its means stay where they are.
  const noise = Array.from({ length: 300 }, (_, i) => Math.sin(17.3 * i));
  assert.match(over(noise, 30), /^[▄▅]+$/);
});

Deno.test("sparkline() of spikes in noise shows each at its height, of a course with one spike the course", () => {
  const noise = Array.from({ length: 520 }, (_, i) => 2 + Math.sin(17.3 * i) + 0.4 * Math.sin(0.05 * i));
  const spiky = noise.map((value, i) =>
    i === 99 || i === 158 || i === 467 ? [386, 142, 491][[99, 158, 467].indexOf(i)]! : value
  );
  const line = over(spiky, 52);
  assert.deepEqual([9, 15, 46].map((at) => line[at]), ["▇", "▃", "█"]);
  assert.match(line.slice(16, 46), /^▁+$/);
  const rising = Array.from({ length: 520 }, (_, i) => i === 260 ? 9000 : i / 520);
  assert.match(over(rising, 52), /^▁{6,}▂.*▇█{3,}$/);
  const step = Array.from({ length: 520 }, (_, i) => i < 480 ? Math.sin(17.3 * i) : 100 + Math.sin(17.3 * i));
  assert.equal(over(step, 52), `${"▁".repeat(48)}${"█".repeat(4)}`);
});

Deno.test("tells() is false of a line that stays where it is", () => {
  assert.deepEqual([Array(40).fill(0), Array(40).fill(0.004)].map((values) => tells(over(values, 20))), [false, false]);
  assert.deepEqual([[0, 1, 2, 3], [1, NaN, 1, 1]].map((values) => tells(over(values, 4))), [true, true]);
});

Deno.test("sparkline() draws the largest numbers there are", () => {
  assert.equal(over([1.7e308, -1.7e308, 1.7e308], 3), "█▁█");
  assert.equal(over([1.7e308, 1.7e308, -1.7e308, -1.7e308], 2), "█▁");
});
