import assert from "node:assert/strict";
import type { Box } from "../../../data/boxes/iou.ts";
import { readBoxes } from "../../../data/boxes/read_boxes.ts";
import { visualDetection } from "../../../data/tasks/visual_detection.ts";
import { stored, testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("visual_detection", 4400);
const made = (given: Record<string, unknown>) =>
  visualDetection.rows(
    visualDetection.params.parse({ train_scenes: 400, validation_scenes: 5, held_out_scenes: 60, ...given }),
  );
const three = made({ digits: 3 });
const boxesOf = (answer: string) => readBoxes(answer).boxes.map(({ box }) => box);
const sure = (answer: string) => [...answer.matchAll(/'Confidence': (\d\.\d)/g)].map(([, text]) => Number(text));

Deno.test("visual_detection asks for all digits of a kind and wants their boxes in the form of Visual-RFT", () => {
  for (const { prompt, answer, columns } of [...rows, ...three]) {
    assert.equal(prompt, `Find all ${columns!["label"]}s.`);
    const one = String.raw`\{'Position': \[\d+, \d+, \d+, \d+\], 'Confidence': (?:0\.[5-9]|1\.0)\}`;
    assert.match(answer, new RegExp(`^<answer>\\[${one}(?:, ${one})*\\]</answer>$`));
    for (const [x1, y1, x2, y2] of boxesOf(answer)) {
      assert([x1, y1, x2, y2].every((edge) => edge % 20 === 0) && x1 >= 0 && y1 >= 0 && x2 <= 1000 && y2 <= 1000);
      assert(x2 - x1 >= 60 && y2 - y1 >= 180, answer);
    }
  }
});

Deno.test("visual_detection has scenes of 1 to so many digits, and answers with several boxes, top down and disjoint", () => {
  assert.equal(Math.max(...rows.map(({ answer }) => boxesOf(answer).length)), 1);
  const boxes = three.map(({ answer }) => boxesOf(answer)),
    counts = [1, 2, 3].map((n) => boxes.filter((b) => b.length === n).length);
  // A third of the scenes has one digit; of the others a part repeats what is asked for.
  assert(counts[0]! > 250 && counts[1]! > 40 && counts[2]! > 1, `${counts}`);
  const apart = (a: Box, b: Box) => a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
  for (const list of boxes) {
    list.forEach((box, i) => list.slice(i + 1).forEach((other) => assert(apart(box, other), `${box} ${other}`)));
    const places = list.map(([x1, y1]) => [y1, x1]);
    assert.deepEqual(places, places.toSorted((a, b) => a[0]! - b[0]! || a[1]! - b[1]!));
  }
});

Deno.test("visual_detection's confidences are 0.5 to 1.0, each as often, whatever the box", () => {
  const all = rows.flatMap(({ answer }) => sure(answer));
  for (const value of [0.5, 0.6, 0.7, 0.8, 0.9, 1]) {
    const share = all.filter((one) => one === value).length / all.length;
    assert(Math.abs(share - 1 / 6) < 0.02, `${value}: ${share}`); // Standard error 0.006.
  }
  const far = rows.filter(({ difficulty }) => difficulty > 0.7).flatMap(({ answer }) => sure(answer));
  assert(Math.abs(far.reduce((a, b) => a + b, 0) / far.length - 0.75) < 0.02);
});

Deno.test("visual_detection makes scenes of a split of its own writers' digits", () => {
  for (const { split, columns } of [...rows, ...three]) {
    for (const writer of String(columns!["writer"]).split(",").map(Number)) {
      assert.equal(split, writer < 9 ? "train" : writer === 9 ? "validation" : "held_out");
    }
  }
  assert(three.some(({ columns }) => String(columns!["writer"]).includes(",")));
});

Deno.test("visual_detection draws by its seed, and a scene keeps its place whatever the number of scenes", () => {
  const key = (all: typeof rows) => all.map(({ answer, images }) => `${answer} ${images![0]!.join()}`);
  assert.deepEqual(key(made({ digits: 3 })), key(three));
  assert.notDeepEqual(key(made({ digits: 3, seed: 1 })), key(three));
  const train = (all: typeof rows) => key(all.filter(({ split }) => split === "train"));
  assert.deepEqual(train(made({ digits: 3, train_scenes: 30 })), train(three).slice(0, 30));
});

Deno.test("visual_detection wants all boxes from an overlap of a half on, in any order, and no other", () => {
  const truth: Box[] = [[0, 0, 200, 200], [400, 400, 600, 800]];
  const text = (boxes: readonly Box[]) => JSON.stringify(boxes.map((Position) => ({ Position, Confidence: 0.1 })));
  const row = { answer: `<answer>${text(truth)}</answer>` };
  const judged = (boxes: readonly Box[], around = (inner: string) => `<answer>${inner}</answer>`) =>
    visualDetection.verify(around(text(boxes)), row);
  assert.equal(judged([[400, 420, 600, 800], [20, 0, 200, 200]]), true);
  assert.equal(judged(truth, (inner) => `<think>two</think>\n<answer>${inner.replaceAll('"', "'")}</answer>`), true);
  assert.equal(judged(truth.slice(0, 1)), false);
  assert.equal(judged([...truth, [800, 800, 900, 900]]), false);
  assert.equal(judged([truth[0]!, [400, 600, 600, 800]]), true, "an overlap of a half, as COCO counts it");
  assert.equal(judged([truth[0]!, [400, 602, 600, 800]]), false);
  assert.equal(judged([]), false);
  assert.equal(visualDetection.verify("<answer>No Objects</answer>", row), false);
  assert.equal(visualDetection.verify(three[0]!.answer, stored(three[1]!)), false);
});
