import assert from "node:assert/strict";
import { z } from "zod";
import { STEPS } from "../../../steps/mod.ts";
import { withoutEffect } from "../../../steps/options/without_effect.ts";
import type { Step } from "../../../steps/step.ts";

Deno.test("withoutEffect() names what differs from its default, and only that", () => {
  const shape = { size: z.int().default(3), list: z.array(z.string()).default([]), text: z.string().optional() };
  const names = ["size", "list", "text"] as const;
  assert.deepEqual(withoutEffect({ size: 3, list: [], text: undefined }, shape, names, "x"), []);
  assert.deepEqual(withoutEffect({ size: 4, list: ["a"], text: undefined }, shape, names, "mode is off, want on"), [
    'Cannot use "size": mode is off, want on; nothing would change',
    'Cannot use "list": mode is off, want on; nothing would change',
  ]);
});

/** Options that one step does not read beside others: what it says, and the parameters that make it silent. */
const IDLE: readonly (readonly [keyof typeof STEPS, object, RegExp, object])[] = [
  [
    "apply_update",
    { learning_rate: 1, schedule_updates: 5 },
    /"schedule_updates": schedule is constant, want linear or/,
    {
      schedule: "linear",
    },
  ],
  ["apply_update", { learning_rate: 1, kl_times_ratio: true }, /"kl_times_ratio": kl_coef is 0/, { kl_coef: 0.1 }],
  ["fine_tune", { max_updates: 5, evaluate_every: 5 }, /"evaluate_every": there is no until_accuracy/, {
    until_accuracy: 0.5,
  }],
  ["fine_tune", { max_updates: 5, evaluate_limit: 5 }, /"evaluate_limit": there is no until_accuracy/, {
    until_accuracy: 0.5,
  }],
  [
    "train_reward_model",
    { max_updates: 10, evaluate_every: 30 },
    /"evaluate_every": max_updates is 10, and the last update is measured anyway; want at most 10, or leave it out/,
    { evaluate_every: 10 },
  ],
  ["score_rewards", { rewards: [{ uses: "./r.ts" }], retries: 5 }, /"retries": on_error is "stop", want retry/, {
    on_error: "retry",
  }],
  ["score_rewards", { rewards: [{ uses: "verifier" }], memory_mb: 99 }, /"memory_mb": no reward is a file/, {
    rewards: [{ uses: "./r.ts" }],
  }],
  ["score_rewards", { rewards: [{ uses: "format" }], timeout_seconds: 5 }, /"timeout_seconds": no reward is a file/, {
    rewards: [{ uses: "format", with: { pattern: "a+" } }],
  }],
  ["load_prompts", { task: "addition", prompt_column: "q" }, /"prompt_column": the prompts are a task's/, {
    task: undefined,
    file: "a.jsonl",
  }],
  ["load_prompts", { task: "addition", columns: ["q"] }, /"columns": the prompts are a task's/, {
    task: undefined,
    file: "a.jsonl",
  }],
  ["compute_advantages", { estimator: "rloo", scale: "batch" }, /"scale" for estimator "rloo": it reads normalize/, {
    estimator: "grpo",
  }],
];

for (const [uses, given, says, more] of IDLE) {
  Deno.test(`${uses} refuses an option without effect: ${Object.keys(given).at(-1)}`, () => {
    const step: Step = STEPS[uses], problems = (params: object) => step.check!(step.params.parse(params));
    assert.match(problems(given).join(), says);
    assert.deepEqual(problems({ ...given, ...more }), []);
  });
}
