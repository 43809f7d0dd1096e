import assert from "node:assert/strict";
import { promptWithImages } from "../../../../data/datasets/prompt_images.ts";
import { visualGiou } from "../../../../steps/rewards/visual/giou.ts";
import { rewardBatch } from "../batch.ts";

const score = (compat: boolean, ...texts: string[]) =>
  visualGiou.score(
    visualGiou.params.parse({ compat }),
    rewardBatch(texts, { answers: texts.map(() => "(0,0),(100,100)") }),
  ) as number[];
const tagged = (text: string) => `<think>t</think><answer>${text}</answer>`;

Deno.test("visual/giou is half of GIoU + 1, with compat the whole", () => {
  const texts = ["( 0 , 0 ) , (100,100)", "(50,0),(150,100)", "(200,0),(300,100)", "none"].map(tagged);
  const want = [1, 2 / 3, 1 / 3, 0];
  score(false, ...texts).forEach((value, i) => assert(Math.abs(value - want[i]!) < 1e-15, texts[i]));
  score(true, ...texts).forEach((value, i) => assert(Math.abs(value - 2 * want[i]!) < 1e-15, texts[i]));
});

Deno.test("visual/giou wants one box with its corners in order", () => {
  const texts = ["(100,100),(0,0)", "(0,0),(100,100) (300,300),(400,400)", "(5,0),(5,100)"].map(tagged);
  assert.deepEqual(score(false, ...texts), [0, 0, 0]);
});

Deno.test("visual/giou compares boxes in one unit", () => {
  const prompts = [promptWithImages("find it", [`${"0a".repeat(16)}-200x50.png`])];
  const of = (given: Record<string, unknown>) =>
    visualGiou.score(
      visualGiou.params.parse(given),
      rewardBatch(["(20,5),(100,50)"], { prompts, answers: ["(100,100),(500,1000)"] }),
    )[0];
  assert.equal(of({ box_unit: "pixels" }), 1);
  assert(of({})! < 0.5);
});
