/** Whether a log shows the beginning of its run. */
import assert from "node:assert/strict";
import { interval, startsAtBeginning, startsInTheMiddle } from "../../../../steps/diagnoses/view/start.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("startsAtBeginning() goes by printed steps", () => {
  assert(startsAtBeginning(viewOf({ steps: [10, 20], columns: { loss: [1, 1] } })));
  assert(!startsAtBeginning(viewOf({ steps: [83, 84], columns: { loss: [1, 1] } })));
  assert(startsInTheMiddle(viewOf({ steps: [83, 84], columns: { loss: [1, 1] } })));
  assert.equal(interval(viewOf({ steps: [10, 20], columns: { loss: [1, 1] } })), 10);
});

Deno.test("startsAtBeginning() goes by the epoch where no step is printed", () => {
  const at = (epoch: number[]) => startsAtBeginning(viewOf({ stepsPrinted: false, columns: { epoch, loss: epoch } }));
  assert(at([0.02, 0.05, 0.07]));
  assert(!at([0.31, 0.33]));
  assert(!at([0.08, 0.08]));
  assert(!startsAtBeginning(viewOf({ stepsPrinted: false, columns: { loss: [1] } })));
});
