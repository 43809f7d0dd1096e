import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { type RunManifestInput, segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import type { Cell } from "../../../workflows/cli/last_line.ts";
import { writeMatrixPage } from "../../../workflows/cli/matrix_page.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "./fabricated_run.ts";

const PLAIN = { seeds: ["seed"], unread: [], halving: null, failFast: true };

/** The page of runs with these manifests. */
async function pageOf(
  runs: string,
  cells: readonly Partial<RunManifestInput>[],
  meaning: Parameters<typeof writeMatrixPage>[2] = PLAIN,
  more: readonly Cell[] = [],
): Promise<string> {
  const told = cells.map((changes, i): Cell => {
    const run = `20260102-030405-small-cel${i}`, { matrix = {}, status = "ok" } = changes;
    fabricateRun(runs, run, { seed: i + 1, ...changes });
    return { matrix, run, status };
  });
  return await Deno.readTextFile((await writeMatrixPage(runs, [...told, ...more], meaning))!);
}

const after = (sampled: number) => ({ after: { sampled } });
const BEST = /<b>Best:<\/b> ([^<]*)/;

Deno.test("writeMatrixPage() shows what the cells came to, the best, and the curves; of one run there is none", () =>
  withRuns(async (runs) => {
    const cell = (run: string, rate: number, sampled: number): Cell => {
      const matrix = { rate, seed: 1 };
      fabricateRun(runs, run, { matrix, evaluations: { after: { sampled } } });
      return { matrix, run, status: "ok" };
    };
    const cells = [cell(RUN_A, 1, 0.5), cell(RUN_B, 2, 0.875)];
    const path = await writeMatrixPage(runs, cells, PLAIN);
    assert.equal(basename(path!), `${RUN_A}-matrix.html`);
    const html = await Deno.readTextFile(path!);
    assert.equal(
      BEST.exec(html)![1],
      `rate=2: after.sampled 0.875, one seed; run ${RUN_B}. One seed tells little: give the matrix an axis for it`,
    );
    assert.match(html, /after\.sampled over rate/);
    assert.match(html, />rate 1<[^]*>rate 2</);
    assert.equal(await writeMatrixPage(runs, cells.slice(0, 1), PLAIN), null);
  }));

/** The page of runs with these rewards, train step by train step, and no evaluation. */
async function pageOfRewards(runs: string, rewards: readonly (readonly number[])[]): Promise<string> {
  const cells = rewards.map((values, i): Cell => {
    const run = `20260102-030405-small-rew${i}`, matrix = { rate: i, seed: 1 };
    const folder = fabricateRun(runs, run, { matrix, evaluations: {} });
    const rows = values.map((reward, step) => ({ train_step: step + 1, reward }));
    Deno.writeFileSync(
      join(folder, segmentPath("metrics", 1, 2)),
      encodeTable("metrics", tableOfRows("metrics", rows)),
    );
    return { matrix, run, status: "ok" };
  });
  return await Deno.readTextFile((await writeMatrixPage(runs, cells, PLAIN))!);
}

Deno.test("writeMatrixPage() gives no score to a run whose reward is not finite at its end", () =>
  withRuns(async (runs) => {
    const html = await pageOfRewards(runs, [[0.9, NaN], [0.25, 0.25]]);
    assert.match(BEST.exec(html)![1]!, /^rate=1: reward 0\.25 /);
  }));

Deno.test("writeMatrixPage() scores a longer run by its last 10 train steps, whatever its start was", () =>
  withRuns(async (runs) => {
    const falls = [1, 1, 1, ...Array(10).fill(0.25)], climbs = [0, 0, 0, ...Array(10).fill(0.5)];
    const best = BEST.exec(await pageOfRewards(runs, [falls, climbs]))![1]!;
    assert.match(best, /^rate=1: reward 0\.5 at the end \(mean of the last 10 train steps\), one seed; /);
  }));

Deno.test("writeMatrixPage() says over how many seeds the best is, and which others they do not tell from it", () =>
  withRuns(async (runs) => {
    const html = await pageOf(runs, [
      { matrix: { rate: 1, seed: 1 }, evaluations: after(0.5) },
      { matrix: { rate: 1, seed: 2 }, evaluations: after(0.875) },
      { matrix: { rate: 2, seed: 1 }, evaluations: after(0.75) },
      { matrix: { rate: 2, seed: 2 }, evaluations: after(1) },
      { matrix: { rate: 3, seed: 1 }, evaluations: {}, status: "failed" },
    ]);
    assert.match(
      BEST.exec(html)![1]!,
      /^rate=2: after\.sampled 0\.875, mean of 2 seeds \(0\.75 to 1\); runs \S+cel2, \S+cel3\. Not told from it by these seeds: rate=1 \(0\.6875\)$/,
    );
    assert.match(html, /Only runs that went to their end have a score/);
    assert.match(html, /<td>3<\/td><td>1<\/td><td>failed<\/td><td>–<\/td><td>\S+cel4<\/td>/);
  }));

Deno.test("writeMatrixPage() says what was found in the best: a high score may be worth nothing", () =>
  withRuns(async (runs) => {
    const cells = [1, 2].map((rate) => ({
      matrix: { rate },
      evaluations: after(rate / 2),
      findings: FOUND.slice(0, rate),
    }));
    const best = BEST.exec(await pageOf(runs, cells))![1]!;
    assert.match(best, /\. Look at its findings before you trust it: learning_rate_too_high$/);
  }));
const FOUND = [
  { cause: "truncated_completions", severity: "warning" },
  { cause: "learning_rate_too_high", severity: "error" },
];

Deno.test("writeMatrixPage() counts runs of one seed once, and names no best over an axis that nothing reads", () =>
  withRuns(async (runs) => {
    const cells = [1, 2].map((size) => ({ seed: 3, matrix: { size }, evaluations: after(size / 2) }));
    const html = await pageOf(runs, cells, { seeds: [], unread: ["size"], halving: null, failFast: true });
    assert.doesNotMatch(html, BEST);
    assert.match(
      html,
      /Nothing in the workflow looks up the matrix axis &quot;size&quot;: runs that differ by it alone are the same run again\. None of them is the best\./,
    );
    const same = [1, 2].flatMap((rate) =>
      [1, 2].map((seed) => ({ seed: 3, matrix: { rate, seed }, evaluations: after(rate / 2) }))
    );
    assert.match(
      BEST.exec(await pageOf(runs, same, { seeds: [], unread: ["seed"], halving: null, failFast: true }))![1]!,
      /^rate=2: after\.sampled 1, one seed; /,
    );
  }));

Deno.test("writeMatrixPage() of a halved matrix marks what was stopped early, and takes the best of the others", () =>
  withRuns(async (runs) => {
    const cells = [1, 2, 3].map((rate) => ({
      matrix: { rate },
      status: rate === 3 ? "ok" as const : "pruned" as const,
    }));
    const html = await pageOf(runs, cells, {
      seeds: [],
      unread: [],
      halving: { metric: "metrics.loss", mode: "min" },
      failFast: false,
    });
    assert.match(
      BEST.exec(html)![1]!,
      /^rate=3: loss -0\.25 at the end \(mean of the last 10 train steps\), the lowest, one seed; /,
    );
    assert.match(html, /Of one that was pruned: what it had come to then\./);
    assert.match(html, /<span class="status pruned">pruned</);
  }));

Deno.test("writeMatrixPage() judges runs without an evaluation by the reward at their end", () =>
  withRuns(async (runs) => {
    assert.match(
      await pageOf(runs, [1, 2].map((rate) => ({ matrix: { rate }, evaluations: {} }))),
      /reward over rate/,
    );
  }));

Deno.test("writeMatrixPage() gives a score to no run that did not go to its end: none of them is the best", () =>
  withRuns(async (runs) => {
    for (const status of ["interrupted", "stopped", "paused", "running", "failed"] as const) {
      const cells = [1, 2].map((rate) => ({
        matrix: { rate },
        evaluations: after(rate / 4),
        ...rate === 2 ? { status } : {},
      }));
      const html = await pageOf(runs, cells);
      assert.match(BEST.exec(html)![1]!, /^rate=1: after\.sampled 0\.25, /, status);
      assert.match(html, new RegExp(`>rate 2; ${status}</title>|: rate 2; ${status}</title>${status}`), status);
    }
  }));

Deno.test("writeMatrixPage() has every cell, also those that did not start, and why they did not", () =>
  withRuns(async (runs) => {
    const cells = [1, 2].map((rate) => ({
      matrix: { rate },
      evaluations: after(0.5),
      ...rate === 2 ? { status: "stopped" as const } : {},
    }));
    const waiting = [3, 4].map((rate) => ({ matrix: { rate }, run: null, status: "not started" }));
    const html = await pageOf(runs, cells, PLAIN, waiting);
    assert.match(html, /: matrix of 2 runs of 4 </);
    assert.match(
      html,
      /2 of 4 runs did not start, because rate=2 was stopped; &quot;fail-fast: false&quot; under strategy starts them nevertheless\./,
    );
    for (const rate of [3, 4]) {
      assert.match(html, new RegExp(`<td>${rate}</td><td>not started</td><td>–</td><td>–</td>`));
    }
    assert.match(html, /<title>rate 3; not started<\/title>not started</);
  }));
