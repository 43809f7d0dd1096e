import assert from "node:assert/strict";
import { z } from "zod";
import { judgeBoxes, MATCH_PARAMS } from "../../../../steps/rewards/boxes/judge_boxes.ts";
import { rewardBatch } from "../batch.ts";

const judged = (text: string, answer: string, given: Record<string, unknown> = {}) => {
  const options = z.object(MATCH_PARAMS).parse(given);
  const seen: unknown[] = [];
  const value = judgeBoxes("visual/iou", options, rewardBatch([text], { answers: [answer] }), 0, (one) => {
    seen.push(one);
    return 0.25;
  });
  return { value, seen };
};

Deno.test("judgeBoxes() measures found boxes with what became of them", () => {
  const { value, seen } = judged(
    "[{'Position': [0, 0, 10, 8], 'Confidence': 0.5}]",
    "[[0, 0, 10, 10], [20, 0, 30, 10]]",
  );
  assert.equal(value, 0.25);
  assert.deepEqual(seen, [{
    found: [{ box: [0, 0, 10, 8], confidence: 0.5, label: null }],
    matches: [{ wanted: 0, iou: 0.8 }],
    wanted: 2,
  }]);
});

Deno.test("judgeBoxes() passes matching and threshold on", () => {
  const matches = (given: Record<string, unknown>) =>
    (judged("[[0, 0, 10, 4]]", "[0, 0, 10, 10]", given).seen[0] as { matches: { wanted: unknown }[] }).matches[0]!
      .wanted;
  assert.equal(matches({}), null);
  assert.equal(matches({ iou_threshold: 0.4 }), 0);
  const pair = (matching: string) =>
    (judged(
      "[{'box': [4, 0, 14, 10], 'score': 1}, {'box': [0, 0, 10, 9], 'score': 0}]",
      "[[0, 0, 10, 10], [8, 0, 18, 10]]",
      {
        matching,
        iou_threshold: 0,
      },
    ).seen[0] as { matches: { wanted: unknown }[] }).matches.map(({ wanted }) => wanted);
  assert.deepEqual([pair("greedy"), pair("hungarian")], [[0, 1], [1, 0]]);
});

Deno.test("judgeBoxes() does not measure without boxes: 1 where there are none, else 0; null without an answer", () => {
  const cases: [text: string, answer: string, want: number | null][] = [
    ["No Objects", "No Objects", 1],
    ["[]", "<answer>No Objects</answer>", 1],
    ["No Objects", "[1, 2, 3, 4]", 0],
    ["nothing", "No Objects", 0],
    ["<answer>[1, 2, 3, 4]", "[1, 2, 3, 4]", 0],
    ["[[1, 2, 3, 4], [1, 2, NaN, 4]]", "[1, 2, 3, 4]", 0],
    ["[1, 2, 3, 4]", "", null],
  ];
  for (const [text, answer, want] of cases) assert.deepEqual(judged(text, answer), { value: want, seen: [] }, text);
});
