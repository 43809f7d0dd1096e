import assert from "node:assert/strict";
import { join } from "node:path";
import { commandLine } from "./command_line.ts";
import { runIds } from "../../../workflows/explore/find_run.ts";
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
const runHere = (workflow: string, reward = "") =>
  withMatrix(
    workflow,
    reward,
    (folder) => inProcess(["run", join(folder, "tiny.yaml"), "--json", "--runs", join(folder, "runs")]),
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

Deno.test("a cell that fails keeps the next from starting, and gives its exit code", async () => {
  const { code, out } = await runHere(
    TRAINING.replace(EVALUATIONS, ""),
    "export default ({ texts }: any) => { if (texts.length > 2) throw new Error('none'); return texts.map(() => 1); };\n",
  );
  assert.equal(code, 1);
  const { status, runs } = jsonLines(out).at(-1) as { status: string; runs: { status: string }[] };
  assert.deepEqual([status, ...runs.map(({ status }) => status)], ["failed", "failed", "not started"]);
});
