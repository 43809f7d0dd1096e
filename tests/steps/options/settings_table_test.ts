import assert from "node:assert/strict";
import { mergeSettings, settingValues } from "../../../steps/options/settings_table.ts";
import { TrainingRun, withRun } from "../contexts/training_run.ts";

function merge(run: TrainingRun, values: Record<string, number | string | boolean | null>, origin = "workflow") {
  const settings = mergeSettings(run.context("test"), values, () => origin);
  if (settings) run.tables.write({ settings }, "test");
  return settings;
}

Deno.test("mergeSettings() adds, replaces in place, and keeps what other steps wrote", () =>
  withRun((run) => {
    merge(run, { temperature: 1, schedule: "linear" });
    merge(run, { temperature: 0.5, mask_truncated: true }, "default");
    assert.deepEqual(run.settings(), {
      temperature: { value: 0.5, source: "default" },
      schedule: { value: "linear", source: "workflow" },
      mask_truncated: { value: true, source: "default" },
    });
    assert.deepEqual(run.column("settings", "written_type"), ["number", "string", "boolean"]);
    assert.deepEqual(run.column("settings", "system"), ["nonzero", "nonzero", "nonzero"]);
  }));

Deno.test("mergeSettings() says null when nothing changed, but not when only the origin did", () =>
  withRun((run) => {
    assert.notEqual(merge(run, { top_k: 0 }), null);
    assert.equal(merge(run, { top_k: 0 }), null);
    assert.notEqual(merge(run, { top_k: 0 }, "model folder"), null);
  }));

Deno.test("settingValues() has values by name, and none of an empty table", () =>
  withRun((run) => {
    assert.equal(settingValues(run.tables.table("settings")).size, 0);
    merge(run, { temperature: 0.5, schedule: "linear", kl: null, on: true });
    assert.deepEqual(Object.fromEntries(settingValues(run.tables.table("settings"))), {
      temperature: 0.5,
      schedule: "linear",
      kl: null,
      on: true,
    });
  }));
