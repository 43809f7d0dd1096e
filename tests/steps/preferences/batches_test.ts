import assert from "node:assert/strict";
import {
  klOf,
  labelledBatch,
  mismatched,
  pairBatch,
  type Part,
  sequencesOf,
} from "../../../steps/preferences/batches.ts";
import type { Example } from "../../../steps/preferences/examples.ts";

const ids = (...list: number[]) => Int32Array.from(list);
const LABELLED: Example[] = [[10, 1], [20, 0], [30, 1]].map(([id, label], row) => ({
  row,
  prompt: ids(row),
  completions: [ids(id!, 99)],
  label: label as 0 | 1,
}));
const PAIRS: Example[] = [{ row: 0, prompt: ids(5), completions: [ids(1, 99), ids(2, 3, 99)], label: null }];

Deno.test("mismatched() gives each prompt the completion of the row above, the first the last one's", () => {
  assert.deepEqual(mismatched(LABELLED).completions, [ids(30, 99), ids(10, 99), ids(20, 99)]);
  assert.deepEqual(mismatched(LABELLED).prompts, sequencesOf(LABELLED).prompts);
});

Deno.test("mismatched() cuts the completion of the row above to what this prompt leaves room for, from its whole length", () => {
  const whole = [ids(10, 11, 12, 99), ids(20, 99), ids(30, 31, 99)], rooms = [1, 3, 2];
  const rows = LABELLED.map((row, r) => ({
    ...row,
    completions: [whole[r]!.slice(0, rooms[r])],
    uncut: { completions: [whole[r]!], room: rooms[r]! },
  }));
  assert.deepEqual(mismatched(rows).completions, [ids(30), ids(10, 11, 12), ids(20, 99)]);
});

Deno.test("klOf() is the mean log-ratio of the mismatched pairs, at least 0", async () => {
  const policy = (value: number) => () => Promise.resolve(LABELLED.map(() => [value, value]));
  assert.equal(await klOf(LABELLED, policy(-1), LABELLED.map(() => [-1.5, -1])), 0.5);
  assert.equal(await klOf(LABELLED, policy(-2), LABELLED.map(() => [-1, -1])), 0);
});

Deno.test("labelledBatch() and pairBatch() hold what the losses read", () => {
  const own = LABELLED.map(() => [-1, -1]),
    part: Pick<Part, "batch"> = { batch: labelledBatch(LABELLED, { own, mismatched: null }, 0.25) };
  assert.deepEqual(part.batch.inputs, { ref_logprobs: own, labels: [1, 0, 1], batch_kl: 0.25 });
  assert.deepEqual(Object.keys(labelledBatch(LABELLED, { own, mismatched: null }, null).inputs!), [
    "ref_logprobs",
    "labels",
  ]);
  const pairs = pairBatch(PAIRS, { own: null, mismatched: null });
  assert.equal(pairs.group, 2);
  assert.deepEqual(pairs.inputs, { chosen_share: 0.5 });
});
