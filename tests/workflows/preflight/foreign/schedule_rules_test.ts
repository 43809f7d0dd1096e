import assert from "node:assert/strict";
import { SCHEDULE_RULES } from "../../../../workflows/preflight/foreign/schedule_rules.ts";
import { firesWith, testRules } from "./cases.ts";

testRules(SCHEDULE_RULES);

Deno.test("saves_after_end is silent where the last update is saved", async () => {
  const every = (steps: number) => firesWith("saves_after_end", "--save_steps 5000", `--save_steps ${steps}`);
  assert.deepEqual(await Promise.all([1000, 1001].map(every)), [false, true]);
});
