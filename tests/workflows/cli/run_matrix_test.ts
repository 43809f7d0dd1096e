import assert from "node:assert/strict";
import { join } from "node:path";
import { commandLine } from "./command_line.ts";
import { crowdNote } from "../../../workflows/cli/run_matrix.ts";
import type { Plan } from "../../../workflows/plan/plan.ts";
import { runIds } from "../../../workflows/explore/find_run.ts";
import { rowsOnDisk } from "../engine/fake_runs.ts";
import { inProcess, jsonLines } from "./in_process.ts";
import { TINY } from "./tiny.ts";

/** A matrix of two sizes whose cells do next to nothing: for what is printed around them. */
const IDLE = `name: idle
strategy: { max-parallel: 1, matrix: { size: [2, 4] } }
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1, limit: "\${{ matrix.size }}" } }
`;
const TWO_AT_A_TIME = ["max-parallel: 1", "max-parallel: 2"] as const;

/** Cells that train with a reward of the user's own, beside the file. */
const TRAINING = TINY.replace("params: { train_steps: 6 }", "params: { train_steps: 1 }")
  .replace("seed: 3\n", `seed: 3\nstrategy: { max-parallel: 1, matrix: { size: [2, 4] } }\n`)
  .replace("group_size: 4", 'group_size: "${{ matrix.size }}"')
  .replace("uses: verifier", "uses: ./mine.ts");
const EVALUATIONS = / {2}- \{ id: (before|after).*\n/g;

/** Writes a workflow with its reward into a folder of its own and hands both over. */
async function withMatrix<T>(workflow: string, reward: string, body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "tiny.yaml"), workflow);
    await Deno.writeTextFile(join(folder, "mine.ts"), reward);
    return await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Runs one cell after the other, in this process. */
const runHere = (workflow: string, reward = "", flags = ["--json"]) =>
  withMatrix(
    workflow,
    reward,
    (folder) => inProcess(["run", join(folder, "tiny.yaml"), ...flags, "--runs", join(folder, "runs")]),
  );

Deno.test("run --json of a matrix ends with one line for all cells, each with its run", async () => {
  const { code, out, err } = await runHere(IDLE);
  assert.equal(code, 0, err);
  const lines = jsonLines(out), last = lines.at(-1)!;
  const cells = last["runs"] as { matrix: { size: number }; run: string; status: string }[];
  assert.deepEqual([last["event"], last["run"], last["status"]], ["run_finished", null, "ok"]);
  assert.deepEqual(cells.map(({ matrix, status }) => [matrix.size, status]), [[2, "ok"], [4, "ok"]]);
  const finished = lines.filter(({ event }) => event === "run_finished").map(({ run }) => run);
  assert.deepEqual(finished, [...cells.map(({ run }) => run), null]);
});

Deno.test("a matrix of two processes passes their lines on whole, and knows their runs", async () => {
  const { code, out, err } = await withMatrix(
    IDLE.replace(...TWO_AT_A_TIME),
    "",
    (folder) => commandLine(["run", "tiny.yaml", "--json", "--runs", "runs"], folder),
  );
  assert.equal(code, 0, err);
  const cells = jsonLines(out).at(-1)!["runs"] as { run: string; status: string }[];
  assert.deepEqual(cells.map(({ status }) => status), ["ok", "ok"]);
  assert.equal(new Set(cells.map(({ run }) => run)).size, 2);
  assert.match(err, /^\[size=4\] Run /m);
});

Deno.test("a matrix of two processes ends with a table of what was measured and found, and every page says which cell it is", async () => {
  const evaluate = "  - { id: $1, uses: evaluate, with: { split: held_out, modes: [greedy] } }\n";
  let listed = "", pages: string[] = [];
  const lengths = "export default ({ texts }: { texts: string[] }) => texts.map((text) => text.length);\n";
  const workflow = TRAINING.replace(...TWO_AT_A_TIME).replace(EVALUATIONS, evaluate);
  const { code, out, err } = await withMatrix(workflow, lengths, async (folder) => {
    const printed = await commandLine(["run", "tiny.yaml", "--runs", "runs"], folder), runs = join(folder, "runs");
    listed = (await inProcess(["runs", "list", "--runs", runs])).out;
    pages = runIds(runs).map((id) => Deno.readTextFileSync(join(runs, id, "report.html")));
    return printed;
  });
  assert.equal(code, 0, err);
  const row = (size: number) =>
    new RegExp(
      `^size=${size} +ok +\\d+\\.\\d % greedy +\\d+\\.\\d % greedy +\\d{8}-\\S+ +error: garbled_generation$`,
      "m",
    );
  for (const size of [2, 4]) {
    assert.match(out, row(size));
    assert.match(err, new RegExp(`^\\[size=${size}\\] Run \\S+ +size=${size} `, "m"));
    assert.match(listed, new RegExp(` size=${size} +ok +1 +\\d+\\.\\d % greedy +\\d+\\.\\d % greedy `));
    assert(pages.some((page) => page.includes(`<dt>cell</dt><dd>size=${size}</dd>`)));
  }
  assert.doesNotMatch(out, /^\{/m);
});

/** Two rates, compared once; only the reward of the user's own tells them apart. */
const HALVED = TINY.replace("params: { train_steps: 6 }", "params: { train_steps: 4 }").replace(
  "seed: 3\n",
  `seed: 3
strategy:
  max-parallel: 1
  matrix: { rate: [1.0e-4, 3.0e-4] }
  halving: { metric: metrics.reward, first: 2 }
`,
).replace("learning_rate: 1.0e-4", 'learning_rate: "${{ matrix.rate }}"').replace("uses: verifier", "uses: ./mine.ts");
const SPREAD =
  `export default ({ texts }: { texts: string[] }) => texts.map((text) => (text.charCodeAt(0) || 0) % 97);\n`;

Deno.test("a halved matrix decides the same one after the other and in two processes, and its rows are the same", async () => {
  const halved = (workflow: string) =>
    withMatrix(workflow.replace(EVALUATIONS, ""), SPREAD, async (folder) => {
      const runs = join(folder, "runs");
      const { code, out, err } = await commandLine(["run", "tiny.yaml", "--json", "--trust", "--runs", "runs"], folder);
      assert.equal(code, 0, err);
      const lines = jsonLines(out), cells = lines.at(-1)!["runs"] as { run: string; status: string }[];
      const page = runIds(runs).map((id) => Deno.readTextFileSync(join(runs, id, "report.html")));
      return {
        rungs: lines.filter(({ event }) => event === "rung").map(({ time: _, ...rung }) => rung),
        statuses: cells.map(({ status }) => status),
        rows: cells.map(({ run }) => decided(rowsOnDisk(join(runs, run)))),
        reports: page.map((html) => /class="status (\w+)"/.exec(html)?.[1]),
      };
    });
  const alone = await halved(HALVED), together = await halved(HALVED.replace(...TWO_AT_A_TIME));
  assert.deepEqual(together.rungs, alone.rungs);
  assert.deepEqual(together.rows, alone.rows);
  assert.deepEqual(together.statuses, alone.statuses);
  assert.deepEqual(alone.statuses.toSorted(), ["ok", "pruned"]);
  assert.equal(alone.reports.filter((status) => status === "pruned").length, 1);
  assert.deepEqual(alone.rungs.map(({ train_step, metric }) => [train_step, metric]), [[2, "metrics.reward"]]);
});

/** Rows without what a clock has measured. */
function decided(tables: Record<string, string[]>): Record<string, string[]> {
  return { updates: tables["updates"]!, completions: tables["completions"]! };
}

Deno.test("crowdNote() is for runs that have more threads together than there are cores", () => {
  const plans = (threads: number | null, deterministic = false) =>
    [1, 2, 3].map(() => ({ settings: { threads, deterministic } })) as unknown as readonly Plan[];
  assert.equal(crowdNote(plans(2), 2, 4), null);
  assert.equal(crowdNote(plans(null), 1, 4), null);
  assert.equal(crowdNote(plans(null, true), 3, 4), null);
  assert.equal(
    crowdNote(plans(null), 8, 4),
    "3 runs at a time with 4 threads each, on 4 cores: they wait for each other; want threads: 1, or a smaller max-parallel",
  );
});

/** Fails on what is sampled; `check` tries it with fewer texts. */
const FAILING =
  "export default ({ texts }: any) => { if (texts.length > 2) throw new Error('none'); return texts.map(() => 1); };\n";

Deno.test("a cell that fails keeps the next from starting, and gives its exit code", async () => {
  const { code, out } = await runHere(TRAINING.replace(EVALUATIONS, ""), FAILING);
  assert.equal(code, 1);
  const { status, runs } = jsonLines(out).at(-1) as { status: string; runs: { status: string }[] };
  assert.deepEqual([status, ...runs.map(({ status }) => status)], ["failed", "failed", "not started"]);
});

Deno.test("a matrix says why cells did not start, and what starts them", async () => {
  const { out } = await runHere(TRAINING.replace(EVALUATIONS, ""), FAILING, ["--trust"]);
  assert.match(
    out,
    /^1 of 2 runs did not start, because size=2 failed; "fail-fast: false" under strategy starts them nevertheless$/m,
  );
});
