import assert from "node:assert/strict";
import { SYSTEMS } from "../../../../data/systems.ts";
import type { Told } from "../../../../workflows/preflight/foreign/launch.ts";
import { hit, ON_TRAINER, ON_TRL } from "../../../../workflows/preflight/foreign/rule.ts";

Deno.test("hit() keeps the options that are written, and the changes", () => {
  const told: Told = { name: "beta", value: 0, line: 3, source: "a.sh", column: 5 };
  assert.deepEqual(hit("m", [undefined, told], { name: "beta", value: 0.1 }), {
    message: "m",
    at: [told],
    change: [{ name: "beta", value: 0.1 }],
  });
});

Deno.test("ON_TRAINER and ON_TRL name systems that are known, and those of TRL are on the Trainer", () => {
  assert(ON_TRAINER.every((name) => Object.hasOwn(SYSTEMS, name)));
  assert(ON_TRL.every((name) => ON_TRAINER.includes(name)));
});
