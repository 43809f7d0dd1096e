import assert from "node:assert/strict";
import { join } from "node:path";
import { commandLine } from "./command_line.ts";
import { jsonLines } from "./in_process.ts";
import { TINY } from "./tiny.ts";

/** Runs a matrix of two seeds of a very short workflow with a reward of the user's own, beside the file. */
async function matrix(maxParallel: number, reward: string) {
  const folder = await Deno.makeTempDir();
  try {
    const text = TINY.replace("params: { train_steps: 6 }", "params: { train_steps: 1 }")
      .replace("seed: 3\n", `seed: 3\nstrategy: { max-parallel: ${maxParallel}, matrix: { size: [2, 4] } }\n`)
      .replace("group_size: 4", 'group_size: "${{ matrix.size }}"')
      .replace("uses: verifier", "uses: ./mine.ts")
      .replace(/ {2}- \{ id: (before|after).*\n/g, "");
    await Deno.writeTextFile(join(folder, "tiny.yaml"), text);
    await Deno.writeTextFile(join(folder, "mine.ts"), reward);
    return await commandLine(["run", "tiny.yaml", "--json", "--runs", "runs"], folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const LENGTHS = "export default ({ texts }: { texts: string[] }) => texts.map((text) => text.length);\n";

Deno.test("run --json of a matrix ends with one line for all cells, each with its run", async () => {
  const { code, out, err } = await matrix(1, LENGTHS);
  assert.equal(code, 0, err);
  const lines = jsonLines(out), last = lines.at(-1)!;
  const cells = last["runs"] as { matrix: { size: number }; run: string; status: string }[];
  assert.deepEqual([last["event"], last["run"], last["status"]], ["run_finished", null, "ok"]);
  assert.deepEqual(cells.map(({ matrix, status }) => [matrix.size, status]), [[2, "ok"], [4, "ok"]]);
  const finished = lines.filter(({ event }) => event === "run_finished").map(({ run }) => run);
  assert.deepEqual(finished, [...cells.map(({ run }) => run), null]);
});

Deno.test("a matrix of two processes passes their lines on whole, and knows their runs", async () => {
  const { code, out, err } = await matrix(2, LENGTHS);
  assert.equal(code, 0, err);
  const cells = jsonLines(out).at(-1)!["runs"] as { run: string; status: string }[];
  assert.deepEqual(cells.map(({ status }) => status), ["ok", "ok"]);
  assert.equal(new Set(cells.map(({ run }) => run)).size, 2);
  assert.match(err, /^\[size=4\] Run /m);
});

Deno.test("a cell that fails keeps the next from starting, and gives its exit code", async () => {
  const { code, out } = await matrix(1, "export default () => { throw new Error('none'); };\n");
  assert.equal(code, 1);
  const { status, runs } = jsonLines(out).at(-1) as { status: string; runs: { status: string }[] };
  assert.deepEqual([status, ...runs.map(({ status }) => status)], ["failed", "failed", "not started"]);
});
