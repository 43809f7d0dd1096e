import assert from "node:assert/strict";
import { thinRows } from "../../notebooks/thin_rows.ts";

Deno.test("thinRows() keeps the extremes of every stretch, what is not finite, and the order", () => {
  const rows = Array.from({ length: 5000 }, (_, i) => ({
    train_step: i + 1,
    phase: i < 4000 ? "sft" : "rollout",
    loss: i === 1234 ? 99 : i === 2345 ? NaN : Math.sin(i),
    kl: i < 4000 ? null : i,
  }));
  const thin = thinRows(rows, ["loss", "kl"]);
  assert(thin.length < 1800 && thin.length > 400, String(thin.length));
  for (const step of [1, 1235, 2346, 4000, 4001, 5000]) {
    assert(thin.some((row) => row["train_step"] === step), `${step}`);
  }
  assert(thin.every((row, i) => i === 0 || Number(row["train_step"]) > Number(thin[i - 1]!["train_step"])));
});

Deno.test("thinRows() leaves few rows as they are", () => {
  const rows = Array.from({ length: 480 }, (_, i) => ({ train_step: i, phase: "rollout", loss: 1 }));
  assert.deepEqual(thinRows(rows, ["loss"]), rows);
});

Deno.test("thinRows() keeps the lowest and the highest of each stretch of each column", () => {
  const at = (i: number, low: number, high: number) => i === low ? -50 : i === high ? 50 : Math.sin(i) / 10;
  const rows = Array.from({ length: 3000 }, (_, i) => ({ train_step: i, loss: at(i, 777, 1501), kl: at(i, 2222, 31) }));
  const kept = new Set(thinRows(rows, ["loss", "kl"]).map((row) => row["train_step"]));
  for (const step of [777, 1501, 2222, 31]) assert(kept.has(step), `${step}`);
  for (let from = 0; from < rows.length; from += 13) { // 3,000 rows in 240 stretches
    const stretch = rows.slice(from, from + 13);
    for (const column of ["loss", "kl"] as const) {
      for (const end of [Math.min, Math.max]) {
        const value = end(...stretch.map((row) => row[column]));
        assert(stretch.some((row) => row[column] === value && kept.has(row.train_step)), `${column} of ${from}`);
      }
    }
  }
});

Deno.test("thinRows() keeps the first and the last of a phase, and no row of a column that is not drawn", () => {
  const rows = Array.from(
    { length: 2400 },
    (_, i) => ({ train_step: i, loss: i % 10 === 4 ? 9 : 1, other: (i * 7919) % 101 }),
  );
  const steps = thinRows(rows, ["loss"]).map((row) => row["train_step"]);
  assert.deepEqual([steps[0], steps.at(-1)], [0, 2399]);
  assert(steps.length <= 2 * 240 + 2, `${steps.length}`);
});
