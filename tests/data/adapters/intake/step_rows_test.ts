import assert from "node:assert/strict";
import { StepRows } from "../../../../data/adapters/intake/step_rows.ts";

Deno.test("StepRows puts names together by their steps, in order; the last of several values counts", () => {
  const steps = new StepRows();
  steps.add(2, "a", 1);
  steps.add(1, "b", 2);
  steps.add(2, "a", 3);
  assert.deepEqual(steps.rows.map(([step, row]) => [step, Object.fromEntries(row)]), [[1, { b: 2 }], [2, { a: 3 }]]);
});

Deno.test("StepRows counts a series that was logged without steps, and leaves a single value at step 0", () => {
  const steps = new StepRows();
  steps.addSeries("many", [{ step: 0, value: 5 }, { step: 0, value: 6 }]);
  steps.addSeries("one", [{ step: 0, value: 7 }]);
  assert.deepEqual(steps.rows.map(([step, row]) => [step, Object.fromEntries(row)]), [
    [0, { one: 7 }],
    [1, { many: 5 }],
    [2, {
      many: 6,
    }],
  ]);
});
