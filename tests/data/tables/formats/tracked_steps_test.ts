import assert from "node:assert/strict";
import {
  evaluationSteps,
  inOrder,
  rewardMeans,
  trackedName,
  trackedParts,
  type TrackedStep,
  trackedSteps,
} from "../../../../data/tables/formats/tracked_steps.ts";
import { onePiece, tableOf } from "../../../../data/tables/mod.ts";

Deno.test("trackedSteps() gives each row with what it has; reward functions stand with the rollouts", () => {
  const metrics = tableOf("metrics", {
    train_step: [1, 2],
    phase: ["sft", "rollout"],
    step_id: ["a", null],
    loss: [NaN, null],
  });
  const rewards = new Map([[1, new Map([["reward.x", 1]])], [2, new Map([["reward.x", 2]])]]);
  assert.deepEqual([...trackedSteps(metrics, (step) => step * 10, rewards)], [
    { trainStep: 1, phase: "sft", stepId: "a", time: 10, values: [["loss", NaN]] },
    { trainStep: 2, phase: "rollout", stepId: null, time: 20, values: [["reward.x", 2]] },
  ]);
});

Deno.test("rewardMeans() is over the completions that a function judged", () => {
  const table = tableOf("completions", {
    train_step: [1, 1, 2],
    "reward.a": [0, 1, 0.5],
    "reward.b": [null, 0.25, null],
  });
  const means = rewardMeans(onePiece("completions", table));
  assert.deepEqual([...means].map(([step, of]) => [step, Object.fromEntries(of)]), [
    [1, { "reward.a": 0.5, "reward.b": 0.25 }],
    [2, { "reward.a": 0.5 }],
  ]);
});

Deno.test("evaluationSteps() is the share of correct completions by step and mode, of those that were judged", () => {
  const table = tableOf("evaluations", {
    train_step: [5, 5, 5, 2],
    step_id: ["after", "after", "after", "before"],
    mode: ["greedy", "greedy", "sampled", "greedy"],
    correct: [true, false, null, true],
  });
  const steps = evaluationSteps(onePiece("evaluations", table), () => 0);
  assert.deepEqual(steps.map(({ trainStep, values }) => [trainStep, values]), [
    [2, [["before.greedy", 1]]],
    [5, [["after.greedy", 0.5]]],
  ]);
});

Deno.test("inOrder() merges by train step, the first list's before the second's", () => {
  const step = (trainStep: number, phase: string): TrackedStep => ({
    trainStep,
    phase,
    stepId: null,
    time: 0,
    values: [],
  });
  const merged = [...inOrder([step(2, "a"), step(3, "a")], [step(1, "b"), step(2, "b"), step(9, "b")])];
  assert.deepEqual(merged.map(({ trainStep, phase }) => `${trainStep}${phase}`), ["1b", "2a", "2b", "3a", "9b"]);
});

Deno.test("trackedParts() undoes trackedName()", () => {
  assert.deepEqual(trackedParts(trackedName("rollout", "reward.a/b")), { phase: "rollout", column: "reward.a/b" });
  assert.equal(trackedParts("_step"), null);
});
