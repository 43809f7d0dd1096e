import assert from "node:assert/strict";
import { integer } from "../../../../data/random.ts";
import type { Box } from "../../../../data/boxes/iou.ts";
import { allDigits, digitsOf } from "../../../../data/tasks/visual/digits.ts";
import {
  answerBox,
  drawAlone,
  drawScene,
  sceneDifficulty,
  sceneText,
  tightBox,
  writersOf,
} from "../../../../data/tasks/visual/scene.ts";
import { CANVAS, zoomed } from "../../../../data/tasks/visual/zoom.ts";

const pool = digitsOf("train");
const scene = (row: number, count: number, repeat = true) => {
  let drawn = 0;
  return drawScene((bound) => integer(3, "scene_test", 0, row, drawn++, bound), pool, count, { repeat });
};

// What the PyTorch prototype of the tasks makes of the same digits (NumPy, float32): row, scale, top, left, tight box in
// pixels, the same in thousandths rounded to multiples of 20.
const PLACED: [number, number, number, number, Box, Box][] = [
  [1205, 2, 33, 0, [2, 33, 14, 49], [40, 580, 240, 880]],
  [1451, 2.5, 17, 19, [22, 16, 36, 38], [400, 280, 640, 680]],
  [1132, 3, 9, 32, [37, 8, 52, 34], [660, 140, 920, 600]],
  [96, 2, 11, 15, [17, 11, 28, 27], [300, 200, 500, 480]],
  [1026, 2.5, 15, 4, [7, 14, 21, 36], [120, 240, 380, 640]],
  [81, 3, 0, 1, [6, 0, 22, 25], [100, 0, 400, 440]],
  [267, 2, 40, 7, [11, 40, 19, 56], [200, 720, 340, 1000]],
  [507, 3, 14, 8, [12, 13, 27, 39], [220, 240, 480, 700]],
  [1433, 2.5, 31, 4, [7, 30, 21, 52], [120, 540, 380, 920]],
];

Deno.test("tightBox() and answerBox() are the prototype's", () => {
  for (const [row, scale, top, left, pixels, thousandths] of PLACED) {
    const box = tightBox(zoomed(allDigits()[row]!.ink, scale, top, left));
    assert.deepEqual(box, pixels, `${row}`);
    assert.deepEqual(answerBox(box), thousandths, `${row}`);
  }
});

Deno.test("answerBox() rounds halves to even as the prototype: edges 14 and 42 of 56 are 240 and 760", () => {
  assert.deepEqual(answerBox([14, 0, 42, 56]), [240, 0, 760, 1000]);
});

Deno.test("a box is tight: what is bright lies inside, and each of its edges touches it", () => {
  for (let row = 0; row < 50; row++) {
    const { picture, placed } = scene(row, 1)!, [x1, y1, x2, y2] = placed[0]!.box;
    const bright = Array.from(picture, (value, i) => ({ value, x: i % CANVAS, y: Math.floor(i / CANVAS) }))
      .filter(({ value }) => value > 0.25);
    const [columns, lines] = [bright.map(({ x }) => x), bright.map(({ y }) => y)];
    assert.deepEqual([x1, y1], [Math.min(...columns), Math.min(...lines)]);
    assert.deepEqual([x2, y2], [Math.max(...columns) + 1, Math.max(...lines) + 1]);
  }
});

Deno.test("drawScene() keeps boxes 2 pixels apart: no pixel of one lies beside or at a corner of another", () => {
  let close = 0, scenes = 0;
  for (let row = 0; row < 300; row++) {
    const drawn = scene(row, 3);
    if (drawn === null) continue;
    scenes++;
    assert.equal(drawn.placed.length, 3);
    for (const { box, digit, scale, top, left } of drawn.placed) {
      assert(pool.includes(digit) && [2, 2.5, 3].includes(scale));
      assert(top >= 0 && left >= 0 && top + 8 * scale <= CANVAS && left + 8 * scale <= CANVAS);
      for (const other of drawn.placed) {
        if (other.box === box) continue;
        const gap = (i: number) => Math.max(other.box[i]! - box[i + 2]!, box[i]! - other.box[i + 2]!);
        assert(Math.max(gap(0), gap(1)) >= 2, `${box} and ${other.box}`);
        if (Math.max(gap(0), gap(1)) === 2) close++;
      }
    }
  }
  assert(scenes > 200 && close > 10, `${scenes} scenes, ${close} pairs as close as they may be`);
});

Deno.test("drawScene() shows the brighter of two digits, and gives up where there is no place", () => {
  const { placed, picture } = scene(8, 2)!, alone = placed.map((p) => zoomed(p.digit.ink, p.scale, p.top, p.left));
  assert.deepEqual(Array.from(picture), Array.from(picture, (_, i) => Math.max(alone[0]![i]!, alone[1]![i]!)));
  assert.equal(scene(1, 30), null);
});

Deno.test("drawScene() draws a second digit like the first more often where it may repeat", () => {
  const alike = (repeat: boolean) =>
    Array.from({ length: 400 }, (_, row) => scene(row, 2, repeat)).filter((drawn) =>
      drawn !== null && drawn.placed[0]!.digit.label === drawn.placed[1]!.digit.label
    ).length / 400;
  // A quarter and a tenth of the rest; a tenth. Standard error 0.02.
  assert(Math.abs(alike(true) - 0.325) < 0.07 && Math.abs(alike(false) - 0.1) < 0.05);
});

Deno.test("drawAlone() draws among the digits that no other is like, and gives null where there is none", () => {
  const like = (...rows: number[]) => ({
    placed: rows.map((row) => ({ digit: allDigits()[row]!, scale: 2, top: 0, left: 0, box: [0, 0, 1, 1] as Box })),
    picture: new Float64Array(),
  });
  const labels = (...rows: number[]) => [0, 1].map((i) => drawAlone((bound) => i % bound, like(...rows))?.digit.label);
  // Rows 0 to 29 are written in order: 10 and 20 are a zero as 0 is.
  assert.deepEqual(labels(0, 3, 10, 7), ["3", "7"]);
  assert.deepEqual(labels(5, 10, 20), ["5", "5"]);
  assert.equal(drawAlone(() => 0, like(0, 10, 20)), null);
});

Deno.test("sceneText() is the same for the same scene in another order, and differs for another place", () => {
  const one = scene(2, 2)!,
    moved = one.placed.map((placed, i) => i === 0 ? { ...placed, top: placed.top + 1 } : placed);
  assert.equal(sceneText({ ...one, placed: one.placed.toReversed() }), sceneText(one));
  assert.notEqual(sceneText({ ...one, placed: moved }), sceneText(one));
});

Deno.test("writersOf() names each writer once, in order of number", () => {
  const placed = [1300, 5, 1, 300].map((row) => ({
    digit: allDigits()[row]!,
    scale: 2,
    top: 0,
    left: 0,
    box: [0, 0, 1, 1] as Box,
  }));
  assert.equal(writersOf({ placed, picture: new Float64Array() }), "0,2,10");
});

Deno.test("sceneDifficulty() grows where the smallest true box shrinks and where digits come", () => {
  assert.equal(sceneDifficulty([[0, 0, 400, 400]], 1), 0.6);
  assert.equal(sceneDifficulty([[0, 0, 400, 400], [500, 500, 600, 900]], 2), 0.9);
});
