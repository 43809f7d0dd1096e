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
