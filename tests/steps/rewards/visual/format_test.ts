import assert from "node:assert/strict";
import { visualFormat } from "../../../../steps/rewards/visual/format.ts";
import { rewardBatch } from "../batch.ts";

const score = (given: Record<string, unknown>, ...texts: string[]) =>
  visualFormat.score(visualFormat.params.parse(given), rewardBatch(texts));

Deno.test("visual/format wants a block that reasons and one that answers", () => {
  const texts = ["<think>a</think><answer>b</answer>", "<answer>b</answer>", "<think></think><answer></answer>", "b"];
  assert.deepEqual(score({}, ...texts), [1, 0, 0, 0]);
  assert.deepEqual(score({ think: false }, ...texts), [0, 1, 0, 0]);
  assert.deepEqual(score({ compat: true }, ...texts), [1, 0, 1, 0]);
});
