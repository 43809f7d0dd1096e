import assert from "node:assert/strict";
import { briefText } from "../../../notebooks/pictures/brief.ts";

Deno.test("briefText() has boxes and confidences alone, words of an answer, and all of what cannot be read", () => {
  const box = (at: number) => `{'Position': [${at}, 2, 3, 4], 'Confidence': 0.5}`;
  for (
    const [text, brief] of [
      [`<answer>[${box(1)}]</answer>`, "1,2,3,4 conf. 0.5"],
      ["[[1, 2, 3, 4], [5, 6, 7, 8]]", "1,2,3,4; 5,6,7,8"],
      [
        `[${[1, 2, 3, 4, 5, 6].map(box).join()}]`,
        `${[1, 2, 3, 4].map((x) => `${x},2,3,4 conf. 0.5`).join("; ")} and 2 more`,
      ],
      ["<think>it is round</think><answer>0</answer>", "0"],
      ["<answer>No Objects</answer>", "No Objects"],
      ["<answer></answer>", "<answer></answer>"],
      ["<answer>[{'Position': [1, 2", "<answer>[{'Position': [1, 2"],
      ["[[1, 2, 3, 4], [1, 2, 3]]", "[[1, 2, 3, 4], [1, 2, 3]]"],
      ["", ""],
    ] as const
  ) assert.equal(briefText(text), brief);
});

Deno.test("briefText() leaves out the confidence of what is sure to be right", () => {
  const one = "<answer>[{'Position': [160, 420, 720, 880], 'Confidence': 1}]</answer>";
  assert.deepEqual([briefText(one), briefText(one, { sure: true })], ["160,420,720,880 conf. 1", "160,420,720,880"]);
});
