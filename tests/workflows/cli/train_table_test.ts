import assert from "node:assert/strict";
import { TrainTable } from "../../../workflows/cli/train_table.ts";

const FIRST = { event: "train_step", train_step: 1, loss: 2, reward: 0.25, kl: null };
const ROUNDS = { own: false, expected: { count: 30, atMost: false }, before: 0, width: 100 };
const titles = ({ head }: TrainTable) => head.trim().split(/ +/);

Deno.test("TrainTable has the columns of its train steps that have values and find room", () => {
  const all = ["step", "reward", "accuracy", "entropy", "clipped", "length", "trunc", "grad", "tok/s", "ETA"];
  assert.deepEqual(titles(new TrainTable(FIRST, ROUNDS)), all);
  assert(titles(new TrainTable({ ...FIRST, kl: 0.1 }, ROUNDS)).includes("kl"));
  assert.deepEqual(titles(new TrainTable(FIRST, { ...ROUNDS, width: 50 })), [
    "step",
    "reward",
    "accuracy",
    "entropy",
    "trunc",
    "ETA",
  ]);
  const own = { ...ROUNDS, own: true }, sft = { ...FIRST, entropy: 2, tokens_per_second: 9 };
  assert.deepEqual(titles(new TrainTable(sft, own)), ["step", "loss", "entropy", "grad", "tok/s", "ETA"]);
  assert.deepEqual(titles(new TrainTable({ ...FIRST, reward_margin: 0 }, own)), [
    "step",
    "loss",
    "margin",
    "grad",
    "ETA",
  ]);
  assert(
    titles(new TrainTable(FIRST, { ...own, expected: { count: 9, atMost: true, until: 0.5 } })).includes("accuracy"),
  );
});

Deno.test("TrainTable at 80 columns has everything but the pace, in lines that fit; where an end is open the clipping goes too", () => {
  const row = {
    ...FIRST,
    kl: 0.0123,
    entropy: 1,
    clip_fraction: 0.01,
    completion_length: 120.5,
    tokens_per_second: 9999,
  };
  const later = { ...row, train_step: 2, truncated_fraction: 0.5, grad_norm: 12.34 };
  const lost = ({ width, atMost = false }: { width: number; atMost?: boolean }) => {
    const table = new TrainTable(row, { ...ROUNDS, expected: { count: 999, atMost }, width });
    const lines = [table.head, table.row(row, 0), table.row(later, 3_599_000 / 997)];
    for (const line of lines) assert.equal(line.length, lines[0]!.length);
    assert(lines[0]!.length < width, `${lines[0]!.length} of ${width}`);
    assert.match(lines[2]!, atMost ? / ≤ 59 min 59 s$/ : / 59 min 59 s$/);
    const shown = titles(table);
    return ["entropy", "kl", "clipped", "length", "trunc", "grad", "tok/s"].filter((title) => !shown.includes(title));
  };
  assert.deepEqual(lost({ width: 120 }), []);
  assert.deepEqual(lost({ width: 100, atMost: true }), []);
  assert.deepEqual(lost({ width: 80 }), ["tok/s"]);
  assert.deepEqual(lost({ width: 80, atMost: true }), ["clipped", "tok/s"]);
});

Deno.test("TrainTable keeps a few rows, or of those that measured the accuracy fewer and fewer", () => {
  const rounds = new TrainTable(FIRST, ROUNDS);
  assert.deepEqual([2, 3].map((train_step) => rounds.isDue({ ...FIRST, train_step })), [false, true]);
  const own = new TrainTable(FIRST, { ...ROUNDS, own: true, expected: { count: 99, atMost: true, until: 0.5 } });
  const due = (train_step: number, accuracy: number | null) => own.isDue({ ...FIRST, train_step, accuracy });
  assert.deepEqual([due(80, null), due(80, 0.2)], [false, true]);
  own.keep({ ...FIRST, train_step: 80 });
  assert.deepEqual([due(89, 0.2), due(92, 0.2)], [false, true]);
});

Deno.test("TrainTable is over with the last train step that is expected", () => {
  const table = new TrainTable(FIRST, ROUNDS);
  table.row(FIRST, 0);
  assert.equal(table.isOver, false);
  table.row({ ...FIRST, train_step: 30 }, 1000);
  assert.equal(table.isOver, true);
});
