/** What a cached result depends on. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOf } from "../../../data/tables/mod.ts";
import { RunTables } from "../../../workflows/store/run_tables.ts";
import { StepCache } from "../../../workflows/store/step_cache.ts";
import { fakePlan } from "../engine/fake_steps.ts";
import { withFolder } from "../engine/fake_runs.ts";
import type { PlannedStep } from "../../../workflows/plan.ts";

Deno.test("StepCache.find() misses when a file that a parameter names has changed, and when a result is damaged", () =>
  withFolder((folder) => {
    const plan = fakePlan("name: c\nsteps: [{ uses: load_prompts, cache: true }]", { log: [] });
    const step = plan.steps[0] as PlannedStep;
    const told: string[] = [];
    const site = {
      plan: { name: "c", folder, settings: { seed: 1 } },
      environment: { versions: {} },
      tables: new RunTables("all"),
      message: (text: string) => told.push(text.replace(folder, "")),
    };
    const cache = new StepCache(join(folder, "cache"));
    const ask = () => {
      const key = cache.key(site, step, { file: "rows.jsonl" });
      return { key, hit: cache.find(site, step, key) };
    };
    Deno.writeTextFileSync(join(folder, "rows.jsonl"), "one");
    const { key, hit } = ask();
    assert.equal(hit, null);
    const prompts = tableOf("prompts", { prompt_id: [4], prompt: ["p"] });
    cache.store(key, step, { tables: { prompts }, outputs: { count: NaN } });
    const found = ask().hit!;
    assert.deepEqual(found.outputs, { count: NaN });
    assert.equal(found.tables!.prompts!.get("prompt_id", 0), 4);
    Deno.writeTextFileSync(join(folder, "rows.jsonl"), "two");
    assert.equal(ask().hit, null);
    Deno.writeTextFileSync(join(folder, "rows.jsonl"), "one");
    for (const { name } of Deno.readDirSync(join(folder, "cache"))) {
      for (const file of Deno.readDirSync(join(folder, "cache", name))) {
        if (file.name.endsWith(".arrow")) Deno.writeTextFileSync(join(folder, "cache", name, file.name), "x");
      }
    }
    assert.equal(ask().hit, null);
    assert.deepEqual(told.map((text) => text.replace('Step "load_prompts" is ', "")), [
      "not taken from the cache: it has not run before",
      "taken from the cache",
      "not taken from the cache: file /rows.jsonl changed",
      "not taken from the cache: file /rows.jsonl changed",
    ]);
  }));
