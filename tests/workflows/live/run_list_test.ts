import assert from "node:assert/strict";
import { join } from "node:path";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { RunList } from "../../../workflows/live/run_list.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("RunList has the newest run first, with its reward and first finding; what is half written is left out", () =>
  withRuns((runs) => {
    fabricateRun(runs, RUN_B, {
      findings: [{ cause: "benign_zero_loss", severity: "info" }, { cause: "entropy_collapse", severity: "error" }],
    });
    Deno.mkdirSync(join(runs, "20270101-000000-half-zzzz"));
    Deno.writeTextFileSync(join(runs, "20270101-000000-half-zzzz", "run.json"), '{"format": 1');
    const list = new RunList(runs), { rows, total } = list.listed();
    assert.deepEqual(rows.map(({ id, status, finding }) => [id, status, finding]), [
      [RUN_B, "ok", "entropy_collapse"],
      [RUN_A, "ok", ""],
    ]);
    assert.deepEqual([rows[0]!.metric, rows[0]!.values, rows[0]!.trainStep], ["reward", [0.25, 0.75], 2]);
    assert.equal(total, 2);
  }));

Deno.test("RunList tells of what is written and of what is removed, and reads nothing else again", () =>
  withRuns((runs) => {
    const list = new RunList(runs), [, before] = list.listed().rows, stamp = list.stamp();
    assert.equal(list.stamp(), stamp);
    fabricateRun(runs, RUN_B, { status: "failed" });
    const after = list.listed().rows;
    assert.notEqual(list.stamp(), stamp);
    assert.equal(after[0]!.status, "failed");
    assert.equal(after[1], before, "the row that was read before");
    Deno.removeSync(join(runs, RUN_B), { recursive: true });
    assert.deepEqual(list.listed().rows.map(({ id }) => id), [RUN_A]);
  }));

Deno.test("RunList has the newest 60 and says how many there are; one more is told of", () =>
  withRuns((runs) => {
    const id = (i: number) => `20270101-0000${String(i).padStart(2, "0")}-small-cccc`;
    for (let i = 0; i < 59; i++) fabricateRun(runs, id(i));
    const list = new RunList(runs), { rows, total } = list.listed(), stamp = list.stamp();
    assert.deepEqual([rows.length, total, rows[0]!.id, rows.at(-1)!.id], [60, 61, id(58), RUN_B]);
    Deno.removeSync(join(runs, RUN_A), { recursive: true });
    assert.notEqual(list.stamp(), stamp, "a run that is not listed is one of those that are counted");
    assert.equal(list.listed().total, 60);
  }));

Deno.test("RunList names what it draws: where there is no reward, the accuracy of preferences or the loss", () =>
  withRuns((runs) => {
    const folder = fabricateRun(runs, RUN_B);
    for (const [column, value] of [["loss", 0.5], ["preference_accuracy", 0.75]] as const) {
      const rows = [{ train_step: 1, phase: "preference", step_id: "s", loss: 0.5, [column]: value }];
      Deno.writeFileSync(
        join(folder, segmentPath("metrics", 1, 2)),
        encodeTable("metrics", tableOfRows("metrics", rows)),
      );
      const [row] = new RunList(runs).listed().rows;
      assert.deepEqual([row!.metric, row!.values], [column, [value]]);
    }
    Deno.removeSync(join(folder, "tables"), { recursive: true });
    const [row] = new RunList(runs).listed().rows;
    assert.deepEqual([row!.metric, row!.values], [null, []]);
  }));

Deno.test({
  name: "RunList marks a run that the system does not let us read, and has the others",
  ignore: Deno.build.os !== "linux", // The superuser may read everything but this; Deno without all permissions refuses it.
  fn: () =>
    withRuns((runs) => {
      const id = "20270101-000000-closed-zzzz";
      Deno.mkdirSync(join(runs, id));
      for (const name of ["run.json", "lock"]) Deno.symlinkSync("/proc/self/mem", join(runs, id, name));
      const list = new RunList(runs), [first, ...others] = list.listed().rows;
      assert.deepEqual([first!.id, first!.status], [id, "unreadable"]);
      assert.match(String(first!.finding), /^(?:Input\/output error$|Requires all access)/);
      assert.deepEqual(others.map((row) => row.id), [RUN_B, RUN_A]);
      assert.equal(list.stamp(), list.stamp());
    }),
});
