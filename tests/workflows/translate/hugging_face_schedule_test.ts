import assert from "node:assert/strict";
import { SCHEDULE_OPTIONS, scheduleOf, scheduleOptions } from "../../../workflows/translate/hugging_face_schedule.ts";
import { told } from "./translated.ts";

Deno.test("scheduleOf() knows constant, linear and cosine by all their names", () => {
  assert.deepEqual(scheduleOf("SchedulerType.COSINE", "s", 5), {
    set: { "s.schedule": "cosine", "s.schedule_updates": 5 },
  });
  assert.deepEqual(scheduleOf("constant_with_warmup", "s", 5), { set: { "s.schedule": "constant" } });
  assert.deepEqual(scheduleOf("polynomial", "s", 5, { power: 2 }, 1e-6), {
    set: { "s.schedule": "polynomial", "s.schedule_updates": 5, "s.schedule_floor": 0.1, "s.schedule_power": 2 },
  });
  assert.deepEqual(
    told("trl", "grpo", { lr_scheduler_type: "cosine_with_min_lr", lr_scheduler_kwargs: { min_lr_rate: 0.2 } })
      .settings["apply_update.schedule_floor"],
    0.2,
  );
  assert("lacks" in scheduleOf("reduce_lr_on_plateau", "s", 5));
});

Deno.test("scheduleOptions() are those of the dict and those with a dot", () => {
  const values: Record<string, number | { min_lr: number }> = {
    lr_scheduler_kwargs: { min_lr: 1 },
    "lr_scheduler_kwargs.power": 2,
  };
  const given = {
    value: (name: string) => values[name] ?? null,
    number: () => 0,
    count: () => 1,
    isWritten: () => false,
  };
  assert.deepEqual(scheduleOptions(given), { power: 2, min_lr: 1 });
  assert(SCHEDULE_OPTIONS.includes("num_cycles"));
});
