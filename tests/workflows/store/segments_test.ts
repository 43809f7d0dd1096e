/** Segments: what is stored, cut away and dropped. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { tableFromIPC } from "@uwdata/flechette";
import { tableOfRows } from "../../../data/tables/mod.ts";
import { listFolder } from "../../../data/file_system.ts";
import { RunTables } from "../../../workflows/store/run_tables.ts";
import { SegmentStore } from "../../../workflows/store/segments.ts";
import { SetAside } from "../../../workflows/store/set_aside.ts";
import { withFolder } from "../engine/fake_runs.ts";

function filled(steps: number, keep: number | "all" = "all"): RunTables {
  const tables = new RunTables(keep);
  for (let step = 1; step <= steps; step++) {
    tables.advance();
    tables.write({
      metrics: tableOfRows("metrics", [{ loss: step }]),
      completions: tableOfRows("completions", [{ prompt_id: step, sample: 0 }]),
    }, "a");
  }
  return tables;
}

const fail = (text: string) => assert.fail(text);

const names = (folder: string, table: string) => listFolder(join(folder, "tables", table));

Deno.test("flush() stores each train step once, in new files", () =>
  withFolder((folder) => {
    const store = new SegmentStore(folder);
    const tables = filled(5);
    store.flush(tables, 2, { sync: true });
    store.flush(tables, 4, { sync: false });
    store.flush(tables, 4, { sync: false });
    assert.deepEqual(names(folder, "metrics"), ["1-2.arrow", "3-4.arrow"]);
  }));

Deno.test("flush() says in a file which train steps have rows in it", () =>
  withFolder((folder) => {
    const tables = filled(2);
    tables.advance();
    new SegmentStore(folder).flush(tables, 3, { sync: false });
    const bytes = Deno.readFileSync(join(folder, "tables/metrics/1-3.arrow"));
    assert.equal(tableFromIPC(bytes).schema.metadata!.get("nonzero.train_steps"), "1-2");
  }));

Deno.test("flush() drops segments of completions that are not kept", () =>
  withFolder((folder) => {
    const store = new SegmentStore(folder);
    const tables = filled(6, 2);
    store.flush(tables, 2, { sync: false });
    store.flush(tables, 5, { sync: false });
    assert.deepEqual(names(folder, "completions"), ["3-5.arrow"]);
    assert.deepEqual(names(folder, "metrics"), ["1-2.arrow", "3-5.arrow"]);
  }));

Deno.test("load() cuts away a train step and later, also when a crash left both files", () =>
  withFolder((folder) => {
    const first = new SegmentStore(folder);
    const tables = filled(6);
    first.flush(tables, 2, { sync: false });
    first.flush(tables, 6, { sync: false });
    const whole = Deno.readFileSync(join(folder, "tables/metrics/3-6.arrow"));
    for (const crashed of [false, true]) {
      if (crashed) Deno.writeFileSync(join(folder, "tables/metrics/3-6.arrow"), whole);
      Deno.writeTextFileSync(join(folder, "tables/metrics/.tmp-9-9.arrow"), "half");
      const resumed = new RunTables("all");
      resumed.goTo(5);
      new SegmentStore(folder).load(resumed, 5, { aside: new SetAside(folder), keepCut: false, tell: fail });
      assert.deepEqual(names(folder, "metrics"), ["1-2.arrow", "3-4.arrow"]);
      assert.deepEqual(Array.from(resumed.history("metrics", 9).array("loss") as number[]), [1, 2, 3, 4]);
    }
  }));
