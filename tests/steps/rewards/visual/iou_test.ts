import assert from "node:assert/strict";
import { promptWithImages } from "../../../../data/datasets/prompt_images.ts";
import { visualIou } from "../../../../steps/rewards/visual/iou.ts";
import { rewardBatch } from "../batch.ts";

const TRUE = "<answer>[{'Position': [233, 546, 298, 618], 'Confidence': 1}]</answer>";
const score = (given: Record<string, unknown>, texts: string[], answer = TRUE) =>
  visualIou.score(visualIou.params.parse(given), rewardBatch(texts, { answers: texts.map(() => answer) }));

Deno.test("visual/iou is the IoU of one box, over the larger of both counts for more", () => {
  const right = "[{'Position': [236, 550, 300, 619], 'Confidence': 0.08}]";
  for (const compat of [false, true]) {
    const [value, wrong, none] = score({ compat }, [right, "[3, 4, 9, 9]", "none"].map((t) => `<answer>${t}</answer>`));
    // 62 · 68 shared; 65 · 72 and 64 · 69.
    assert(Math.abs(value! - 4216 / (4680 + 4416 - 4216)) < 1e-12);
    assert.deepEqual([wrong, none], [0, 0]);
  }
  assert.deepEqual(
    score({}, ["[[0, 0, 10, 10], [50, 0, 60, 10]]", "[0, 0, 10, 8]"], "[[0, 0, 10, 10], [20, 0, 30, 10]]"),
    [
      0.5,
      0.4,
    ],
  );
  // More than there are.
  assert.deepEqual(score({}, ["[[0, 0, 10, 10], [50, 0, 60, 10], [70, 0, 80, 10]]"], "[[0, 0, 10, 10]]"), [1 / 3]);
});

Deno.test("visual/iou takes a threshold and the best pairs", () => {
  const found = "[{'box': [4, 0, 14, 10], 'score': 1}, {'box': [0, 0, 10, 9], 'score': 0}]";
  const of = (given: Record<string, unknown>) => score(given, [found], "[[0, 0, 10, 10], [8, 0, 18, 10]]")[0]!;
  const near = (value: number, want: number) => assert(Math.abs(value - want) < 1e-12, `${value}, want ${want}`);
  near(of({}), .9 / 2);
  near(of({ matching: "hungarian" }), .9 / 2);
  near(of({ iou_threshold: 0 }), (6 / 14 + 18 / 172) / 2);
  near(of({ iou_threshold: 0, matching: "hungarian" }), (6 / 14 + .9) / 2);
});

Deno.test("visual/iou compares boxes in one unit", () => {
  const prompts = [promptWithImages("find it", [`${"0a".repeat(16)}-200x50.png`])];
  const of = (given: Record<string, unknown>) =>
    visualIou.score(
      visualIou.params.parse(given),
      rewardBatch(["[100, 100, 500, 1000]"], { prompts, answers: ["[20, 5, 100, 50]"] }),
    )[0];
  assert.deepEqual([of({ answer_unit: "pixels" }), of({})], [1, 0]);
});
