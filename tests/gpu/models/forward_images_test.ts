/** A completion goes on behind the images of its prompt, in groups of one and of several. */
import assert from "node:assert/strict";
import { farthest, VISION_CASES, type VisionCase, withVision } from "./vision/vision_golden.ts";

for (const name of Object.keys(VISION_CASES) as VisionCase[]) {
  Deno.test(`forward() of ${name} reads completions behind images as transformers does, prompt by prompt`, async () => {
    await withVision(name, async (model, { prompts, completions, tensors }) => {
      const { data, shape } = tensors.get("logprobs")!;
      for (const [row, completion] of completions.entries()) {
        const sequences = { prompts: [prompts[row]!], group: 2, completions: [completion, completion] };
        for (const own of (await model.logprobs(sequences)).logprobs) {
          assert(farthest(own, data.slice(row * shape[1]!, row * shape[1]! + own.length)) < 1e-4, `row ${row}`);
        }
      }
    });
  });
}
