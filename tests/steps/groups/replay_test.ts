import assert from "node:assert/strict";
import { table } from "arquero";
import { judgeGroups } from "../../../steps/groups/judge.ts";
import { replayedGroups } from "../../../steps/groups/replay.ts";

const history = table({
  train_step: [3, 3, 3, 3, 4, 4, 4, 4, 5, 5],
  prompt_id: [1, 1, 2, 2, 3, 3, 1, 1, 8, 8],
  sample: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
  reward: [0, 1, 0, 1, 1, 1, 1, 0, 0, 1],
  replayed_from: [null, null, 1, 1, null, null, null, null, null, null],
});
const given = {
  trainStep: 5,
  count: 4,
  size: 2,
  present: new Set<number>(),
  judge: (rows: Parameters<typeof judgeGroups>[0]) => judgeGroups(rows, "reward", "spread", [0, 1]),
};

Deno.test("replayedGroups() takes the latest groups with spread, each prompt once, none that was replayed itself", () => {
  const replayed = replayedGroups(history, given)!;
  // Of step 4 prompt 1 has spread, prompt 3 not; of step 3 prompt 1 is there already and prompt 2 was replayed.
  assert.deepEqual(Array.from(replayed.array("prompt_id")), [1, 1]);
  assert.deepEqual(Array.from(replayed.array("replayed_from")), [4, 4]);
  assert.deepEqual(Array.from(replayed.array("train_step")), [5, 5]);
  assert.deepEqual(Array.from(replayed.array("reward")), [1, 0]);
});

Deno.test("replayedGroups() is null where nothing fits", () => {
  assert.equal(replayedGroups(history, { ...given, present: new Set([1]) }), null);
  assert.equal(replayedGroups(history, { ...given, size: 4 }), null);
  assert.equal(replayedGroups(history, { ...given, count: 0 }), null);
});
