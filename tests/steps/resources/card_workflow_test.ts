import assert from "node:assert/strict";
import { cardWorkflow } from "../../../steps/resources/card_workflow.ts";

const TEXT = `name: x
params: { data: /home/me/rows.jsonl }
steps:
  - { uses: load_prompts, with: { file: "\${{ params.data }}" } }
  - { uses: load_preferences, with: { file: "hf:datasets/org/pairs@main/train.parquet" } }
  - { uses: load_prompts, with: { task: addition } }
  - repeat: 3
    steps:
      - uses: score_rewards
        with: { rewards: [{ uses: verifier, weight: 1 }, { uses: ../mine/my_reward.ts, weight: 0.5 }, { uses: format }] }
      - { uses: apply_update }
  - { uses: export_model, with: { folder: /home/me/out } }
  - { uses: export_model, with: { file: "\${{ steps.x.outputs.folder }}" } }
`;

Deno.test("cardWorkflow() lists steps once, and files by their names alone", () => {
  assert.deepEqual(cardWorkflow(TEXT), {
    steps: ["load_prompts", "load_preferences", "score_rewards", "apply_update", "export_model"],
    rewards: ["verifier", "my_reward.ts × 0.5", "format"],
    data: ["rows.jsonl", "org/pairs", "task addition"],
    datasets: ["org/pairs"],
  });
});

Deno.test("cardWorkflow() has nothing to say of a file that is no workflow", () => {
  for (const text of ["", "steps: 3", "- 1", "{", "steps: [{ uses: 3, with: [1] }, 7]"]) {
    assert.deepEqual(cardWorkflow(text), { steps: [], rewards: [], data: [], datasets: [] }, text);
  }
});
