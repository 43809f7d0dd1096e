/** What a cached result depends on. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { tableOf } from "../../../data/tables/mod.ts";
import { listFolder } from "../../../data/file_system.ts";
import { RunTables } from "../../../workflows/store/run_tables.ts";
import { StepCache } from "../../../workflows/store/step_cache.ts";
import { fakePlan } from "../engine/fake_steps.ts";
import { withFolder } from "../engine/fake_runs.ts";
import type { PlannedStep } from "../../../workflows/plan/plan.ts";

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
    const entry = join(folder, "cache", listFolder(join(folder, "cache")).find((name) => name !== "last")!);
    const result = join(entry, "result.json"), text = Deno.readTextFileSync(result);
    for (const damaged of [text.replace("NaN", "Nan"), text.slice(0, -3), "", "{}"]) {
      Deno.writeTextFileSync(result, damaged);
      assert.equal(ask().hit, null, damaged);
    }
    Deno.writeTextFileSync(result, text);
    assert.notEqual(ask().hit, null);
    const [table] = listFolder(entry).filter((name) => name.endsWith(".arrow"));
    Deno.renameSync(join(entry, table!), join(folder, table!));
    assert.equal(ask().hit, null, "a table is gone");
    Deno.renameSync(join(folder, table!), join(entry, table!));
    for (const file of listFolder(join(folder, "cache", "last"))) {
      Deno.writeTextFileSync(join(folder, "cache", "last", file), "{");
    }
    told.length = 0;
    for (const { name } of Deno.readDirSync(join(folder, "cache"))) {
      for (const file of Deno.readDirSync(join(folder, "cache", name))) {
        if (file.name.endsWith(".arrow")) Deno.writeTextFileSync(join(folder, "cache", name, file.name), "x");
      }
    }
    assert.equal(ask().hit, null);
    assert.deepEqual(told, ['Step "load_prompts" is not taken from the cache: it has not run before']);
    Deno.writeTextFileSync(join(folder, "rows.jsonl"), "two");
    ask();
    assert.match(told[1]!, /not taken from the cache: file \/rows.jsonl changed/);
  }));
