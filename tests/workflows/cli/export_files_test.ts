/** Files of an export: all or none, and over nothing of the user's. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { writeExport } from "../../../workflows/cli/export_files.ts";
import { RUN_A, withRuns } from "./fabricated_run.ts";
import { inProcess } from "./in_process.ts";

async function within(body: (out: string) => void | Promise<void>): Promise<void> {
  const out = await Deno.makeTempDir();
  try {
    await body(out);
  } finally {
    await Deno.remove(out, { recursive: true });
  }
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

Deno.test("export over a file that it did not write, or that was changed since, is refused; its own it replaces", () =>
  withRuns(async (runs) => {
    const out = join(runs, "out"), file = join(out, "metrics.csv");
    const run = () => inProcess(["export", RUN_A, "--format", "csv", "--out", out, "--runs", runs]);
    Deno.mkdirSync(out);
    Deno.writeTextFileSync(file, "mine\n");
    const refused = await run();
    assert.equal(refused.code, 2);
    assert.match(refused.err, /Cannot export to .*metrics\.csv: it is there, and no export wrote it; move it away/);
    assert.deepEqual(
      [Deno.readTextFileSync(file), names(out)],
      ["mine\n", ["metrics.csv"]],
      "nothing else was written",
    );
    Deno.removeSync(file);
    assert.equal((await run()).code, 0);
    const first = Deno.readTextFileSync(file);
    assert.equal((await run()).code, 0);
    assert.equal(Deno.readTextFileSync(file), first);
    Deno.writeTextFileSync(file, `${first}3,mine\n`);
    assert.match((await run()).err, /metrics\.csv: it is there, and it was changed since it was exported/);
    assert.equal(Deno.readTextFileSync(file), `${first}3,mine\n`);
  }));

Deno.test("writeExport() leaves everything as it was when a file cannot be made", () =>
  within((out) => {
    writeExport(out, [{ path: "a.csv", pieces: ["old"] }]);
    const before = names(out);
    const half = function* () {
      yield "new";
      throw new SyntaxError("a damaged segment");
    };
    assert.throws(
      () => writeExport(out, [{ path: "a.csv", pieces: ["new"] }, { path: "b.csv", pieces: half() }]),
      /damaged/,
    );
    assert.deepEqual([names(out), Deno.readTextFileSync(join(out, "a.csv"))], [before, "old"]);
  }));

Deno.test("writeExport() keeps a file that runs share, and counts files that are told as one folder", () =>
  within((out) => {
    Deno.mkdirSync(join(out, "store"));
    Deno.writeTextFileSync(join(out, "store/meta.yaml"), "theirs");
    const written = writeExport(out, [
      { path: "store/meta.yaml", pieces: ["ours"], isShared: true },
      { path: "store/run/a", pieces: ["12"], within: "store/run" },
      { path: "store/run/b", pieces: ["é"], within: "store/run" },
    ]);
    assert.deepEqual(written, [{ path: "store/run", files: 2, bytes: 4 }]);
    assert.equal(Deno.readTextFileSync(join(out, "store/meta.yaml")), "theirs");
  }));
