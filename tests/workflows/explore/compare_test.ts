import assert from "node:assert/strict";
import { Comparison } from "../../../workflows/explore/compare.ts";
import { openRun } from "../../../workflows/explore/open.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("a comparison shows what differs, with a column for each run", () =>
  withRuns(async (runs) => {
    const compared = new Comparison([await openRun(RUN_A, runs), await openRun(RUN_B, runs)]);
    assert.deepEqual(compared.differences, [
      { name: "seed", values: [1, 2] },
      { name: "after.sampled", values: [0.75, 0.25] },
    ]);
    assert.deepEqual(compared.table.columnNames(), ["name", RUN_A, RUN_B]);
    const shown = compared[Symbol.for("Jupyter.display") as never] as unknown;
    assert.equal(typeof shown, "function");
  }));

Deno.test("runs that differ by their seed alone are one line with a band, other parameters make another", () =>
  withRuns(async (runs) => {
    const third = fabricateRun(runs, "20260102-030405-small-cccc", { params: { size: 8 } });
    const compared = new Comparison([
      await openRun(RUN_A, runs),
      await openRun(RUN_B, runs),
      await openRun(third, runs),
    ]);
    assert.deepEqual(compared.labels, ["size 4", "size 4", "size 8"]);
    const svg = await compared.chart("reward").svg();
    assert.match(svg, />size 4<[^]*>size 8</);
    assert.match(svg, /area mark/);
    assert.throws(() => compared.chart("rewrd"), /Cannot compare "rewrd": no run has it.*"reward"/);
  }));
