/** Damage between stop and resume: weights go on bitwise or the resume is refused, and nothing is removed. @module */
import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { parseSegment } from "../../../data/run_folder.ts";
import { listFolder } from "../../../data/file_system.ts";
import { DriftError, NoCheckpointError } from "../../../workflows/engine/run_plan.ts";
import { readCheckpoint } from "../../../workflows/store/checkpoint.ts";
import { readManifest, writeManifest } from "../../../workflows/store/manifest.ts";
import { checkpointNames } from "../../../workflows/store/retention.ts";
import { type FakeRun, fakeRun, rowsOnDisk, withFolder } from "./fake_runs.ts";

const TEXT = `
name: damaged
params: { rate: 0.1 }
checkpoint: { every: 2, keep: 3 }
steps:
  - uses: load_prompts
  - uses: load_model
  - repeat: 7
    steps:
      - uses: sample_groups
      - { uses: apply_update, with: { rate: "\${{ params.rate }}" } }
      - uses: evaluate
`;

/** Stopped in train step 5, with checkpoints of 2, 4 and 5. */
const stopped = (runs: string, id: string) => fakeRun(TEXT, { runs, runId: id, stopAt: 25 });

const told = ({ events }: FakeRun) =>
  events.filter(({ event }) => event === "message").map(({ text }) => String(text)).join("\n");

/** Paths of all files below a folder with their bytes. */
function filesOf(folder: string, at = folder): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const { name, isDirectory } of Deno.readDirSync(at)) {
    const path = join(at, name);
    if (isDirectory) { for (const [file, bytes] of filesOf(folder, path)) found.set(file, bytes); }
    else found.set(relative(folder, path), Deno.readFileSync(path));
  }
  return found;
}

/** Ways in which a file goes bad; the last is one that the system does not read, whoever asks. */
const DAMAGE: Readonly<Record<string, (path: string) => void>> = {
  "a flipped bit": (path) => {
    const bytes = Deno.readFileSync(path);
    bytes[bytes.length >> 1]! ^= 1;
    Deno.writeFileSync(path, bytes);
  },
  "a deletion": (path) => Deno.removeSync(path),
  "a read error": (path) => {
    Deno.removeSync(path);
    Deno.symlinkSync(path, path);
  },
};

const whole = await (async () => {
  const runs = Deno.makeTempDirSync();
  try {
    const run = await fakeRun(TEXT, { runs, runId: "whole" });
    return { weights: run.hooks.policy!.weights.slice(), rows: rowsOnDisk(run.folder) };
  } finally {
    Deno.removeSync(runs, { recursive: true });
  }
})();

for (const [what, damage] of Object.entries(DAMAGE)) {
  for (const table of ["metrics", "completions", "updates", "evaluations"]) {
    Deno.test(`${what} in a segment of ${table} costs its rows and no weights`, () =>
      withFolder(async (runs) => {
        const run = await stopped(runs, "hurt");
        const [segment] = listFolder(join(run.folder, "tables", table)).filter((name) => parseSegment(name));
        damage(join(run.folder, "tables", table, segment!));
        const before = checkpointNames(run.folder);
        const resumed = await fakeRun(TEXT, { runs, resume: "hurt" });
        assert.equal(resumed.status, "ok", resumed.reason ?? "");
        assert.match(told(resumed), new RegExp(`Resumed from checkpoint ${before.at(-1)}`));
        assert.match(told(resumed), new RegExp(`rows of .*${table}.* are lost`));
        assert.deepEqual(resumed.hooks.policy!.weights, whole.weights);
        const { first, last } = parseSegment(segment!)!, rows = rowsOnDisk(resumed.folder);
        const left = whole.rows[table]!.filter((row) => {
          const step = JSON.parse(row).train_step;
          return step < first || step > last;
        });
        assert.deepEqual(rows[table], left);
        for (const [name, other] of Object.entries(whole.rows)) if (name !== table) assert.deepEqual(rows[name], other);
        if (table !== "metrics") return;
        // Told once: what is lost is known now.
        const again = await fakeRun(TEXT, { runs, resume: "hurt" });
        assert.doesNotMatch(told(again), /are lost/);
      }));
  }
}

Deno.test("a damaged checkpoint is moved aside whole, and the run goes on from the one before it", () =>
  withFolder(async (runs) => {
    const run = await stopped(runs, "hurt");
    const newest = checkpointNames(run.folder).at(-1)!, before = filesOf(run.folder);
    const path = join(run.folder, "checkpoints", newest, "policy.resource.bin");
    DAMAGE["a flipped bit"]!(path);
    const damaged = Deno.readFileSync(path);
    const resumed = await fakeRun(TEXT, { runs, resume: "hurt" });
    assert.match(
      told(resumed),
      new RegExp(
        `Checkpoint ${newest} is passed over: .*sha256 differs; it is moved to set_aside/1/checkpoints/${newest}`,
      ),
    );
    assert.deepEqual(resumed.hooks.policy!.weights, whole.weights);
    assert.deepEqual(rowsOnDisk(resumed.folder), whole.rows);
    const after = filesOf(join(run.folder, "set_aside", "1"));
    for (const [file, bytes] of before) {
      if (!file.startsWith(`checkpoints/${newest}/`)) continue;
      assert.deepEqual(after.get(file), file.endsWith("policy.resource.bin") ? damaged : bytes, file);
    }
  }));

Deno.test("an edited checkpoint.json is not believed", () =>
  withFolder(async (runs) => {
    const run = await stopped(runs, "edited");
    const newest = checkpointNames(run.folder).at(-1)!;
    const path = join(run.folder, "checkpoints", newest, "checkpoint.json");
    const text = Deno.readTextFileSync(path);
    for (const [was, is] of [[/"train_step": \d+/, '"train_step": 3'], [/"update": \d+/, '"update": 9']] as const) {
      Deno.writeTextFileSync(path, text.replace(was, is));
      assert.throws(() => readCheckpoint(run.folder, newest), /its checkpoint.json is damaged: its sha256 differs/);
    }
    // A whole checkpoint under the name of another.
    Deno.writeTextFileSync(path, text);
    Deno.renameSync(dirname(path), join(run.folder, "checkpoints", "36.0"));
    const resumed = await fakeRun(TEXT, { runs, resume: "edited" });
    assert.match(told(resumed), new RegExp(`Checkpoint 36.0 is passed over: .* is that of checkpoint ${newest}`));
    assert.deepEqual(resumed.hooks.policy!.weights, whole.weights);
  }));

Deno.test("a run whose checkpoints all are damaged or gone is refused, unchanged, and begins again when asked", () =>
  withFolder(async (runs) => {
    const run = await stopped(runs, "none");
    for (const name of checkpointNames(run.folder)) {
      Deno.writeTextFileSync(join(run.folder, "checkpoints", name, "state.json"), "{");
    }
    const before = filesOf(run.folder);
    before.delete("lock");
    await assert.rejects(fakeRun(TEXT, { runs, resume: "none" }), (error: Error) => {
      assert.ok(error instanceof NoCheckpointError);
      assert.match(error.message, /no checkpoint can be read: \S+: state.json has 1 bytes, want .*pass --from-start/);
      return true;
    });
    const unchanged = filesOf(run.folder);
    unchanged.delete("lock");
    assert.deepEqual(unchanged, before);
    const again = await fakeRun(TEXT, { runs, resume: "none", fromStart: true });
    assert.deepEqual(again.hooks.policy!.weights, whole.weights);
    assert.deepEqual(rowsOnDisk(again.folder), whole.rows);
    const aside = filesOf(join(run.folder, "set_aside", "1"));
    for (const [file, bytes] of before) {
      if (/^(checkpoints|tables|segments)/.test(file)) assert.deepEqual(aside.get(file), bytes, file);
    }
    Deno.removeSync(join(run.folder, "checkpoints"), { recursive: true });
    await assert.rejects(fakeRun(TEXT, { runs, resume: "none" }), /its checkpoints are gone from .*checkpoints/);
  }));

Deno.test("a damaged run.json is restored from the newest checkpoint", () =>
  withFolder(async (runs) => {
    for (const [id, damage] of [["half", "{"], ["no", null]] as const) {
      const run = await stopped(runs, id), path = join(run.folder, "run.json");
      const { created, identity } = readManifest(run.folder);
      if (damage === null) Deno.removeSync(path);
      else Deno.writeTextFileSync(path, damage);
      const resumed = await fakeRun(TEXT, { runs, resume: id });
      assert.match(told(resumed), /run.json is restored from checkpoint 5.2/);
      assert.deepEqual(resumed.hooks.policy!.weights, whole.weights);
      const manifest = readManifest(run.folder);
      assert.deepEqual([manifest.id, manifest.created, manifest.identity], [id, created, identity]);
      if (damage !== null) assert.equal(Deno.readTextFileSync(join(run.folder, "set_aside/1/run.json")), damage);
    }
  }));

Deno.test("the identity that a checkpoint was written under counts, whatever run.json says", () =>
  withFolder(async (runs) => {
    const run = await stopped(runs, "config");
    const manifest = readManifest(run.folder);
    const changed = { params: { rate: "0.2" } };
    await assert.rejects(fakeRun(TEXT, { runs, resume: "config", ...changed }), DriftError);
    // run.json altered to agree with the changed workflow: the checkpoint does not.
    const identity = structuredClone(manifest.identity) as Record<string, Record<string, unknown>>;
    identity.params!.rate = 0.2;
    const steps = identity.workflow!.steps as { steps: { with: { rate: number } }[] }[];
    steps[2]!.steps[1]!.with.rate = 0.2;
    writeManifest(run.folder, { ...manifest, identity });
    await assert.rejects(
      fakeRun(TEXT, { runs, resume: "config", ...changed }),
      /params.rate is 0.2, was 0.1.*\(as it ran: checkpoints\/5.2\/workflow.yaml\), or/,
    );
    const same = await fakeRun(TEXT, { runs, resume: "config" });
    assert.deepEqual(same.hooks.policy!.weights, whole.weights);
  }));

Deno.test("files of others in tables/ are left alone", () =>
  withFolder(async (runs) => {
    const run = await stopped(runs, "foreign");
    const foreign = ["tables/.DS_Store", "tables/metrics/.DS_Store", "checkpoints/.DS_Store", "tables/notes/a.txt"];
    Deno.mkdirSync(join(run.folder, "tables/notes"));
    for (const file of foreign) Deno.writeTextFileSync(join(run.folder, file), "x");
    const resumed = await fakeRun(TEXT, { runs, resume: "foreign" });
    assert.deepEqual(resumed.hooks.policy!.weights, whole.weights);
    for (const file of foreign) assert.equal(Deno.readTextFileSync(join(run.folder, file)), "x");
  }));

Deno.test("the time of a resumed run is the time in which it ran", () =>
  withFolder(async (runs) => {
    const first = await stopped(runs, "paused");
    const before = readManifest(first.folder).ms!;
    assert.ok(before > 0);
    const resumed = await fakeRun(TEXT, { runs, resume: "paused", now: () => new Date(Date.now() + 3_600_000) });
    const { ms } = readManifest(resumed.folder);
    const ran = resumed.events.findLast(({ event }) => event === "run_finished")!.ms as number;
    assert.ok(ms! >= ran && ms! <= before + ran + 1, `${ms} of ${before} and ${ran}`);
  }));

Deno.test("a file that the workflow names and that was edited since is refused, and said when it is allowed", () =>
  withFolder(async (runs) => {
    const file = join(runs, "own.jsonl");
    const text = TEXT.replace("uses: load_prompts", `{ uses: load_prompts, with: { file: ${file} } }`);
    Deno.writeTextFileSync(file, "a");
    await fakeRun(text, { runs, runId: "edited", stopAt: 25 });
    Deno.writeTextFileSync(file, "b");
    const refused =
      /content of .*own.jsonl is "[0-9a-f]{16}", was "[0-9a-f]{16}"; restore these, or pass --allow-drift/;
    await assert.rejects(fakeRun(text, { runs, resume: "edited" }), refused);
    const allowed = await fakeRun(text, { runs, resume: "edited", allowDrift: true, stopAt: 3 });
    assert.match(told(allowed), /Drift allowed: content of .*own.jsonl is/);
    // Gone on from with the new content: from here it is the run's own.
    assert.equal((await fakeRun(text, { runs, resume: "edited" })).status, "ok");
  }));
