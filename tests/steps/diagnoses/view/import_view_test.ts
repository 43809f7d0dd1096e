/** From files to a view. */
import assert from "node:assert/strict";
import { readRun } from "../../../../data/adapters/mod.ts";
import { importView } from "../../../../steps/diagnoses/view/import_view.ts";

Deno.test("importView() keeps columns, settings, completions and places", async () => {
  const folder = new URL("../../../cases/106-trl-grpo", import.meta.url).pathname;
  const [run] = await readRun([folder]);
  const view = importView(run!);
  assert.deepEqual([view.system, view.algorithm, view.imported, view.records], ["trl", "grpo", true, 30]);
  assert.equal(view.column("zero_spread_fraction")[0], 1);
  assert(view.completions.length > 100 && view.completions[0]!.rewards.accuracy_reward === 1);
  assert(view.settings.some((entry) => entry.option === "temperature" && entry.value === 0.01));
  const { source, line, name } = view.evidence("zero_spread_fraction", 0);
  assert(source?.endsWith(".json") || source?.endsWith("log.txt"), String(source));
  assert(line !== null && name === "frac_reward_zero_std");
});
