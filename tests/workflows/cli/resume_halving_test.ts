import assert from "node:assert/strict";
import { join } from "node:path";
import { listFolder } from "../../../data/file_system.ts";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { halvedMatrix } from "../../../workflows/cli/resume_halving.ts";
import { runIds } from "../../../workflows/explore/find_run.ts";
import { readManifest, writeManifest } from "../../../workflows/store/manifest.ts";
import { fabricateRun, RUN_A, withRuns } from "./fabricated_run.ts";
import { inProcess, jsonLines } from "./in_process.ts";
import { TINY } from "./tiny.ts";

const HALVED = TINY.replace(/ {2}- \{ id: (before|after).*\n/g, "").replace(
  "seed: 3\n",
  `seed: 3
strategy: { matrix: { rate: [1.0e-4, 2.0e-4] }, halving: { metric: metrics.reward, first: 2 } }
`,
).replace("learning_rate: 1.0e-4", 'learning_rate: "${{ matrix.rate }}"');

/** One run of the two, paused where it waits for the other. */
async function withPaused(body: (runs: string, id: string, file: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir(), runs = join(folder, "runs"), file = join(folder, "tiny.yaml");
  try {
    await Deno.writeTextFile(file, HALVED);
    const words = ["--runs", runs, "-p", "train_steps=4", "--json"];
    const first = await inProcess(["run", file, "--cell", "2", "--sweep", "one", "--pause-at", "2", ...words]);
    assert.equal(first.code, 0, first.err);
    const [id] = runIds(runs);
    assert.equal(jsonLines(first.out).at(-1)!["status"], "paused");
    await body(runs, id!, file);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("run --resume of a run that waits for others goes on with all of the matrix, as it was begun", () =>
  withPaused(async (runs, id) => {
    const { code, out, err } = await inProcess(["run", "--resume", id, "--runs", runs, "--json"]);
    assert.equal(code, 0, err);
    assert.match(err, new RegExp(`${id} is one of 2 runs that are compared, 1 of which have begun: all of them go on`));
    const lines = jsonLines(out), cells = lines.at(-1)!["runs"] as { run: string; status: string; matrix: object }[];
    assert.deepEqual(cells.map(({ matrix }) => matrix), [{ rate: 1e-4 }, { rate: 2e-4 }]);
    assert.equal(cells[1]!.run, id);
    assert.deepEqual(cells.map(({ status }) => status).toSorted(), ["ok", "pruned"]);
    assert.equal(lines.filter(({ event }) => event === "rung").length, 1);
    const manifests = runIds(runs).map((run) => readManifest(join(runs, run)));
    assert.deepEqual(manifests.map(({ params }) => params), [{ train_steps: 4 }, { train_steps: 4 }]);
    assert.deepEqual(new Set(manifests.map(({ halving }) => halving!.sweep)), new Set(["one"]));
    const pruned = manifests.find(({ status }) => status === "pruned")!;
    assert.equal(await halvedMatrix(join(runs, pruned.id)), null);
    const alone = await inProcess(["run", "--resume", pruned.id, "--runs", runs, "--json"]);
    assert.equal(jsonLines(alone.out).at(-1)!["status"], "ok", alone.err);
    assert.equal(readManifest(join(runs, pruned.id)).halving!.rungs.length, 1);
  }));

Deno.test("halvedMatrix() refuses where the file is not as it was, and passes over what it cannot read", () =>
  withPaused(async (runs, id, file) => {
    await Deno.mkdir(join(runs, "damaged"));
    await Deno.writeTextFile(join(runs, "damaged", "run.json"), "{");
    const { started, strategy, childArguments } = (await halvedMatrix(join(runs, id)))!;
    assert.deepEqual(started, [null, id]);
    assert.deepEqual(strategy.halving!.rungs, [2]);
    assert.deepEqual(childArguments, [file, "-p", "train_steps=4", "--runs", runs, "--trust"]);
    await Deno.writeTextFile(file, HALVED.replace("first: 2", "first: 3"));
    await assert.rejects(
      halvedMatrix(join(runs, id)),
      /Cannot resume the matrix of run "\S+": \S*tiny\.yaml is not as it was when the runs began; put it back, or go on with this run alone: .* run .*workflow\.yaml --resume/,
    );
    const alone = ["run", join(runs, id, "workflow.yaml"), "--resume", id, "--runs", runs, "--json"];
    const { code, err } = await inProcess(alone);
    assert.equal(code, 0, err);
  }));

Deno.test("run --resume of a matrix puts the cut run.json of one of its runs back, and starts no other for it", () =>
  withPaused(async (runs, id, file) => {
    const words = ["--runs", runs, "-p", "train_steps=4", "--json"];
    const other = await inProcess(["run", file, "--cell", "1", "--sweep", "one", "--pause-at", "2", ...words]);
    assert.equal(other.code, 0, other.err);
    const sibling = runIds(runs).find((run) => run !== id)!, manifest = join(runs, sibling, "run.json");
    await Deno.writeTextFile(manifest, (await Deno.readTextFile(manifest)).slice(0, 200));
    const { code, out, err } = await inProcess(["run", "--resume", id, "--runs", runs, "--json"]);
    assert.equal(code, 0, err);
    assert.match(
      err,
      new RegExp(`${sibling}: run\\.json is restored from checkpoint \\S+: it could not be used and is moved`),
    );
    assert.equal(runIds(runs).length, 2);
    const cells = jsonLines(out).at(-1)!["runs"] as { run: string; status: string }[];
    assert.deepEqual(cells.map(({ run }) => run), [sibling, id]);
    assert.deepEqual(cells.map(({ status }) => status).toSorted(), ["ok", "pruned"]);
  }));

Deno.test("halvedMatrix() names a run of the matrix whose run.json is cut where no checkpoint has it", () =>
  withPaused(async (runs, id) => {
    const sibling = join(runs, "20260102-030405-tiny-aaaa");
    await Deno.mkdir(sibling);
    await Deno.writeTextFile(join(sibling, "run.json"), '{ "halving": { "sweep": "one", ');
    await assert.rejects(
      halvedMatrix(join(runs, id)),
      /Cannot resume the matrix: Cannot open run \S+tiny-aaaa: its run\.json is no JSON, and no checkpoint has it; put back a copy of \S+run\.json, or move \S+tiny-aaaa away/,
    );
  }));

Deno.test("a run of the matrix whose metrics are changed or gone is not compared; what is told computes them again", () =>
  withPaused(async (runs, id) => {
    const rewards = () =>
      Array.from(openRunFolder(join(runs, id)).table("metrics").array("reward") as ArrayLike<number>);
    const before = rewards(), table = join(runs, id, "tables", "metrics");
    const path = join(table, listFolder(table)[0]!), whole = await Deno.readFile(path);
    const resume = () => inProcess(["run", "--resume", id, "--runs", runs, "--json"]);
    await Deno.remove(path);
    const gone = await resume();
    assert.equal(gone.code, 2);
    assert.match(gone.err, /metrics\/1-\d\.arrow: it is not there, and segments\.jsonl lists it; its rows are lost/);
    await Deno.writeFile(path, whole.with(whole.length >> 1, whole[whole.length >> 1]! ^ 1));
    const changed = await resume();
    assert.equal(changed.code, 2);
    assert.match(
      changed.err,
      new RegExp(
        `after train step 2: .*1-\\d\\.arrow: it is not as it was written: .*Run ${id} comes to the same rows again with`,
      ),
    );
    const words = /with: .+? task .*?(run --resume .*?); then all go on/.exec(changed.err)![1]!.split(" ");
    const again = await inProcess([...words, "--trust", "--json"]);
    assert.equal(again.code, 0, again.err);
    assert.deepEqual(rewards(), before);
    const { code, err } = await resume();
    assert.equal(code, 0, err);
  }));

Deno.test("halvedMatrix() is null for a run that is alone", () =>
  withRuns(async (runs) => {
    const folder = fabricateRun(runs, RUN_A, { status: "interrupted" });
    assert.equal(await halvedMatrix(folder), null);
    writeManifest(folder, { ...readManifest(folder), status: "ok" });
    assert.equal(await halvedMatrix(folder), null);
  }));
