/** Train steps that somebody names. */
import assert from "node:assert/strict";
import { finish } from "../../../../data/adapters/run/finish.ts";
import { tableView } from "../../../../steps/diagnoses/view/table_view.ts";
import { knownSteps } from "../../../../steps/diagnoses/view/told_steps.ts";
import { readPost } from "../../../data/adapters/post/read_post.ts";

for (
  const [text, steps] of [
    ["TRL GRPO: the reward rises from 0.1 to 0.8.", []],
    ["TRL GRPO: the reward rises from 0.1 to 0.8 in the first 120 steps.", [1, 120]],
    ["TRL GRPO: the reward is 0.1 at step 40, always.", [40]],
    ["TRL GRPO.\n\nstep 10: reward 0.1\nstep 20: reward 0.2\n\nThe KL goes from 0.1 to 0.2.", [10, 20]],
  ] as const
) {
  Deno.test(`knownSteps() are ${JSON.stringify(steps)} in "${text}"`, async () => {
    const view = tableView(finish("post.md", await readPost(text))[0]!.rows);
    assert.deepEqual([...knownSteps(view)].sort((a, b) => a - b), steps);
  });
}
