import assert from "node:assert/strict";
import { join } from "node:path";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { newestRun } from "../../../workflows/explore/newest_run.ts";
import { openRun } from "../../../workflows/explore/open.ts";
import { fabricateRun, RUN_B, withRuns } from "../cli/fabricated_run.ts";

/** A run that has begun: its prompts are loaded, no train step is done. */
function begun(runs: string, id: string): string {
  const folder = fabricateRun(runs, id, { status: "running", finished: null });
  for (const { name } of Deno.readDirSync(join(folder, "tables"))) {
    Deno.removeSync(join(folder, "tables", name), { recursive: true });
  }
  Deno.mkdirSync(join(folder, "tables", "settings"));
  const settings = tableOfRows("settings", [{ name: "group_size", value: "8" }]);
  Deno.writeFileSync(join(folder, segmentPath("settings", 0, 0)), encodeTable("settings", settings));
  return folder;
}

Deno.test("the newest run with rows is the last one; of those behind it that have none it is told", () =>
  withRuns(async (runs) => {
    const ids = ["20260301-000000-small-cccc", "20260302-000000-small-dddd"] as const;
    const [first, second] = [begun(runs, ids[0]), begun(runs, ids[1])];
    assert.deepEqual(newestRun(runs), { folder: join(runs, RUN_B), passedOver: [ids[1], ids[0]] });
    const warn = console.warn, told: string[] = [];
    console.warn = (text: string) => told.push(text);
    try {
      assert.equal((await openRun("last", runs)).manifest?.id, RUN_B);
    } finally {
      console.warn = warn;
    }
    assert.deepEqual(told, [`Opened ${RUN_B}: the newer ${ids[1]} has no rows yet`]);
    // Train steps that only its events tell of yet are rows too.
    Deno.writeTextFileSync(join(first, "events.jsonl"), '{"event":"train_step","train_step":1}\n');
    assert.equal(newestRun(runs)?.folder, first);
    Deno.removeSync(second, { recursive: true });
    assert.deepEqual(newestRun(runs), { folder: first, passedOver: [] });
  }));

Deno.test("where no run has rows the newest is the last one; where there is none there is none", async () => {
  const runs = await Deno.makeTempDir();
  try {
    assert.equal(newestRun(runs), null);
    const folder = begun(runs, RUN_B);
    assert.deepEqual(newestRun(runs), { folder, passedOver: [] });
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
});
