import assert from "node:assert/strict";
import { laterWins } from "../../notebooks/later_wins.ts";

Deno.test("laterWins() has each train step of a resumed log once, with its later values, and all that has no step", () => {
  const part = (from: number, to: number, loss: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => ({ train_step: from + i, loss }));
  const rows = laterWins([...part(1, 60, 1), ...part(51, 100, 2)]);
  assert.deepEqual(rows, [...part(1, 50, 1), ...part(51, 100, 2)]);
  assert.deepEqual(laterWins([{ train_step: 1, loss: 1, kl: null }, { train_step: 1, loss: null, kl: 2 }]), [
    { train_step: 1, loss: 1, kl: 2 },
  ]);
  const stepless = [{ train_step: null, loss: 1 }, { train_step: null, loss: 2 }];
  assert.deepEqual(laterWins(stepless), stepless);
  const phases = [{ train_step: 1, phase: "sft" }, { train_step: 1, phase: "rollout" }];
  assert.deepEqual(laterWins(phases), phases);
});
