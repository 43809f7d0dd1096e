import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { outlineOf } from "../../../workflows/cli/outline.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { TINY } from "./tiny.ts";

const plan = (text: string) => planWorkflow(parseWorkflow(text, "tiny.yaml", { kinds: STEPS }), STEPS);

Deno.test("outlineOf() counts the rounds of nested blocks and names the steps that stand alone", () => {
  const { alone, rounds, training, resumedAfter } = outlineOf(plan(TINY));
  assert.deepEqual([...alone], ["load_prompts", "load_model", "before", "after", "export_model"]);
  assert.deepEqual(rounds, { count: 6, atMost: false });
  assert.equal(training.size, 0);
  assert.equal(resumedAfter, null);
  const nested = TINY.replace("  - repeat: ${{ params.train_steps }}\n    steps:\n", (head) =>
    `${head}      - repeat: 3
        until: \${{ steps.inner.outputs.sampled >= 0.5 }}
        steps:
          - { id: inner, uses: evaluate, with: { split: validation } }
`);
  assert.deepEqual(outlineOf(plan(nested)).rounds, { count: 18, atMost: true });
});

Deno.test("outlineOf() of a resumed run counts the updates of steps that train by themselves that came before", () => {
  const warm = TINY.replace(
    "  - { id: before",
    "  - { id: warm, uses: fine_tune, with: { max_updates: 40, until_accuracy: 0.5 } }\n  - { id: before",
  );
  const { training, resumedAfter } = outlineOf(plan(warm), { warm: { updates: 12 }, before: { sampled: 0.1 } });
  assert.deepEqual([...training], [["warm", { count: 40, atMost: true, until: 0.5 }]]);
  assert.equal(resumedAfter, 12);
});
