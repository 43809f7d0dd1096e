import assert from "node:assert/strict";
import { detectionIou } from "../../../steps/rewards/detection_iou.ts";
import { rewardBatch } from "./batch.ts";

const TRUE = "<answer>[{'Position': [233, 546, 298, 618], 'Confidence': 1}]</answer>";
const answer = (box: string, confidence: string) =>
  `<think>t</think><answer>[{'Position': [${box}], 'Confidence': ${confidence}}]</answer>`;
const score = (given: Record<string, unknown>, ...texts: string[]) =>
  detectionIou.score(detectionIou.params.parse(given), rewardBatch(texts, { answers: texts.map(() => TRUE) }));

Deno.test("detection_iou gives an elsewhere box with the same y1 1 with the quirk, 0 without", () => {
  const text = answer("733, 546, 798, 621", "0.08");
  assert.deepEqual(score({ quirk: true }, text), [1]);
  assert.deepEqual(score({}, text), [0]);
});

Deno.test("detection_iou is the IoU of one box above a half, and 0 for text that is no list", () => {
  const [right, wrong, none] = score(
    {},
    answer("236, 550, 300, 619", "0.08"),
    answer("3, 4, 9, 9", "1"),
    "none",
  ) as number[];
  assert(Math.abs(right! - 0.8639344262295082) < 1e-15);
  assert.deepEqual([wrong, none], [0, 0]);
});
