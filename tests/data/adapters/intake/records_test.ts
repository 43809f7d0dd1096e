import assert from "node:assert/strict";
import { Intake } from "../../../../data/adapters/intake/intake.ts";

function opened(): Intake {
  const intake = new Intake();
  intake.openSource("log.txt", "console", 0);
  return intake;
}

function stage(intake: Intake, values: Record<string, number>) {
  intake.stage.reset();
  for (const [name, value] of Object.entries(values)) intake.stage.put(name, value);
}

Deno.test("Records opens a segment where the train step or the epoch goes back to the start, and says why", () => {
  const intake = opened();
  for (const step of [1, 2, 1, 2]) {
    stage(intake, { loss: step });
    intake.commit({ line: 1, step });
  }
  for (const epoch of [3, 4, 1]) {
    stage(intake, { loss: epoch, epoch });
    intake.commit({ line: 2 });
  }
  assert.deepEqual(intake.records.segments.map(({ opened }) => opened), [
    "first record",
    "train step went back to 1",
    "epoch went back to 1",
  ]);
});

Deno.test("Records keeps one rank, and tells of another one's number that is not finite", () => {
  const intake = opened();
  for (const [rank, loss] of [[0, 1], [3, 2], [3, NaN]] as const) {
    stage(intake, { loss });
    intake.commit({ line: 7, step: 1 + rank, rank });
  }
  assert.equal(intake.records.segments[0]!.train.rows, 1);
  assert.deepEqual(intake.messages.map(({ kind, text, value }) => [kind, text, value]), [
    ["non_finite_on_other_rank", "rank 3: loss", 3],
  ]);
  assert.deepEqual(intake.skipped.map(({ count }) => count), [2]);
});

Deno.test("Records takes a resume (the step goes back, not to the start) as one run", () => {
  const intake = opened();
  for (const step of [1, 2, 3, 4, 3, 4, 5]) {
    stage(intake, { loss: step });
    intake.commit({ line: step, step });
  }
  assert.equal(intake.records.segments.length, 1);
});

Deno.test("Records bounds the number of runs in one file", () => {
  const intake = opened();
  for (let i = 0; i < 200; i++) {
    stage(intake, { loss: i });
    intake.commit({ line: i, step: 200 - i });
  }
  assert(intake.records.segments.length <= 32);
});
