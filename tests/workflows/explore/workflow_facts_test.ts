import assert from "node:assert/strict";
import { workflowFacts } from "../../../workflows/explore/workflow_facts.ts";

const WORKFLOW = `
steps:
  - { id: load_prompts, uses: load_prompts, with: { file: a.jsonl, splits: { train: 0.8 } } }
  - { uses: load_model, with: { model: small } }
  - { uses: fine_tune, with: { batch_size: 3 } }
  - { id: before, uses: evaluate, with: { rewards: [{ uses: verifier }] } }
  - { id: after, uses: evaluate, with: { rewards: [] } }
  - repeat: 3
    steps:
      - { uses: sample_groups, with: { group_size: 3 } }
      - id: score
        uses: score_rewards
        with:
          rewards:
            - { uses: visual/iou, weight: 1, with: { iou_threshold: 0.3 } }
            - { uses: ./mine.ts, weight: 0.5, with: {} }
            - { uses: format, name: shape }
            - 7
`;

Deno.test("workflowFacts() are the options of data and models, and every step's rewards on one line", () => {
  assert.deepEqual(workflowFacts(WORKFLOW), [
    ["load_prompts.file", "a.jsonl"],
    ["load_prompts.splits", '{"train":0.8}'],
    ["load_model.model", "small"],
    ["before.rewards", "verifier"],
    ["after.rewards", null],
    ["score.rewards", 'visual/iou {"iou_threshold":0.3}, 0.5 × mine, shape, 7'],
  ]);
});

Deno.test("workflowFacts() has nothing of a file that is no workflow", () => {
  for (const text of ["", "steps: [", "steps: 3", "steps: [1, null, { uses: 2 }]", "steps: [{ uses: load_model }]"]) {
    assert.deepEqual(workflowFacts(text), [], text);
  }
});
