/** The rule coordinates_mismatch: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { uniform } from "../../../data/random.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { group, type Run, silentOn, testRule, viewOf } from "./synthetic.ts";

testRule("coordinates_mismatch", {
  fires: {
    "Qwen2.5-VL on data normalised to 1000": {
      system: "visual-rft",
      settings: {
        model_name_or_path: "Qwen/Qwen2.5-VL-3B-Instruct",
        dataset_name: "ViRFT_COCO_base65",
        script: "src/open_r1/grpo.py",
      },
    },
    "boxes that differ by one factor": {
      completions: [1, 2, 3, 4].flatMap((i) =>
        group(`find ${i}`, [`[${10 * i}, 20, ${100 * i}, 200]`], [0], { answer: `[${25 * i}, 50, ${250 * i}, 500]` })
      ),
    },
    "fractions where the gold boxes are in thousandths": {
      completions: [1, 2, 3, 4].flatMap((i) =>
        group(`find ${i}`, [`[0.${i}, 0.2, 0.${i + 4}, 0.9]`], [0], { answer: `[${i}00, 200, ${i + 3}00, 900]` })
      ),
    },
  },
  silent: {
    "Qwen2-VL on the same data": {
      system: "visual-rft",
      settings: { model_name_or_path: "Qwen/Qwen2-VL-2B-Instruct", dataset_name: "ViRFT_COCO_base65" },
    },
    "Qwen2.5-VL on classes, started from a folder virft": {
      system: "visual-rft",
      settings: {
        model_name_or_path: "Qwen/Qwen2.5-VL-7B-Instruct",
        dataset_name: "oxford_flowers/base_train",
        script: "/app/src/virft/src/open_r1/grpo_classification.py",
      },
    },
    "Qwen2.5-VL on Visual-RFT's classes": {
      system: "visual-rft",
      settings: { model_name_or_path: "Qwen/Qwen2.5-VL-7B-Instruct", dataset_name: "ViRFT_CLS_flower_4_shot" },
    },
    "Qwen2.5-VL on data of its own, started from a folder virft": {
      system: "visual-rft",
      settings: {
        model_name_or_path: "Qwen/Qwen2.5-VL-7B-Instruct",
        dataset_name: "./boxes_in_pixels",
        script: "/app/src/virft/src/open_r1/grpo.py",
      },
    },
    "boxes in the same pixels": {
      completions: [1, 2, 3, 4].flatMap((i) =>
        group(`find ${i}`, [`[${10 * i}, 20, ${100 * i}, 200]`], [0], { answer: `[${11 * i}, 22, ${103 * i}, 190]` })
      ),
    },
  },
});

Deno.test("coordinates_mismatch cites the lines that name the model and the data, not their variables", () => {
  const found = DIAGNOSES.coordinates_mismatch.check(viewOf({
    system: "visual-rft",
    settings: {
      CKPT: "Qwen2.5-VL-3B-Instruct",
      DATA: "ViRFT_COCO_base65",
      model_name_or_path: "${CKPT}",
      dataset_name: "${DATA}",
    },
  }));
  assert(found !== null && "evidence" in found);
  assert.deepEqual(found.evidence.map(({ value }) => value), ["Qwen2.5-VL-3B-Instruct", "ViRFT_COCO_base65"]);
});

type Numbers = readonly [number, number, number, number];
type Say = (gold: Numbers, picture: { readonly width: number; readonly height: number }) => readonly number[];

interface Pictures {
  readonly noise?: number;
  readonly widths?: readonly [least: number, most: number];
  readonly heights?: readonly [least: number, most: number];
}

/** Twenty prompts of eight completions: gold boxes in thousandths, what a policy says of them, with as much noise as is said. */
function boxes(seed: number, say: Say, { noise = 15, widths = [640, 640], heights = [480, 480] }: Pictures = {}): Run {
  let drawn = 0;
  const between = (from: number, to: number) => from + (to - from) * uniform(seed, "boxes", 0, 0, drawn++);
  return {
    completions: Array.from({ length: 20 }, (_, prompt) => {
      const picture = { width: between(...widths), height: between(...heights) };
      const [across, down] = [between(120, 400), between(120, 400)];
      const [left, top] = [between(0, 1000 - across), between(0, 1000 - down)];
      const gold: Numbers = [left, top, left + across, top + down];
      const written = () => say(gold, picture).map((value) => Math.max(0, Math.round(value + between(-noise, noise))));
      const texts = Array.from({ length: 8 }, () => `[{'Position': [${written().join(", ")}], 'Confidence': 1}]`);
      const answer = `[{'Position': [${gold.map(Math.round).join(", ")}], 'Confidence': 1}]`;
      return group(`${prompt}?`, texts, texts.map((_, i) => i / 10), { answer });
    }).flat(),
  };
}

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);
/** Each number on its way from the middle one to the gold one. */
const towards = (part: number, middle: Numbers): Say => (gold) =>
  gold.map((at, i) => part * at + (1 - part) * middle[i]!);
const MIDDLE: Numbers = [220, 200, 780, 800];
/** The gold box with its middle, grown. */
const grown = (by: number): Say => ([left, top, right, bottom]) => {
  const [x, y, w, h] = [(left + right) / 2, (top + bottom) / 2, by * (right - left) / 2, by * (bottom - top) / 2];
  return [x - w, y - h, x + w, y + h];
};

for (
  const [what, say, noise] of [
    ["policies that say one large box in the middle", () => MIDDLE, 120],
    ["policies that say one small box in the middle", () => [400, 400, 600, 600], 60],
    ["policies that say one box in a corner", () => [10, 10, 260, 240], 40],
    ["policies a third of the way from the middle", towards(0.33, MIDDLE), 60],
    ["policies two thirds of the way from the middle", towards(0.67, MIDDLE), 60],
    ["policies drawn to the far corner", towards(0.6, [700, 700, 990, 990]), 40],
    ["policies whose boxes are too large", grown(1.6), 30],
    ["policies whose boxes are too small", grown(0.6), 10],
    ["policies beside the mark", ([a, b, c, d]) => [a + 90, b + 90, c + 90, d + 90], 40],
    ["policies that are right but for noise", (gold) => gold, 100],
  ] as const satisfies readonly (readonly [string, Say, number])[]
) silentOn("coordinates_mismatch", what, SEEDS.map((seed) => boxes(seed, say, { noise })));

Deno.test("coordinates_mismatch names pixels for thousandths, of pictures of one size and of many, in every seed", () => {
  const pixels: Say = ([a, b, c, d], { width, height }) =>
    [a * width, b * height, c * width, d * height].map((value) => value / 1000);
  for (const seed of SEEDS) {
    for (
      const pictures of [
        { widths: [640, 640], heights: [480, 480] },
        { widths: [1000, 1000], heights: [500, 500] },
        { widths: [200, 700], heights: [200, 700] },
        { widths: [1600, 4000], heights: [1600, 4000] },
      ] satisfies Pictures[]
    ) {
      const found = DIAGNOSES.coordinates_mismatch.check(viewOf(boxes(seed, pixels, { ...pictures, noise: 6 })));
      assert(found !== null && "message" in found, `seed ${seed}, widths ${pictures.widths}`);
    }
  }
  const found = DIAGNOSES.coordinates_mismatch.check(viewOf(boxes(1, pixels, { noise: 0 })));
  assert(found !== null && "message" in found);
  assert.match(
    found.message,
    /^Predicted boxes are the gold ones times 0\.64\d* across and 0\.48\d* down \(100 % of 20 different ones\)/,
  );
  assert.equal(found.evidence.length, 3);
});
