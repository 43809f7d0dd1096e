/** The task `visual_grounding`: where in a scene one digit is, which no other resembles. @module */
import { z } from "zod";
import type { Box } from "../boxes/iou.ts";
import { uniqueRows } from "./rows/unique_rows.ts";
import { defineTask, type TaskRow } from "./task.ts";
import { DIGIT_COLUMNS, SCENE_PARAMS, sceneCounts } from "./visual/columns.ts";
import { digitsOf } from "./visual/digits.ts";
import { hasRightBoxes } from "./verifiers/boxes.ts";
import { answerBox, drawAlone, drawScene, sceneDifficulty, sceneText, writersOf } from "./visual/scene.ts";
import { pictureFile } from "./visual/zoom.ts";

const params = z.strictObject({
  digits: z.int().min(2).max(4).default(2).describe(
    "digits of a scene at most; all numbers from 2 occur equally often",
  ),
  ...SCENE_PARAMS,
});

const answerOf = ([x1, y1, x2, y2]: Box) => `(${x1},${y1}),(${x2},${y2})`;

/** "Where is the 7?" wants the corners of the only seven's box, in thousandths of the picture, rounded to multiples of 20. */
export const visualGrounding = defineTask({
  about: "Say where the only digit of a kind is in a scene: Where is the 7? wants (x1,y1),(x2,y2)",
  params,
  columns: DIGIT_COLUMNS,
  hasImages: true,
  rows({ digits, seed, ...counts }) {
    return sceneCounts(counts).flatMap(([split, count]) => {
      const pool = digitsOf(split);
      const draw = (below: (bound: number) => number) => {
        const scene = drawScene(below, pool, 2 + below(digits - 1), { repeat: false });
        const asked = scene && drawAlone(below, scene);
        return scene && asked && { scene, asked };
      };
      type Drawn = NonNullable<ReturnType<typeof draw>>;
      const keyOf = ({ scene, asked }: Drawn) => `${asked.digit.label} ${sceneText(scene)}`;
      return uniqueRows(count, `visual_grounding ${split}`, draw, keyOf, seed).map(({ scene, asked }): TaskRow => {
        const box = answerBox(asked.box), { label } = asked.digit;
        return {
          prompt: `Where is the ${label}?`,
          images: [pictureFile(scene.picture)],
          answer: answerOf(box),
          difficulty: sceneDifficulty([box], scene.placed.length),
          split,
          columns: { label, writer: writersOf(scene) },
        };
      });
    });
  },
  verify: hasRightBoxes,
  maxNewTokens: () => answerOf([980, 980, 1000, 1000]).length + 1,
});
