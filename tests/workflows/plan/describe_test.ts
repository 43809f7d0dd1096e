import assert from "node:assert/strict";
import { describePlan } from "../../../workflows/plan/describe.ts";
import { planOne, withSteps } from "../planned.ts";
import { GOOD } from "../small_kinds.ts";

Deno.test("describePlan() lists steps with tables, parameters and how often they run", () => {
  const description = describePlan(planOne(GOOD));
  assert.deepEqual(description.lines.map(({ depth, type, id, times }) => [depth, type, id, times]), [
    [0, "step", "load_prompts", 1],
    [0, "step", "load_model", 1],
    [0, "repeat", "", 6],
    [1, "step", "sample_groups", 6],
    [1, "step", "score_rewards", 6],
    [1, "step", "during", 3],
    [0, "step", "after", 1],
    [0, "step", "report", 1],
  ]);
  assert.deepEqual(description.lines[3]!.reads, ["prompts"]);
  assert.deepEqual(description.lines[3]!.params, { group_size: 4, temperature: 1, stop: [] });
  assert.equal(description.lines[2]!.condition, "${{ steps.during.outputs.sampled >= 0.9 }}");
  assert.equal(description.lines[7]!.condition, "always()");
  assert.deepEqual([description.stepCount, description.rounds], [7, 6]);
  assert.deepEqual(description.tables, ["prompts", "completions", "evaluations"]);
});

Deno.test("describePlan() multiplies nested blocks and can be printed as JSON", () => {
  const nested = withSteps(
    "  - repeat: 3\n    steps:\n      - repeat: 5\n        steps: [{ uses: evaluate }]\n      - { uses: report }\n",
  );
  const description = describePlan(planOne(nested));
  assert.deepEqual(description.lines.slice(2).map(({ times }) => times), [3, 15, 15, 3]);
  assert.equal(description.rounds, 15);
  assert.deepEqual(JSON.parse(JSON.stringify(description)).lines.length, 6);
});

Deno.test("describePlan() counts a step that runs every third of seven rounds twice", () => {
  const plan = planOne(withSteps("  - repeat: 7\n    steps: [{ uses: evaluate, every: 3 }]\n"));
  assert.equal(describePlan(plan).lines.at(-1)!.times, 2);
});
