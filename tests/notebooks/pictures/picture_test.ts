import assert from "node:assert/strict";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { captionOf, measureOf, pictureOf } from "../../../notebooks/pictures/picture.ts";

const ID = (letter: string, width = 200, height = 100) => `${letter.repeat(32)}-${width}x${height}.png`;
const PROMPT = promptWithImages("Find all 7s.", [ID("a")]);
const list = (...boxes: readonly (readonly number[])[]) =>
  `<answer>[${boxes.map((box) => `{'Position': [${box.join(", ")}], 'Confidence': 0.5}`).join(", ")}]</answer>`;
const seen = (answer: string, text: string, unit: "thousandths" | "pixels" = "thousandths") =>
  pictureOf({ prompt: PROMPT, answer, text, correct: false }, unit)!;

Deno.test("pictureOf() gives boxes as fractions of the image, in thousandths and in pixels, each with its IoU", () => {
  const picture = seen(list([100, 200, 300, 600]), list([200, 200, 400, 600]));
  assert.deepEqual(picture.ids, [ID("a")]);
  assert.deepEqual(picture.boxes!.gold, [{ box: [0.1, 0.2, 0.3, 0.6], label: null }]);
  assert.deepEqual(picture.boxes!.said.map(({ box }) => box), [[0.2, 0.2, 0.4, 0.6]]);
  // 100 × 400 shared, 300 × 400 together.
  assert(Math.abs(picture.boxes!.said[0]!.iou - 1 / 3) < 1e-12);
  assert.equal(picture.boxes!.said[0]!.confidence, 0.5);
  const pixels = seen(list([20, 20, 60, 60]), list([20, 20, 60, 60]), "pixels");
  assert.deepEqual(pixels.boxes!.gold[0]!.box, [0.1, 0.2, 0.3, 0.6]);
  assert.equal(pixels.boxes!.iou, 1);
});

Deno.test("pictureOf() compares answers and completions that are in two units", () => {
  const unit = { answer: "pixels", said: "thousandths" } as const;
  const row = { prompt: PROMPT, answer: list([20, 20, 60, 60]), text: list([100, 200, 300, 600]) };
  assert.equal(pictureOf(row, unit)!.boxes!.iou, 1);
  assert.equal(pictureOf(row, "thousandths")!.boxes!.iou, 0);
});

Deno.test("pictureOf() divides by the larger count, and has no IoU of what cannot be read", () => {
  const gold = list([0, 0, 100, 100], [500, 500, 600, 600]);
  assert.equal(seen(gold, list([0, 0, 100, 100])).boxes!.iou, 0.5);
  assert.equal(seen(list([0, 0, 100, 100]), gold).boxes!.iou, 0.5);
  assert.equal(seen("No Objects", "<answer>No Objects</answer>").boxes!.iou, 1);
  assert.equal(seen("No Objects", list([0, 0, 9, 9])).boxes!.iou, 0);
  const torn = seen(gold, "<answer>[{'Position': [0, 0, 100");
  assert.deepEqual([torn.boxes!.iou, torn.boxes!.said.length], [0, 0]);
  assert.match(captionOf(torn).text, /^no boxes said: its answer is not closed$/);
});

Deno.test("pictureOf() draws swapped corners as the box between them, which has no IoU", () => {
  const { boxes } = seen(list([100, 100, 500, 500]), list([500, 500, 100, 100]));
  assert.deepEqual(boxes!.said[0]!.box, [0.1, 0.1, 0.5, 0.5]);
  assert.equal(boxes!.said[0]!.iou, 0);
});

Deno.test("pictureOf() has the words of a class, and says right and wrong by sign and word", () => {
  const row = { prompt: PROMPT, answer: "<answer>7</answer>", text: "<think>look</think><answer>1</answer>" };
  const wrong = pictureOf({ ...row, correct: false }, "thousandths")!;
  assert.equal(wrong.boxes, null);
  assert.deepEqual(captionOf(wrong), { verdict: "✗ wrong", text: "said “1”, answer “7”" });
  const right = pictureOf({ ...row, text: "<answer>7</answer>", correct: true }, "thousandths")!;
  assert.deepEqual(captionOf(right), { verdict: "✓ right", text: "said “7”" });
  assert.deepEqual([wrong, right].map(measureOf), [0, 1]);
  const unjudged = pictureOf({ ...row, correct: null }, "thousandths")!;
  assert.deepEqual([captionOf(unjudged).verdict, measureOf(unjudged)], ["", null]);
  assert(pictureOf({ ...row, text: `<answer>${"x\n".repeat(1e5)}`, correct: null }, "thousandths")!.said.length < 80);
});

Deno.test("pictureOf() is null without an image, and shows eight of many", () => {
  assert.equal(pictureOf({ prompt: "1+1=", answer: "2", text: "2" }, "thousandths"), null);
  assert.equal(pictureOf({ prompt: promptWithImages("x", ["../../etc/passwd"]) }, "thousandths"), null);
  const many = pictureOf({ prompt: promptWithImages("x", [..."0123456789"].map((c) => ID(c))) }, "thousandths");
  assert.equal(many!.ids.length, 8);
});

Deno.test("pictureOf() takes a completion of 10^4 boxes and one of 10^6 letters in less than a second", () => {
  const started = performance.now();
  const boxes = Array.from({ length: 10_000 }, (_, i) => [i % 900, i % 800, i % 900 + 50, i % 800 + 50]);
  const { boxes: found } = seen(list([0, 0, 50, 50]), list(...boxes));
  assert(found!.said.length <= 300 && found!.iou === 0);
  seen(list([0, 0, 50, 50]), "[{'Position': [".repeat(70_000));
  assert(performance.now() - started < 1000);
});
