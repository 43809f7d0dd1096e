/** Whether a log shows the beginning of its run. */
import assert from "node:assert/strict";
import {
  followsWarmStart,
  interval,
  isUnmoved,
  startsAtBeginning,
  startsInTheMiddle,
} from "../../../../steps/diagnoses/view/start.ts";
import { group, viewOf } from "../synthetic.ts";

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

Deno.test("startsInTheMiddle() goes by the epoch where no step is printed", () => {
  const at = (epoch: (number | null)[]) =>
    startsInTheMiddle(viewOf({ stepsPrinted: false, columns: { epoch, loss: epoch } }));
  assert(at([0.61, 0.63, 0.65]));
  assert(!at([0.02, 0.04]));
  assert(!at([0.1, 0.12]), "a few records are missing, no more");
  assert(!at([0.61, 0.61]), "rounded: nobody knows how far apart they are");
  assert(!at([null, 0.63]));
  assert(!startsInTheMiddle(viewOf({ stepsPrinted: false, columns: {} })));
});

Deno.test("isUnmoved() counts from the end of a warm start of the same run", () => {
  const warmStart = { algorithm: "sft", own: true, columns: { loss: [1, 1] } };
  const after = (steps: number[]) =>
    viewOf({ own: true, steps, columns: { grad_norm: steps.map(() => 0) }, warmStart });
  assert(followsWarmStart(after([3, 4])) && isUnmoved(after([3, 4])));
  assert(!followsWarmStart(after([5, 6])) && !isUnmoved(after([5, 6])));
});

Deno.test("isUnmoved() is true where the first update of a run of ours left no record", () => {
  const completions = (trainStep: number) => group("a?", ["1"], [0], { trainStep });
  assert(isUnmoved(viewOf({ own: true, completions: completions(1) })));
  assert(!isUnmoved(viewOf({ own: true, completions: completions(4) })));
  assert(!isUnmoved(viewOf({ completions: completions(1) })));
});
