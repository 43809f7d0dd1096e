import assert from "node:assert/strict";
import { visualGrounding } from "../../../../steps/rewards/visual/grounding.ts";
import { rewardBatch } from "../batch.ts";

const score = (given: Record<string, unknown>, ...texts: string[]) =>
  visualGrounding.score(
    visualGrounding.params.parse(given),
    rewardBatch(texts, { answers: texts.map(() => "(0,0),(100,100)") }),
  );

Deno.test("visual/grounding is the IoU of one box, or whether it reaches the threshold", () => {
  const texts = ["(0,0),(100,100)", "[0, 0, 100, 50]", "(50,0),(150,100)", "(200,0),(300,100)", "none"];
  assert.deepEqual(score({}, ...texts), [1, 0.5, 1 / 3, 0, 0]);
  assert.deepEqual(score({ iou_threshold: 0.5 }, ...texts), [1, 1, 0, 0, 0]);
  assert.deepEqual(score({ compat: true }, texts[0]!), [2], "GIoU + 1, as in grpo_lisa.py");
});
