/** Reading runs, whole and cut off. @module */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openRunFolder } from "../../data/open_run_folder.ts";
import { segmentPath } from "../../data/run_folder.ts";
import { encodeTable, tableOf } from "../../data/tables/mod.ts";

const MANIFEST = {
  format: 1,
  id: "r",
  name: "first_run",
  about: "",
  status: "interrupted",
  created: "2026-01-02T03:04:05.000Z",
  workflow: "w.yaml",
  params: {},
  seed: 7,
  device: "cpu",
  backend: "ffi",
  threads: 2,
  cpu_class: "x86_64",
  versions: {},
};

function withRun(check: (folder: string, write: (name: string, content: string | Uint8Array) => void) => void): void {
  const folder = Deno.makeTempDirSync();
  const write = (name: string, content: string | Uint8Array) => {
    Deno.mkdirSync(dirname(join(folder, name)), { recursive: true });
    Deno.writeFileSync(join(folder, name), typeof content === "string" ? new TextEncoder().encode(content) : content);
  };
  write("run.json", JSON.stringify(MANIFEST));
  check(folder, write);
  Deno.removeSync(folder, { recursive: true });
}

Deno.test("openRunFolder() joins segments in order of train steps and names gaps", () =>
  withRun((folder, write) => {
    const segment = (...steps: number[]) => encodeTable("metrics", tableOf("metrics", { train_step: steps }));
    write(segmentPath("metrics", 10, 11), segment(10, 11));
    write(segmentPath("metrics", 1, 2), segment(1, 2));
    write("tables/metrics/.tmp-12-13.arrow", "half");
    const run = openRunFolder(folder);
    assert.deepEqual([...run.table("metrics").array("train_step")], [1, 2, 10, 11]);
    assert.deepEqual(run.gaps("metrics"), [{ first: 3, last: 9 }]);
    assert.equal(run.table("updates").numRows(), 0);
    write(segmentPath("updates", 1, 2), "not arrow");
    assert.throws(() => run.table("updates"), /updates\/1-2\.arrow: Cannot read a table/);
    write(segmentPath("metrics", 3, 9), "not arrow");
    const told: string[] = [];
    const rest = openRunFolder(folder, (text) => told.push(text)).table("metrics");
    assert.deepEqual([...rest.array("train_step")], [1, 2, 10, 11]);
    assert.match(told.join(), /^Cannot read .*metrics\/3-9\.arrow: Cannot read a table/);
  }));

Deno.test("openRunFolder() tolerates a torn last event only", () =>
  withRun((folder, write) => {
    assert.deepEqual(openRunFolder(folder).events(), { events: [], torn: false });
    write("events.jsonl", '{"event":"run_started"}\n{"event":"ste');
    assert.deepEqual(openRunFolder(folder).events(), { events: [{ event: "run_started" }], torn: true });
    write("events.jsonl", '{"event":"a"}\n{"ev\n{"event":"b"}\n');
    assert.throws(() => openRunFolder(folder).events(), /events\.jsonl:2: it is not JSON/);
  }));

Deno.test("openRunFolder() lists complete checkpoints, oldest first", () =>
  withRun((folder, write) => {
    for (const name of ["20.1", "3.0", "20.0", ".tmp-21.0"]) write(`checkpoints/${name}/checkpoint.json`, "{}");
    write("checkpoints/40.0/weights.safetensors", "half");
    assert.deepEqual(openRunFolder(folder).checkpoints(), ["3.0", "20.0", "20.1"]);
  }));

Deno.test("openRunFolder() names what is no run", () =>
  withRun((folder, write) => {
    write("run.json", JSON.stringify({ ...MANIFEST, status: "done" }));
    assert.throws(() => openRunFolder(folder), /run\.json at "status"/);
    assert.throws(() => openRunFolder(join(folder, "none")), /it has no run\.json/);
  }));

Deno.test("openRunFolder() says of a run.json that is a folder what it is, and shows the tables where it is told what is lost", () =>
  withRun((folder, write) => {
    Deno.removeSync(join(folder, "run.json"));
    Deno.mkdirSync(join(folder, "run.json"));
    assert.throws(
      () => openRunFolder(folder),
      /^SyntaxError: Cannot open run \S+: its run\.json is a folder, want a file; move it away$/,
    );
    write(segmentPath("metrics", 1, 1), encodeTable("metrics", tableOf("metrics", { train_step: [1] })));
    const told: string[] = [];
    assert.equal(openRunFolder(folder, (text) => told.push(text)).table("metrics").numRows(), 1);
    assert.match(told.join(), /^Cannot read all of run\.json: it is a folder; the run is shown by its tables$/);
  }));

Deno.test("openRunFolder().lastSegment() of a table without segments is empty", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      `${folder}/run.json`,
      JSON.stringify({
        format: 1,
        id: "r",
        name: "r",
        about: "",
        status: "ok",
        created: "2026-01-01T00:00:00.000Z",
        workflow: "w.yaml",
        params: {},
        seed: 1,
        device: "cpu",
        backend: "ffi",
        threads: 1,
        cpu_class: "x",
        versions: {},
      }),
    );
    assert.equal(openRunFolder(folder).lastSegment("completions").numRows(), 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
