import assert from "node:assert/strict";
import { findForeign } from "../../../../workflows/preflight/foreign/find.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { SCHEDULE_RULES } from "../../../../workflows/preflight/foreign/schedule_rules.ts";
import { firesWith, testRules } from "./cases.ts";

testRules(SCHEDULE_RULES);

Deno.test("best_between_saves advises the next multiple of eval_steps, never 0", () => {
  const advised = (evaluated: number, saved: number) => {
    const launches = launchesOf(
      "run.sh",
      `accelerate launch sft.py --model_name_or_path m --dataset_name a --load_best_model_at_end true ` +
        `--eval_strategy steps --eval_steps ${evaluated} --save_steps ${saved}\n`,
    );
    const found = findForeign({ settings: [], system: "trl", algorithm: null } as never, launches);
    return found.find(({ rule }) => rule === "best_between_saves")?.finding.remedy.options.join() ?? null;
  };
  for (
    const [evaluated, saved, change] of [
      [200, 100, "--save_steps 200"],
      [200, 500, "--save_steps 600"],
      [200, 399, "--save_steps 400"],
      [200, 400, null],
    ] as const
  ) {
    const found = advised(evaluated, saved);
    assert(change === null ? found === null : found?.endsWith(change), `${evaluated} ${saved}: ${found}`);
  }
});

Deno.test("saves_after_end is silent where the last update is saved", async () => {
  const every = (steps: number) => firesWith("saves_after_end", "--save_steps 5000", `--save_steps ${steps}`);
  assert.deepEqual(await Promise.all([1000, 1001].map(every)), [false, true]);
});
