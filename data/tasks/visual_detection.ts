/** The task `visual_detection`: where in a scene every digit of one kind is, with confidences. @module */
import { z } from "zod";
import type { Box } from "../boxes/iou.ts";
import { integer } from "../random.ts";
import { uniqueRows } from "./rows/unique_rows.ts";
import { defineTask, type TaskRow } from "./task.ts";
import { DIGIT_COLUMNS, SCENE_PARAMS, sceneCounts } from "./visual/columns.ts";
import { digitsOf } from "./visual/digits.ts";
import { hasRightBoxes } from "./verifiers/boxes.ts";
import { answerBox, drawScene, type Scene, sceneDifficulty, sceneText, writersOf } from "./visual/scene.ts";
import { pictureFile } from "./visual/zoom.ts";

const params = z.strictObject({
  digits: z.int().min(1).max(4).default(1).describe(
    "digits of a scene at most; all numbers from 1 occur equally often",
  ),
  ...SCENE_PARAMS,
});

/** Confidences of the answers, 0.5 to 1.0: drawn, so that supervised learning says nothing of when to be sure. */
const CONFIDENCES = ["0.5", "0.6", "0.7", "0.8", "0.9", "1.0"];

function answerOf(boxes: readonly Box[], confidences: readonly string[]): string {
  const list = boxes.map((box, i) => `{'Position': [${box.join(", ")}], 'Confidence': ${confidences[i]}}`);
  return `<answer>[${list.join(", ")}]</answer>`;
}

/** Boxes of the scene's digits of this kind, from top to bottom, then from left to right. */
const wanted = ({ placed }: Scene, asked: string): Box[] =>
  placed.filter(({ digit }) => digit.label === asked).map(({ box }) => answerBox(box))
    .sort((a, b) => a[1] - b[1] || a[0] - b[0]);

/**
 * "Find all 7s." wants the boxes of all sevens in thousandths of the picture, rounded to multiples of 20, so that an exact
 * answer is among the possible ones. Scenes of a split are made of its own writers' digits.
 */
export const visualDetection = defineTask({
  about:
    "Find all digits of a kind in a scene: wants <answer>[{'Position': [x1, y1, x2, y2], 'Confidence': 1.0}]</answer>",
  params,
  columns: DIGIT_COLUMNS,
  hasImages: true,
  rows({ digits, seed, ...counts }) {
    return sceneCounts(counts).flatMap(([split, count]) => {
      const pool = digitsOf(split), stream = `visual_detection ${split}`;
      const draw = (below: (bound: number) => number) => {
        const scene = drawScene(below, pool, 1 + below(digits), { repeat: true });
        return scene && { scene, asked: scene.placed[below(scene.placed.length)]!.digit.label };
      };
      const keyOf = ({ scene, asked }: { readonly scene: Scene; readonly asked: string }) =>
        `${asked} ${sceneText(scene)}`;
      return uniqueRows(count, stream, draw, keyOf, seed).map(({ scene, asked }, row): TaskRow => {
        const boxes = wanted(scene, asked);
        const sure = boxes.map((_, i) =>
          CONFIDENCES[integer(seed, `${stream} confidence`, 0, row, i, CONFIDENCES.length)]!
        );
        return {
          prompt: `Find all ${asked}s.`,
          images: [pictureFile(scene.picture)],
          answer: answerOf(boxes, sure),
          difficulty: sceneDifficulty(boxes, scene.placed.length),
          split,
          columns: { label: asked, writer: writersOf(scene) },
        };
      });
    });
  },
  verify: hasRightBoxes,
  maxNewTokens({ digits }) {
    const most: Box[] = Array.from({ length: digits }, () => [980, 980, 1000, 1000]);
    return answerOf(most, most.map(() => "1.0")).length + 1;
  },
});
