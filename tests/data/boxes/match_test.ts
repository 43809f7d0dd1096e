import assert from "node:assert/strict";
import type { Box } from "../../../data/boxes/iou.ts";
import { type Match, matchBoxes, type Matching } from "../../../data/boxes/match.ts";

const wanted = (...boxes: Box[]) => boxes.map((box) => ({ box }));
const found = (...boxes: [Box, number | null][]) => boxes.map(([box, confidence]) => ({ box, confidence }));

const FIRST: Box = [0, 0, 10, 10], SECOND: Box = [100, 0, 110, 10];

Deno.test("matchBoxes() greedy lets the most confident choose, hungarian makes the largest sum", () => {
  const both: Box = [4, 0, 14, 10], near: Box = [0, 0, 10, 9];
  const truth = wanted([0, 0, 10, 10], [8, 0, 18, 10]);
  // `both` has IoU 6/14 with each; `near` .9 with the first alone, 2·9 / (90 + 100 - 18) with the second.
  const options = { threshold: 0 };
  const greedy = matchBoxes(found([both, .9], [near, .1]), truth, { matching: "greedy", ...options });
  assert.deepEqual(greedy.map((match) => match.wanted), [0, 1]);
  assert.deepEqual(greedy.map((match) => match.iou), [6 / 14, 18 / 172]);
  const best = matchBoxes(found([both, .9], [near, .1]), truth, { matching: "hungarian", ...options });
  assert.deepEqual(best, [{ wanted: 1, iou: 6 / 14 }, { wanted: 0, iou: .9 }]);
});

Deno.test("matchBoxes() greedy takes boxes without confidence last, equal ones as they stand", () => {
  const matched = (...confidences: (number | null)[]) =>
    matchBoxes(found(...confidences.map((c): [Box, number | null] => [FIRST, c])), wanted(FIRST), {
      matching: "greedy",
      threshold: .5,
    }).map((match) => match.wanted);
  assert.deepEqual(matched(null, 0), [null, 0]);
  assert.deepEqual(matched(.5, .5), [0, null]);
  assert.deepEqual(matched(null, null), [0, null]);
  assert.deepEqual(matched(NaN, Infinity, 5), [null, null, 0]);
});

Deno.test("matchBoxes() pairs from the threshold on, and never boxes that share nothing", () => {
  const half: Box = [0, 0, 5, 10];
  for (const matching of ["greedy", "hungarian"] satisfies Matching[]) {
    const at = (threshold: number, box: Box = half): Match | undefined =>
      matchBoxes(found([box, 1]), wanted(FIRST, SECOND), { matching, threshold })[0];
    assert.deepEqual(at(.5), { wanted: 0, iou: .5 });
    assert.deepEqual(at(.51), { wanted: null, iou: 0 });
    assert.deepEqual(at(0, [50, 50, 60, 60]), { wanted: null, iou: 0 });
    assert.deepEqual(matchBoxes([], wanted(FIRST), { matching, threshold: 0 }), []);
    assert.deepEqual(matchBoxes(found([half, 1]), [], { matching, threshold: 0 }), [{ wanted: null, iou: 0 }]);
  }
});
