import assert from "node:assert/strict";
import { basename } from "node:path";
import { writeMatrixPage } from "../../../workflows/cli/matrix_page.ts";
import { fabricateRun, RUN_A, RUN_B, withRuns } from "./fabricated_run.ts";

Deno.test("writeMatrixPage() shows what the cells came to, the best, and the curves; of one run there is none", () =>
  withRuns(async (runs) => {
    const cell = (id: string, rate: number, sampled: number) =>
      fabricateRun(runs, id, { matrix: { rate, seed: 1 }, evaluations: { after: { sampled } } });
    cell(RUN_A, 1, 0.5);
    cell(RUN_B, 2, 0.875);
    const path = await writeMatrixPage(runs, [RUN_A, RUN_B]);
    assert.equal(basename(path!), `${RUN_A}-matrix.html`);
    const html = await Deno.readTextFile(path!);
    assert.match(html, new RegExp(`Best:</b> rate=2 seed=1: after\\.sampled 0\\.875, run ${RUN_B}`));
    assert.match(html, /after\.sampled over rate/);
    assert.match(html, />rate 1<[^]*>rate 2</);
    assert.equal(await writeMatrixPage(runs, [RUN_A]), null);
  }));

Deno.test("writeMatrixPage() judges runs without an evaluation by the reward at their end", () =>
  withRuns(async (runs) => {
    for (const [id, rate] of [[RUN_A, 1], [RUN_B, 2]] as const) {
      fabricateRun(runs, id, { matrix: { rate }, evaluations: {} });
    }
    assert.match(await Deno.readTextFile((await writeMatrixPage(runs, [RUN_A, RUN_B]))!), /reward over rate/);
  }));
