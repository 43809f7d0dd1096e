import assert from "node:assert/strict";
import { stepsOf } from "../../../workflows/plan/plan.ts";
import { planOne, withSteps } from "../planned.ts";

Deno.test("stepsOf() lists the steps of nested blocks in the order of the file", () => {
  const steps = "  - repeat: 2\n    steps:\n      - { id: b, uses: report }\n      - repeat: 2\n" +
    "        steps: [{ id: c, uses: report }]\n  - { id: d, uses: report }\n";
  const ids = stepsOf(planOne(withSteps(steps)).steps).map(({ id }) => id);
  assert.deepEqual(ids, ["load_prompts", "load_model", "b", "c", "d"]);
});
