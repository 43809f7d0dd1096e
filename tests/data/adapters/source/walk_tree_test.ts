import assert from "node:assert/strict";
import { type Disk, type Entry, PACKED, walkTree } from "../../../../data/adapters/source/walk_tree.ts";

/** A disk that holds these files alone. */
function diskOf(files: readonly string[], more: Partial<Disk> = {}): Disk {
  return {
    list(folder) {
      const entries = new Map<string, Entry>();
      for (const file of files.filter((file) => file.startsWith(`${folder}/`))) {
        const [name = "", below] = file.slice(folder.length + 1).split("/");
        entries.set(name, { name, kind: below === undefined ? "file" : "folder" });
      }
      return Promise.resolve([...entries.values()]);
    },
    real: (folder) => Promise.resolve(folder),
    linked: () => Promise.resolve(null),
    ownRun: () => null,
    ...more,
  };
}

const paths = async (files: readonly string[], more: Partial<Disk> = {}) =>
  (await walkTree("run", diskOf(files, more))).files.map(({ path }) => path);

Deno.test("walkTree() takes logs in the order of their names, of checkpoints the last, no weights, packed or not", async () => {
  assert.deepEqual(
    await paths([
      "run/z.log",
      "run/a.jsonl.gz",
      "run/model.safetensors",
      "run/label.json.gz",
      "run/checkpoint-2/trainer_state.json",
      "run/checkpoint-10/trainer_state.json",
      "run/.venv/x.log",
    ]),
    ["run/a.jsonl.gz", "run/checkpoint-10/trainer_state.json", "run/z.log"],
  );
  assert(PACKED.test("a.LOG.GZ") && !PACKED.test("gz"));
});

Deno.test("walkTree() takes a run of MLflow by its meta.yaml, and leaves a run of ours that the disk cannot give", async () => {
  assert.deepEqual(await paths(["run/meta.yaml", "run/metrics/loss", "run/artifacts/a.json", "run/tags/x"]), [
    "run/artifacts/a.json",
    "run/meta.yaml",
  ]);
  const ownRun: Disk["ownRun"] = (_, names) => names.has("tables") ? { reason: "no disk" } : null;
  const { files, left } = await walkTree(
    "run",
    diskOf(["run/own/run.json", "run/own/tables/x", "run/a.log"], { ownRun }),
  );
  assert.deepEqual([files.length, left], [1, [{ path: "run/own", reason: "no disk" }]]);
});

Deno.test("walkTree() reads so many files, and names those behind them", async () => {
  const { files, left } = await walkTree("run", diskOf(Array.from({ length: 402 }, (_, i) => `run/${1000 + i}.log`)));
  assert.deepEqual([files.length, left.length], [400, 2]);
  assert.match(left[0]!.reason, /more than 400 files/);
});
