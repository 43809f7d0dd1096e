import assert from "node:assert/strict";
import { join } from "node:path";
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

Deno.test("runs of one seed are not taken for several seeds: the label says so, and there is no band", () =>
  withRuns(async (runs) => {
    const again = fabricateRun(runs, "20260102-030405-small-cccc"), third = `${RUN_B.slice(0, -4)}dddd`;
    const opened = [await openRun(RUN_A, runs), await openRun(again, runs)];
    const compared = new Comparison(opened);
    assert.deepEqual(compared.labels, Array(2).fill("small (2 runs of seed 1)"));
    assert.doesNotMatch(await compared.chart("reward").svg(), /area mark/);
    const more = [
      ...opened,
      await openRun(RUN_B, runs),
      await openRun(fabricateRun(runs, third, { params: { size: 8 } })),
    ];
    assert.deepEqual(new Comparison(more).labels, [...Array(3).fill("size 4 (3 runs of 2 seeds)"), "size 8"]);
    const names = new Comparison([opened[0]!, opened[0]!]).table.columnNames();
    assert.deepEqual(names, ["name", RUN_A, `${RUN_A} 2`]);
  }));

Deno.test("logs are compared by what they say: none is a seed of another, and what they leave out is no difference", () =>
  withRuns(async (runs) => {
    const logs = await Promise.all(["a", "b"].map(async (name, i) => {
      const file = join(runs, name, "log.txt");
      Deno.mkdirSync(join(runs, name));
      const lines = [1, 2, 3].map((step) =>
        `{'loss': 0.${step}, 'reward': ${i}.5, 'grad_norm': 0.1, 'epoch': ${step}}`
      );
      Deno.writeTextFileSync(file, lines.join("\n"));
      return await openRun(file, runs);
    }));
    const compared = new Comparison([await openRun(RUN_A, runs), ...logs]);
    assert.deepEqual(compared.labels, ["small", "log.txt", "log.txt 2"]);
    assert.deepEqual(compared.differences, []);
    assert.doesNotMatch(await compared.chart("reward").svg(), /area mark/);
  }));
