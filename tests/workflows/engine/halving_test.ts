/** Successive halving over the fake trainer: who goes on, and that those who do are as if they had never paused. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { newRecord, rank, type Rung, runHalving, shownValue, valueAt } from "../../../workflows/engine/halving.ts";
import { runPlan, StopControl } from "../../../workflows/engine/run_plan.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planHalving } from "../../../workflows/plan/halving.ts";
import { planRuns } from "../../../workflows/plan/plan_workflow.ts";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { fabricateRun } from "../cli/fabricated_run.ts";
import { ENVIRONMENT, fakeRun, rowsOnDisk, withFolder } from "./fake_runs.ts";
import { fakeKinds, type Hooks } from "./fake_steps.ts";

/** The fake's loss grows with its rate from the third train step on. */
const RATES = [0.1, 0.4, 0.2, 0.3];
const sweep = (mode: "max" | "min", more = "") =>
  `name: sweep
strategy:
  matrix: { rate: [${RATES}] }
  halving: { metric: metrics.loss, mode: ${mode}, first: 3, factor: 2 }
checkpoint: { every: 4 }
steps:
  - uses: load_prompts
  - uses: load_model
  - repeat: 9
    steps:
      - uses: sample_groups
      - { uses: apply_update, with: { rate: "\${{ matrix.rate }}" } }
${more}`;

function planned(text: string, hooks: Hooks = { log: [] }) {
  const loaded = parseWorkflow(text, "sweep.yaml", { folder: Deno.cwd() });
  const plans = planRuns(loaded, fakeKinds(hooks));
  return { plans, halving: planHalving(loaded.document, plans)! };
}

/** Ids by cell, so that a resume finds what was there. */
async function halve(
  text: string,
  runs: string,
  { hooks = { log: [] } as Hooks, stop = new StopControl(), started = [] as (string | null)[], failFast = false } = {},
) {
  const { plans, halving } = planned(text, hooks);
  const rungs: Rung[] = [];
  const results = await runHalving(plans, halving, {
    runsFolder: runs,
    projectFolder: Deno.cwd(),
    environment: ENVIRONMENT,
    maxParallel: 1,
    failFast,
    stop,
    sweep: "one",
    started: plans.map((_, i) => started[i] ?? null),
    onRung: (rung) => rungs.push(rung),
  });
  const ids = results.map(({ runId }) => runId);
  const states = ids.map((id) => id === null ? null : readManifest(join(runs, id)));
  return { results, rungs, ids, states, plans };
}

const order = (rungs: readonly Rung[]) =>
  rungs.map(({ ranked, kept }) => ranked.slice(0, kept).map(({ cells }) => RATES[cells[0]!]));
const values = (rungs: readonly Rung[]) => rungs.map(({ ranked }) => ranked.map(({ value }) => value));

Deno.test("runHalving() lets the best go on, and its tables are bit for bit those of a run that never paused", () =>
  withFolder(async (runs) => {
    const { states, rungs, ids, plans, results } = await halve(sweep("max"), runs);
    assert.deepEqual(rungs.map(({ trainStep }) => trainStep), [3, 6]);
    assert.deepEqual(order(rungs), [[0.4, 0.3], [0.4]]);
    assert.deepEqual(states.map((state) => [state!.status, state!.train_step]), [
      ["pruned", 3],
      ["ok", 9],
      ["pruned", 3],
      ["pruned", 6],
    ]);
    assert.deepEqual(results.map(({ exitCode }) => exitCode), [0, 0, 0, 0]);
    for (const cell of [1, 3]) {
      const alone = await runPlan(plans[cell]!, {
        runsFolder: runs,
        projectFolder: Deno.cwd(),
        environment: ENVIRONMENT,
      });
      const all = rowsOnDisk(alone.folder), kept = rowsOnDisk(join(runs, ids[cell]!));
      assert.deepEqual(Object.keys(kept).sort(), Object.keys(all).sort());
      if (cell === 1) assert.deepEqual(kept, all);
      else assert.deepEqual(kept["updates"], all["updates"]!.slice(0, kept["updates"]!.length));
    }
  }));

Deno.test("runHalving() by min keeps the others", () =>
  withFolder(async (runs) => {
    const { rungs } = await halve(sweep("min"), runs);
    assert.deepEqual(order(rungs), [[0.1, 0.2], [0.1]]);
  }));

Deno.test("runHalving() says in run.json how each run was compared, and why it was pruned", () =>
  withFolder(async (runs) => {
    const { states, rungs } = await halve(sweep("max"), runs);
    const [first, second] = rungs, [lost, won] = [states[0]!, states[1]!];
    const limit = first!.ranked[1]!.value;
    assert.deepEqual(lost.halving, {
      ...newRecord(
        { given: { params: {}, settings: {}, cell: 1 } } as never,
        { metric: "metrics.loss", mode: "max" } as never,
        "one",
      ),
      rungs: [{ train_step: 3, value: first!.ranked[3]!.value, limit, went_on: false }],
    });
    assert.match(
      lost.reason!,
      /^not among the best 2 of 4 after train step 3: metrics\.loss \S+; the last that went on has \S+$/,
    );
    assert.deepEqual(won.halving!.rungs.map(({ train_step, went_on }) => [train_step, went_on]), [[3, true], [
      6,
      true,
    ]]);
    assert.equal(won.halving!.rungs[1]!.limit, second!.ranked[0]!.value);
    assert.equal(won.reason, null);
  }));

Deno.test("what a run has at a rung is the mean of what it wrote up to it, not of what came later", () =>
  withFolder(async (runs) => {
    const { rungs, ids } = await halve(sweep("max"), runs);
    const folder = openRunFolder(join(runs, ids[1]!));
    const losses = folder.table("metrics").array("loss") as number[];
    const mean = (to: number) => losses.slice(0, to).reduce((a, b) => a + b, 0) / to;
    assert.equal(valueAt(folder, "metrics.loss", 3), mean(3));
    assert.equal(rungs[0]!.ranked[0]!.value, mean(3));
    assert.equal(rungs[1]!.ranked[0]!.value, mean(6));
    assert.throws(
      () => valueAt(folder, "metrics.kl", 3),
      /^RangeError: Cannot compare the runs of the matrix after train step 3: run \S+ has no metrics\.kl by then/,
    );
  }));

Deno.test("valueAt() of a longer run is the mean of its last 10 train steps, and of none before them", () =>
  withFolder((runs) => {
    const path = fabricateRun(runs, "long", { train_step: 13 });
    const rows = Array.from({ length: 13 }, (_, i) => ({ train_step: i + 1, loss: 2 ** i }));
    Deno.writeFileSync(join(path, segmentPath("metrics", 1, 2)), encodeTable("metrics", tableOfRows("metrics", rows)));
    const run = openRunFolder(path);
    const mean = (first: number, last: number) => (2 ** last - 2 ** (first - 1)) / (last - first + 1);
    for (const [at, first] of [[13, 4], [12, 3], [11, 2], [10, 1], [9, 1]] as const) {
      assert.equal(valueAt(run, "metrics.loss", at), mean(first, at), `after train step ${at}`);
    }
  }));

Deno.test("shownValue() keeps whole numbers; what is no number is none", () => {
  assert.deepEqual([123456, 1 / 3, Infinity, NaN, null].map(shownValue), [
    "123456",
    "0.3333",
    "Infinity",
    "none",
    "none",
  ]);
});

Deno.test("a halving that is interrupted anywhere comes to the same decisions and rows when it goes on", () =>
  withFolder(async (root) => {
    const whole = await halve(sweep("max"), join(root, "whole"));
    const rows = rowsOnDisk(join(root, "whole", whole.ids[1]!));
    for (const at of [3, 17, 50, 60, 75, 90]) {
      const runs = join(root, `at${at}`), stop = new StopControl();
      const hooks: Hooks = {
        log: [],
        at: () => {
          if (hooks.log.length === at) stop.request("SIGINT");
        },
      };
      const cut = await halve(sweep("max"), runs, { hooks, stop });
      assert.equal(cut.states.some((state) => state?.status === "interrupted"), true, `at ${at}`);
      const { rungs, states, ids } = await halve(sweep("max"), runs, { started: cut.ids });
      assert.deepEqual(values(rungs), values(whole.rungs), `at ${at}`);
      assert.deepEqual(states.map((state) => state!.status), whole.states.map((state) => state!.status), `at ${at}`);
      assert.deepEqual(rowsOnDisk(join(runs, ids[1]!)), rows, `at ${at}`);
    }
  }));

Deno.test("a run that failed is the worst, whatever it had come to; with fail-fast nothing goes on", () =>
  withFolder(async (root) => {
    const failing = () => {
      const hooks: Hooks = {
        log: [],
        at: (place) => {
          const second = hooks.log.filter((other) => other === "load_model").length === 2;
          if (second && place === "update 3.0") throw new Error("out of memory");
        },
      };
      return hooks;
    };
    const { rungs, states, results } = await halve(sweep("max"), join(root, "on"), { hooks: failing() });
    assert.deepEqual(order(rungs), [[0.3, 0.2], [0.3]]);
    assert.equal(Number.isNaN(rungs[0]!.ranked[3]!.value), true);
    assert.deepEqual(states.map((state) => state!.status), ["pruned", "failed", "pruned", "ok"]);
    assert.deepEqual(states[1]!.halving!.rungs, [{
      train_step: 3,
      value: null,
      limit: rungs[0]!.ranked[1]!.value,
      went_on: false,
    }]);
    assert.deepEqual(results.map(({ exitCode }) => exitCode), [0, 1, 0, 0]);
    const fast = await halve(sweep("max"), join(root, "fast"), { hooks: failing(), failFast: true });
    assert.deepEqual(fast.states.map((state) => state?.status), ["paused", "failed", undefined, undefined]);
    assert.equal(fast.rungs.length, 0);
  }));

Deno.test("runs that differ in their seed alone are judged by their mean: a lucky one does not carry its combination", () => {
  const groups = [{ cells: [0, 1], value: 0.5 }, { cells: [2, 3], value: 0.6 }, { cells: [4, 5], value: NaN }];
  assert.deepEqual(rank(groups, "max", 2, 1).ranked.map(({ cells }) => cells[0]), [2, 0, 4]);
  assert.deepEqual(rank(groups, "min", 2, 1).ranked.map(({ cells }) => cells[0]), [0, 2, 4]);
  assert.equal(rank(groups, "max", 2, 1).kept, 2);
  const equal = [{ cells: [0], value: 1 }, { cells: [1], value: 1 }, { cells: [2], value: 1 }];
  assert.deepEqual(rank(equal, "min", 3, 1).ranked.map(({ cells }) => cells[0]), [0, 1, 2]);
});

Deno.test("runHalving() judges seeds together", () =>
  withFolder(async (runs) => {
    const text = sweep("max").replace("name: sweep", "name: sweep\nseed: ${{ matrix.seed }}")
      .replace(`rate: [${RATES}]`, "rate: [0.1, 0.4], seed: [1, 2]");
    const { rungs, states } = await halve(text, runs);
    assert.deepEqual(rungs.map(({ ranked }) => ranked.map(({ cells }) => cells)), [[[2, 3], [0, 1]]]);
    assert.deepEqual(states.map((state) => state!.status), ["pruned", "pruned", "ok", "ok"]);
  }));

Deno.test("a pruned run whose combination has no number says which of its seeds is to blame", () =>
  withFolder(async (runs) => {
    const text = sweep("max").replace("name: sweep", "name: sweep\nseed: ${{ matrix.seed }}")
      .replace(`rate: [${RATES}]`, "rate: [0.1, 0.4], seed: [1, 2]");
    const hooks: Hooks = {
      log: [],
      at: (place) => {
        const isFirst = hooks.log.filter((other) => other === "load_model").length === 1;
        if (isFirst && place === "update 3.0") throw new Error("out of memory");
      },
    };
    const { states, ids } = await halve(text, runs, { hooks });
    assert.deepEqual(states.map((state) => state!.status), ["failed", "pruned", "ok", "ok"]);
    assert.match(
      states[1]!.reason!,
      new RegExp(
        "^not among the best 1 of 2 after train step 3: no metrics\\.loss of its 2 seeds together, because run " +
          `${ids[0]} failed; the last that went on has [\\d.]+$`,
      ),
    );
  }));

Deno.test("a metric that the first run has not written is an error before another run trains as far", () =>
  withFolder(async (runs) => {
    const { plans, halving } = planned(sweep("max"));
    await assert.rejects(
      runHalving(plans, { ...halving, metric: "metrics.kl" }, {
        runsFolder: runs,
        projectFolder: Deno.cwd(),
        environment: ENVIRONMENT,
        maxParallel: 1,
        failFast: false,
        sweep: "one",
        started: plans.map(() => null),
      }),
      /has no metrics\.kl by then; want a metric that is written there/,
    );
    assert.equal(
      Array.from(Deno.readDirSync(runs)).filter(({ isDirectory, name }) => isDirectory && !name.startsWith(".")).length,
      1,
    );
  }));

Deno.test("pauseAt pauses after that train step, also of a step that trains by itself, and a resume is bit for bit", () =>
  withFolder(async (root) => {
    const text = `name: both
checkpoint: { every: 3 }
steps:
  - uses: load_prompts
  - uses: load_model
  - { uses: fine_tune, with: { updates: 5 } }
  - repeat: 4
    steps: [{ uses: sample_groups }, { uses: apply_update }]
`;
    const whole = await fakeRun(text, { runs: join(root, "whole") });
    const rows = rowsOnDisk(whole.folder);
    for (const pauseAt of [1, 3, 4, 6, 8]) {
      const runs = join(root, `at${pauseAt}`);
      const paused = await fakeRun(text, { runs, pauseAt });
      assert.deepEqual([paused.status, paused.exitCode, paused.reason], [
        "paused",
        0,
        `paused after train step ${pauseAt}, as asked`,
      ]);
      assert.equal(readManifest(paused.folder).train_step, pauseAt);
      const resumed = await fakeRun(text, { runs, resume: paused.runId });
      assert.equal(resumed.status, "ok");
      assert.deepEqual(rowsOnDisk(resumed.folder), rows, `pause at ${pauseAt}`);
    }
    assert.equal((await fakeRun(text, { runs: join(root, "late"), pauseAt: 100 })).status, "ok");
  }));
