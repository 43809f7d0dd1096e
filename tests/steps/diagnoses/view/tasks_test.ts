/** Tasks by name. */
import assert from "node:assert/strict";
import { pairing } from "../../../../steps/diagnoses/view/tasks.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("pairing() reads data, script and reward apart", () => {
  const { data, script, reward } = pairing(viewOf({
    settings: { dataset_name: "openai/gsm8k", command: "src/virft/src/open_r1/grpo.py", reward_funcs: "accuracy_iou" },
  }));
  assert.deepEqual([data?.task, script?.task, reward?.task], ["math", "detection", "detection"]);
  assert.deepEqual(pairing(viewOf({})), { data: null, script: null, reward: null });
});
