import assert from "node:assert/strict";
import { settingValues, writeSettings } from "../../../steps/options/settings_table.ts";
import { TrainingRun, withRun } from "../contexts/training_run.ts";

function write(run: TrainingRun, values: Parameters<typeof writeSettings>[1], origin?: string) {
  return writeSettings(run.context("test"), values, origin === undefined ? undefined : () => origin);
}

Deno.test("writeSettings() adds, replaces in place, and keeps what other steps wrote", () =>
  withRun((run) => {
    write(run, { temperature: 1, schedule: "linear" });
    write(run, { temperature: 0.5, mask_truncated: true }, "default");
    assert.deepEqual(run.settings(), {
      temperature: { value: 0.5, source: "default" },
      schedule: { value: "linear", source: "workflow" },
      mask_truncated: { value: true, source: "default" },
    });
    assert.deepEqual(run.column("settings", "written_type"), ["number", "string", "boolean"]);
    assert.deepEqual(run.column("settings", "system"), ["nonzero", "nonzero", "nonzero"]);
  }));

Deno.test("writeSettings() calls what several numbers were written as a list", () =>
  withRun((run) => {
    write(run, { suppress_tokens: [1, 2] });
    assert.deepEqual(run.column("settings", "written_type"), ["list"]);
    assert.deepEqual(settingValues(run.tables.table("settings")).get("suppress_tokens"), [1, 2]);
  }));

Deno.test("writeSettings() says false when nothing changed, but not when only the origin did", () =>
  withRun((run) => {
    assert.equal(write(run, { top_k: 0 }), true);
    assert.equal(write(run, { top_k: 0 }), false);
    assert.equal(write(run, { top_k: 0 }, "model folder"), true);
  }));

Deno.test("settingValues() has values by name, and none of an empty table", () =>
  withRun((run) => {
    assert.equal(settingValues(run.tables.table("settings")).size, 0);
    write(run, { temperature: 0.5, schedule: "linear", kl: null, on: true });
    assert.deepEqual(Object.fromEntries(settingValues(run.tables.table("settings"))), {
      temperature: 0.5,
      schedule: "linear",
      kl: null,
      on: true,
    });
  }));
