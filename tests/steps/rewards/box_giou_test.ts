import assert from "node:assert/strict";
import { boxGiou } from "../../../steps/rewards/box_giou.ts";
import { rewardBatch } from "./batch.ts";

const score = (quirk: boolean, ...texts: string[]) =>
  boxGiou.score({ quirk }, rewardBatch(texts, { answers: texts.map(() => "(0,0),(100,100)") }));
const tagged = (text: string) => `<think>t</think><answer>${text}</answer>`;

Deno.test("box_giou is GIoU + 1 of one box: 2 for the same, a third more than 1 for half of it, 0 for none", () => {
  for (const quirk of [true, false]) {
    const [same, half, none] = score(
      quirk,
      tagged("( 0 , 0 ) , (100,100)"),
      tagged("(50,0),(150,100)"),
      tagged("none"),
    ) as number[];
    assert.deepEqual([same, none], [2, 0]);
    assert(Math.abs(half! - 4 / 3) < 1e-15, `${half}`);
  }
});

Deno.test("box_giou gives reversed corners and two boxes what Visual-RFT gives them with the quirk, else 0", () => {
  const texts = [tagged("(100,100),(0,0)"), tagged("(0,0),(100,100) (300,300),(400,400)")];
  const [reversed, two] = score(true, ...texts) as number[];
  assert.equal(reversed, 2);
  // Read as (0,0),(300,300): a ninth of it is shared.
  assert(Math.abs(two! - (1 / 9 + 1)) < 1e-15, `${two}`);
  assert.deepEqual(score(false, ...texts), [0, 0]);
});
