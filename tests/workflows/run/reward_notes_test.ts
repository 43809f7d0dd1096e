import assert from "node:assert/strict";
import { rewardNotes } from "../../../workflows/run/reward_notes.ts";

const workflow = (...rewards: string[]) =>
  `steps:\n${rewards.map((list) => `  - repeat: 1\n    steps: [{ with: { rewards: [${list}] } }]\n`).join("")}`;

Deno.test("rewardNotes() says from which IoU on a reward counts a box, its default too, by its own name", () => {
  assert.deepEqual(rewardNotes(workflow("{ uses: visual/iou }, { uses: visual/giou }, { uses: verifier }")), {
    "visual/iou": "a box counts from IoU 0.5 on",
  });
  const named = "{ uses: visual/iou, name: near, with: { iou_threshold: 0.3 } }, { uses: visual/confidence }";
  assert.deepEqual(rewardNotes(workflow(named)), {
    near: "a box counts from IoU 0.3 on",
    "visual/confidence": "a box counts from IoU 0.5 on",
  });
  const asked = workflow('{ uses: visual/iou, with: { iou_threshold: "${{ params.t }}" } }');
  assert.deepEqual(rewardNotes(`params: { t: 0.7 }\n${asked}`), { "visual/iou": "a box counts from IoU 0.7 on" });
  assert.deepEqual(rewardNotes(workflow("{ uses: visual/iou, with: { iou_threshold: 0 } }, { uses: ./iou.ts }")), {});
});

Deno.test("rewardNotes() tells all that rewards of one name say, and nothing of what it cannot read", () => {
  const two = workflow(
    "{ uses: visual/iou }",
    "{ uses: visual/iou, with: { iou_threshold: 0.7 } }",
    "{ uses: visual/iou }",
  );
  assert.deepEqual(rewardNotes(two), { "visual/iou": "a box counts from IoU 0.5 on, or a box counts from IoU 0.7 on" });
  for (
    const text of [
      "rewards: [",
      "",
      "rewards: 3",
      "rewards: [1, null, { uses: [] }]",
      workflow("{ uses: visual/iou, with: 3 }"),
    ]
  ) {
    assert.deepEqual(rewardNotes(text), {}, text);
  }
});
