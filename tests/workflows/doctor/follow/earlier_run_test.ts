import assert from "node:assert/strict";
import { readRun } from "../../../../data/adapters/read_run.ts";
import { earlierRun } from "../../../../workflows/doctor/follow/earlier_run.ts";

const TEXT = [1, 2, 3].map((step) =>
  `╭──────── Step ${step} ────────╮\n│ ┏━━━━━━━━┳━━━━━━━━━━━━┳━━━━━━━━━━━┓ │\n│ ┃ Prompt ┃ Completion ┃ Advantage ┃ │\n` +
  `│ ┡━━━━━━━━╇━━━━━━━━━━━━╇━━━━━━━━━━━┩ │\n│ │ 1+1=   │ ${step}          │      0.50 │ │\n` +
  `│ └────────┴────────────┴───────────┘ │\n╰────────────────────────╯\n{'loss': 0.5, 'reward': 0.5, 'step': ${step}}\n` +
  `OVERFLOW! Skipping step. Reducing loss scale to 1.0\n`
).join("");

async function runs() {
  const chunks = (async function* () {
    yield new TextEncoder().encode(TEXT);
  })();
  return await readRun(["-"], { stdin: chunks });
}

Deno.test("earlierRun() is the run without its last records, completions and messages; the run itself stays", async () => {
  const [run] = await runs();
  const steps = (of: typeof run, table: "metrics" | "completions" | "messages") =>
    of!.rows.tables[table]!.array("train_step");
  const earlier = earlierRun(run!, 2);
  assert.deepEqual(steps(earlier, "metrics"), [1]);
  assert.deepEqual(steps(earlier, "completions"), [1]);
  assert.deepEqual([...new Set(steps(earlier, "messages") as number[])], [1]);
  assert.deepEqual(steps(run, "metrics"), [1, 2, 3]);
  assert.deepEqual(steps(earlierRun(run!, 9), "metrics"), []);
});
