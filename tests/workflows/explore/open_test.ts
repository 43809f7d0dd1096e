import assert from "node:assert/strict";
import { join } from "node:path";
import { openRun, openRuns, readableRun } from "../../../workflows/explore/open.ts";
import { RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";

Deno.test("openRun() takes an id, its end, last and a folder; names those there are where it finds none", () =>
  withRuns(async (runs) => {
    for (const [typed, id] of [[RUN_A, RUN_A], ["aaaa", RUN_A], ["last", RUN_B], [join(runs, RUN_B), RUN_B]] as const) {
      assert.equal((await openRun(typed, runs)).manifest?.id, id);
    }
    await assert.rejects(openRun("zzzz", runs), /Cannot find run "zzzz": .*aaaa/);
  }));

Deno.test("openRun() of a log that holds several runs asks for one of them", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "console.log"),
      line = (step: number) => `{'loss': 0.1, 'reward': 0.5, 'step': ${step}}\n`;
    await Deno.writeTextFile(path, [1, 2, 3, 1, 2, 3].map(line).join(""));
    const several = await openRuns(path);
    assert.deepEqual(several.map(({ name }) => name), ["console.log (1 of 2)", "console.log (2 of 2)"]);
    await assert.rejects(openRun(path), /it holds 2; take one of \(await openRuns\(/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("openRun() opens no run of no rows: an empty folder, a text, an empty file", () =>
  withFolder(async (folder) => {
    const [empty, text, nothing] = ["empty", "a.txt", "b.json"].map((name) => join(folder, name));
    Deno.mkdirSync(empty!);
    Deno.writeTextFileSync(text!, "hello\n");
    Deno.writeTextFileSync(nothing!, "");
    for (const path of [empty, text, nothing]) {
      await assert.rejects(openRun(path!), /it holds no rows that we read; want a run's folder, or the log or output/);
    }
  }));

Deno.test("openRun() of the folder of all runs asks for one of them; openRuns() opens all", () =>
  withRuns(async (runs) => {
    assert.deepEqual((await openRuns(runs)).map(({ manifest }) => manifest?.id), [RUN_A, RUN_B]);
    await assert.rejects(openRun(runs), (error: unknown) => {
      return error instanceof RangeError &&
        error.message.includes(`it holds 2; open one by its folder: ${join(runs, RUN_A)}`);
    });
  }));

Deno.test("openRun() takes a run's run.json for its folder, and says what it wants where it is given nothing", () =>
  withRuns(async (runs) => {
    assert.equal((await openRun(join(runs, RUN_A, "run.json"))).manifest?.id, RUN_A);
    for (const none of ["", undefined as unknown as string]) {
      await assert.rejects(openRun(none, runs), /want its folder, its id, "last", or another's log/);
    }
  }));

Deno.test("openRun() says of a path that is not there where it looked", () =>
  withRuns(async (runs) => {
    await assert.rejects(openRun("logs/trainer_state.json", runs), (error: unknown) => {
      const { message } = error as Error;
      return message.includes(join(Deno.cwd(), "logs/trainer_state.json")) && message.includes("relative to");
    });
  }));

Deno.test("openRun() says what to do with a run whose run.json is torn, or of another version", () =>
  withRuns(async (runs) => {
    const file = join(runs, RUN_A, "run.json"), text = Deno.readTextFileSync(file);
    Deno.writeTextFileSync(file, text.slice(0, 80));
    await assert.rejects(
      openRun(RUN_A, runs),
      /run\.json: it is not JSON .*; move run\.json away to read what its tables hold/,
    );
    Deno.writeTextFileSync(file, text.replace(/"format":\s*1/, '"format": 2'));
    await assert.rejects(
      openRun(RUN_A, runs),
      /it is of format 2, want 1; open it with a newer version of this program/,
    );
    Deno.mkdirSync(join(runs, RUN_A, "checkpoints/4.0"), { recursive: true });
    Deno.writeTextFileSync(file, "");
    await assert.rejects(openRun(RUN_A, runs), /; put it back from its newest checkpoint: .* --resume /);
    Deno.removeSync(file);
    assert.equal((await openRun(join(runs, RUN_A))).tables.metrics.numRows(), 2);
  }));

Deno.test("a segment that was cut off is named when its table is asked for, and the others are read", () =>
  withRuns(async (runs) => {
    const [segment] = [...Deno.readDirSync(join(runs, RUN_A, "tables/completions"))];
    const path = join(runs, RUN_A, "tables/completions", segment!.name);
    Deno.truncateSync(path, 100);
    const run = await openRun(RUN_A, runs);
    assert.equal(run.tables.metrics.numRows(), 2);
    assert.throws(() => run.completions, /\.arrow: .*; move that file away to read the other rows/);
    Deno.removeSync(path);
    run.refresh();
    assert.equal(run.completions.numRows(), 0);
  }));

Deno.test("readableRun() of a run whose run.json or a table is damaged shows the rest, and says what is lost", () =>
  withRuns((runs) => {
    const folder = join(runs, RUN_A), manifest = join(folder, "run.json"), whole = Deno.readTextFileSync(manifest);
    Deno.writeTextFileSync(manifest, whole.slice(0, whole.indexOf('"cpu_class"')));
    Deno.writeTextFileSync(join(folder, "tables/completions/1-2.arrow"), "not arrow");
    const run = readableRun(folder);
    assert.deepEqual([run.tables.metrics.numRows(), run.completions.numRows(), run.manifest?.seed], [2, 0, 1]);
    assert.match(run.lost.join("|"), /^Cannot read all of run\.json: [^|]*\|Cannot read tables\/completions[^|]*$/);
    Deno.removeSync(manifest);
    const facts = readableRun(folder).facts().flat().filter(([name]) => name === "status" || name === "seed");
    assert.deepEqual(facts, [["status", null]]);
  }));
