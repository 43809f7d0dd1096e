import assert from "node:assert/strict";
import { visualReasoningGrounding } from "../../../../steps/rewards/visual/reasoning_grounding.ts";
import { rewardBatch } from "../batch.ts";

const score = (compat: boolean, texts: string[], answer = "(0,0),(100,100)") =>
  visualReasoningGrounding.score(
    visualReasoningGrounding.params.parse({ compat }),
    rewardBatch(texts, { answers: texts.map(() => answer) }),
  );

Deno.test("visual/reasoning_grounding adds the box and the shape", () => {
  const texts = [
    "<think>t</think><answer>(0,0),(100,100)</answer>",
    "<answer>(0,0),(100,100)</answer>",
    "<think>t</think><answer>(100,100),(0,0)</answer>",
    "<think>t</think><answer>none</answer>",
  ];
  assert.deepEqual(score(false, texts), [2, 1, 1, 1]);
  assert.deepEqual(score(true, texts), [3, 2, 3, 1]);
  assert.deepEqual(score(false, texts.slice(0, 1), ""), [null]);
});
