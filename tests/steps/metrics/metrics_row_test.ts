import assert from "node:assert/strict";
import { emptyTable, tableOf } from "../../../data/tables/mod.ts";
import { metricsRow } from "../../../steps/metrics/metrics_row.ts";

const context = (metrics: ReturnType<typeof emptyTable>) => ({ table: () => metrics, trainStep: 3, stepId: "second" });

Deno.test("metricsRow() begins the row of a train step, and adds to the one that another step began", () => {
  const first = metricsRow(context(emptyTable("metrics")), { kl_coef: 0.5 });
  assert.deepEqual(first.objects(), [{ train_step: 3, phase: "rollout", step_id: "second", kl_coef: 0.5 }]);
  const begun = tableOf("metrics", { train_step: [3], phase: ["rollout"], step_id: ["first"], loss: [1], kl: [NaN] });
  const [row] = metricsRow(context(begun), { loss: 2, value_loss: null }).objects() as Record<string, unknown>[];
  const want = { train_step: 3, phase: "rollout", step_id: "first", loss: 2, kl: NaN, value_loss: null };
  assert.deepEqual(row, want);
});
