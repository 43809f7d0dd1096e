/** trainer_state.json. @module */
import type { ColumnTable } from "arquero";
import assert from "node:assert/strict";
import { toTrainerState, TRL_NAMES } from "../../../../data/tables/formats/trainer_state.ts";
import { TABLES } from "../../../../data/columns.ts";
import { type RewardMeans, trackedSteps } from "../../../../data/tables/formats/tracked_steps.ts";
import { tableOf } from "../../../../data/tables/table_of.ts";

function written(metrics: ColumnTable, rewards?: RewardMeans): string {
  return [...toTrainerState(trackedSteps(metrics, () => 0, rewards), metrics.numRows(), 2)].join("");
}

Deno.test("toTrainerState() writes TRL's names, leaves absent values out and keeps NaN", () => {
  const metrics = tableOf("metrics", { train_step: [1, 2], loss: [0.5, NaN], kl: [null, 0.25] });
  const text = written(metrics, new Map([[2, new Map([["reward.format", 0.5]])]]));
  assert.match(text, /"loss": NaN, "kl": 0\.25, "rewards\/format\/mean": 0\.5, "phase": "rollout", "step": 2/);
  const { global_step, log_history } = JSON.parse(text.replace("NaN", "null"));
  assert.deepEqual([global_step, log_history[0]], [2, { loss: 0.5, phase: "rollout", step: 1 }]);
});

Deno.test("toTrainerState() keeps columns that TRL does not know, the deviation over the batch beside that of groups", () => {
  const text = written(tableOf("metrics", {
    train_step: [1],
    phase: ["rollout"],
    step_id: ["apply_update"],
    reward_std: [0.5],
    group_reward_std: [0.25],
    non_finite: [3],
  }));
  assert.deepEqual(JSON.parse(text).log_history, [{
    reward_std: 0.25,
    phase: "rollout",
    step_id: "apply_update",
    batch_reward_std: 0.5,
    non_finite: 3,
    step: 1,
  }]);
});

Deno.test("TRL_NAMES maps columns that exist, each name once", () => {
  for (const column of Object.keys(TRL_NAMES)) assert.ok(Object.hasOwn(TABLES.metrics, column), column);
  assert.equal(new Set(Object.values(TRL_NAMES)).size, Object.keys(TRL_NAMES).length);
});
