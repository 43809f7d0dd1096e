import assert from "node:assert/strict";
import { detectionConfidence } from "../../../steps/rewards/detection_confidence.ts";
import { rewardBatch } from "./batch.ts";

const TRUE = "<answer>[{'Position': [233, 546, 298, 618], 'Confidence': 1}]</answer>";
const answer = (box: string, confidence: string) =>
  `<think>t</think><answer>[{'Position': [${box}], 'Confidence': ${confidence}}]</answer>`;
const score = (given: Record<string, unknown>, ...texts: string[]) =>
  detectionConfidence.score(
    detectionConfidence.params.parse(given),
    rewardBatch(texts, { answers: texts.map(() => TRUE) }),
  );

Deno.test("detection_confidence is the confidence of a right box and 1 minus that of a wrong one", () => {
  const scores = score({}, answer("236, 550, 300, 619", "0.25"), answer("3, 4, 9, 9", "0.25"), "none");
  assert.deepEqual(scores, [0.25, 0.75, 0]);
});

Deno.test("detection_confidence of a NaN is NaN as in Visual-RFT, without the quirk 0", () => {
  const text = answer("236, 550, 300, 619", "NaN");
  assert.deepEqual(score({ quirk: true }, text), [NaN]);
  assert.deepEqual(score({}, text), [0]);
});
