/** The task `visual_classification`: which digit a picture shows, learned from a few pictures of each. @module */
import { z } from "zod";
import { judgedText } from "../boxes/judged_text.ts";
import type { Split } from "../datasets/split.ts";
import { shuffle } from "../random.ts";
import { defineTask, type TaskRow } from "./task.ts";
import { DIGIT_COLUMNS, DRAWN_BY_SEED } from "./visual/columns.ts";
import { type Digit, digitsOf, SIDE } from "./visual/digits.ts";
import { CANVAS, pictureFile, zoomed } from "./visual/zoom.ts";

const FILLING = CANVAS / SIDE; // The scale at which a digit fills the picture.
const SCALES = [0.85, 0.92, 1, 1.08]; // Of that scale.
const SHIFTS = [-4, -3, -2, -1, 0, 1, 2, 3, 4]; // Pixels, down and to the right.
const JITTERS = SCALES.flatMap((scale) => SHIFTS.flatMap((down) => SHIFTS.map((right) => ({ scale, down, right }))));

const params = z.strictObject({
  shots: z.int().min(1).max(200).default(10).describe("digits of each class to train on; all that there are, if fewer"),
  augmentations: z.int().min(0).max(JITTERS.length).default(32).describe(
    "pictures of each digit to train on, each scaled and shifted a little; 0: one, as it is",
  ),
  seed: DRAWN_BY_SEED.describe("of which digits are trained on, and how they are scaled and shifted"),
});

const CLASSES = Array.from({ length: 10 }, (_, digit) => String(digit));

/** Share of the distance to a digit's own class in the sum with that to the nearest other one: above a half it looks like another. */
function difficulties(train: readonly Digit[]): (digit: Digit) => number {
  const means = CLASSES.map((name) => {
    const own = train.filter(({ label }) => label === name);
    return Float64Array.from(own[0]!.ink, (_, i) => own.reduce((sum, { ink }) => sum + ink[i]!, 0) / own.length);
  });
  return ({ ink, label }) => {
    const away = means.map((mean) => Math.hypot(...mean.map((value, i) => value - ink[i]!)));
    const own = away[Number(label)]!, other = Math.min(...away.filter((_, i) => i !== Number(label)));
    return own / (own + other);
  };
}

/** "What digit is this?" wants a text with <answer>7</answer>. Train, validation and held_out have other writers. */
export const visualClassification = defineTask({
  about: "Name the digit of a picture, a few pictures a digit: wants <think>look</think><answer>7</answer>",
  params,
  columns: DIGIT_COLUMNS,
  hasImages: true,
  rows({ shots, augmentations, seed }) {
    const train = digitsOf("train"), difficulty = difficulties(train);
    const row = (split: Split, digit: Digit, { scale, down, right } = { scale: 1, down: 0, right: 0 }): TaskRow => {
      const size = FILLING * scale, border = (CANVAS - SIDE * size) / 2;
      return {
        prompt: "What digit is this?",
        images: [pictureFile(zoomed(digit.ink, size, border + down, border + right))],
        answer: `<think>look</think><answer>${digit.label}</answer>`,
        difficulty: difficulty(digit),
        split,
        columns: { label: digit.label, writer: String(digit.writer) },
      };
    };
    const shown = CLASSES.flatMap((name, i) =>
      shuffle(train.filter(({ label }) => label === name), seed, "visual_classification shots", 0, i).slice(0, shots)
    );
    const jittered = (digit: Digit) =>
      shuffle(JITTERS, seed, "visual_classification jitter", 0, digit.row).slice(0, augmentations);
    return [
      ...shown.flatMap((digit) =>
        augmentations === 0 ? [row("train", digit)] : jittered(digit).map((jitter) => row("train", digit, jitter))
      ),
      ...(["validation", "held_out"] as const).flatMap((split) => digitsOf(split).map((digit) => row(split, digit))),
    ];
  },
  verify: (completion, { answer }) => judgedText(completion) === judgedText(String(answer)),
  maxNewTokens: () => "<think>look</think><answer>7</answer>".length + 1,
});
