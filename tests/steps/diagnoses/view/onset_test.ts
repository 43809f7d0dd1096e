import assert from "node:assert/strict";
import { leavesBest, leavesStart, onset, onsetOfSize } from "../../../../steps/diagnoses/view/onset.ts";
import { ramp, viewOf } from "../synthetic.ts";
import { RunView } from "../../../../steps/diagnoses/view/run_view.ts";

Deno.test("onset() is where the level jumps, wherever that is and whatever the noise", () => {
  for (const at of [1, 5, 20, 39]) {
    const values = ramp(0, 0, 40).map((ripple, i) => ripple + (i < at ? 0.1 : 0.9));
    assert.equal(onset(values), at);
    assert.equal(onset(values.map((value) => -value)), at);
  }
});

Deno.test("onset() of a slow change is where it is half done, of no values 0", () => {
  assert.equal(onset(ramp(0, 1, 40, 0)), 20);
  assert.deepEqual([onset([]), onset([3])], [0, 0]);
});

Deno.test("onsetOfSize() sees the first growth, not the largest value", () => {
  const values = [1e-4, 2e-4, 1e-4, 2, 3, 2, 40, 30];
  assert.equal(onsetOfSize(values), 3);
  assert.equal(onset(values), 6);
  assert.equal(onsetOfSize([0, 0, 5, 6]), 2);
});

Deno.test("leavesStart() and leavesBest() are records of a long run's course, null of a short one and of a part", () => {
  const loss = [...ramp(2, 1, 60, 0), ...ramp(1, 3, 60, 0)], view = viewOf({ columns: { loss, kl: ramp(0, 1, 12) } });
  const best = leavesBest(view, "loss", -1)!;
  assert(best >= 60 && best <= 70, String(best));
  assert.equal(leavesBest(view, "loss"), null, "it ends at its highest");
  assert(leavesStart(view, "loss")! > 60);
  assert.equal(leavesStart(view, "kl"), null);
  const part = new RunView({ imported: true, trainSteps: view.trainSteps, columns: view.columns, isWhole: false });
  assert.equal(leavesStart(part, "loss"), null);
});
