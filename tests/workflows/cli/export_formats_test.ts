/** A run of ours in every format: the same rows and the same verdict when it is read again. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { readRun } from "../../../data/adapters/read_run.ts";
import { RUN_FILES, segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../../data/tables/mod.ts";
import { examineRun } from "../../../workflows/doctor/examine_run.ts";
import { WHOLE_FORMATS } from "../../../workflows/cli/export_formats.ts";
import { openRun } from "../../../workflows/explore/open.ts";
import { type Story, visualRftLog } from "../doctor/visual_rft_log.ts";
import { fabricateRun } from "./fabricated_run.ts";
import { inProcess } from "./in_process.ts";
import { exportedTo, ID, METRICS, ODD, SETTINGS, withOddRun } from "./odd_run.ts";
import { withTinyRun } from "./tiny_run.ts";

const present = (row: object) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined));
/** Formats that hold no more than the number of a step. */
const WITHOUT_STEP_ID = ["tensorboard", "mlflow"];

for (const format of WHOLE_FORMATS) {
  Deno.test(`export --format ${format}: openRun reads the same metrics, settings and completions`, () =>
    withOddRun(async (runs) => {
      const run = await openRun(await exportedTo(runs, format));
      assert.equal(run.system, "nonzero");
      const metrics = METRICS.map(({ step_id, ...row }) =>
        WITHOUT_STEP_ID.includes(format) ? row : { ...row, step_id }
      );
      assert.deepEqual(run.tables.metrics.objects().map(present), metrics);
      const last = run.tables.completions.objects() as Record<string, unknown>[];
      const rows = last.filter(({ train_step }) => train_step === 4);
      assert.deepEqual(rows.map(({ prompt, text, reward }) => [prompt, text, reward]), [[ODD, ODD, 0], [ODD, "", 1]]);
      const settings = run.tables.settings.objects() as Record<string, unknown>[];
      assert.deepEqual(
        settings.map(({ name, value }) => [name, value]),
        SETTINGS.map(({ name, value }) => [name, value]),
      );
      assert.equal(run.tables.evaluations.numRows(), 4);
    }));
}

Deno.test("export in every format keeps the verdict of a run", () =>
  withTinyRun(async ({ folder }, runs) => {
    const said = async (path: string) => {
      const read = await readRun([path]);
      assert.equal(read.length, 1, path);
      const { verdict, findings } = examineRun(read[0]!).diagnosis;
      return [verdict, findings.map(({ cause, severity }) => [cause, severity])];
    };
    const own = await said(folder);
    for (const format of WHOLE_FORMATS) {
      const out = join(runs, "out", format);
      const { code, err } = await inProcess(["export", folder, "--format", format, "--out", out]);
      assert.equal(code, 0, err);
      assert.deepEqual(await said(out), own, format);
    }
  }));

Deno.test("export: two runs lie beside each other in one W&B folder and one store of MLflow", () =>
  withOddRun(async (runs) => {
    const other = "20260102-030406-odd-bbbb";
    fabricateRun(runs, other);
    for (const format of ["wandb", "mlflow"]) {
      const out = await exportedTo(runs, format);
      const store = join(out, format === "mlflow" ? "mlruns/0" : "wandb");
      const shared = join(store, "meta.yaml"), before = format === "mlflow" ? Deno.readTextFileSync(shared) : "";
      const { code, err } = await inProcess(["export", other, "--format", format, "--out", out, "--runs", runs]);
      assert.equal(code, 0, err);
      assert.equal([...Deno.readDirSync(store)].filter(({ isDirectory }) => isDirectory).length, 2);
      if (format === "mlflow") assert.equal(Deno.readTextFileSync(shared), before);
    }
  }));

Deno.test("export of a run that goes on writes what only its events tell of, and says so", () =>
  withOddRun(async (runs) => {
    const folder = join(runs, ID), manifest = join(folder, RUN_FILES.manifest);
    Deno.writeTextFileSync(manifest, Deno.readTextFileSync(manifest).replace('"status": "ok"', '"status": "running"'));
    const event = {
      event: "train_step",
      time: "2026-01-02T03:05:00.000Z",
      train_step: 5,
      phase: "rollout",
      reward: 0.5,
    };
    Deno.writeTextFileSync(join(folder, RUN_FILES.events), `${JSON.stringify(event)}\n{"event":"tr`);
    using lock = Deno.openSync(join(folder, RUN_FILES.lock), { write: true, create: true });
    lock.lockSync(true);
    for (const format of ["csv", "wandb", "mlflow", "tensorboard", "trainer_state"]) {
      const out = join(runs, "out", format);
      const { code, err } = await inProcess(["export", ID, "--format", format, "--out", out, "--runs", runs]);
      assert.equal(code, 0, err);
      assert.match(err, /is still running: what it has done up to now is exported/);
      const { metrics } = (await openRun(out)).tables;
      assert.deepEqual(Array.from(metrics.array("train_step")), [1, 2, 3, 4, 5], format);
    }
  }));

/** A run of ours that tells a story of Visual-RFT's, in our columns. */
async function storyRun(runs: string, id: string, story: Story, seed: number): Promise<string> {
  const folder = join(runs, `log-${id}`), { console, blocks } = visualRftLog(story, seed, 12, 8);
  Deno.mkdirSync(folder);
  Deno.writeTextFileSync(join(folder, "train.log"), console);
  Deno.writeTextFileSync(join(folder, "debug_log.txt"), blocks);
  const { tables } = (await readRun([folder]))[0]!.rows;
  const metrics = (tables.metrics!.objects() as Record<string, unknown>[]).map((
    { train_step, loss, grad_norm, learning_rate, completion_length, reward, group_reward_std, reward_std, kl },
  ) => ({
    ...{ train_step, loss, grad_norm, learning_rate, completion_length, reward, kl },
    ...{ phase: "rollout", step_id: "apply_update", entropy: 0.6, group_reward_std: group_reward_std ?? reward_std },
  }));
  const completions = (tables.completions!.objects() as Record<string, unknown>[]).map((row, i) => {
    const [iou, confidence] = ["IoU", "Confidence"].map((name) => row[`reward.Accuracy reward of ${name}`] as number);
    const format = /<\/answer>$/.test(String(row["text"])) ? 1 : 0;
    return {
      train_step: 1 + Math.floor(i / 64),
      prompt_id: Math.floor(i / 8),
      ...{ sample: i % 8, prompt: `find ${Math.floor(i / 8)}`, answer: row["answer"], text: row["text"] },
      ...{ "reward.visual/iou": iou, "reward.visual/confidence": confidence, "reward.visual/format": format },
      ...{ completion_tokens: 60, reward: iou! + confidence! + format },
    };
  });
  const own = fabricateRun(runs, id, { train_step: 12 });
  Deno.removeSync(join(own, RUN_FILES.tables), { recursive: true });
  for (const [name, rows] of [["metrics", metrics], ["completions", completions]] as const) {
    const path = join(own, segmentPath(name, 1, 12));
    Deno.mkdirSync(join(path, ".."), { recursive: true });
    Deno.writeFileSync(path, encodeTable(name, tableOfRows(name, rows)));
  }
  return own;
}

Deno.test("export --format visual_rft_log: the same cause is named first of the log and of the run", async () => {
  const runs = await Deno.makeTempDir();
  try {
    for (const [story, cause] of [["greedy", "greedy_sampling"], ["garbled", "garbled_generation"]] as const) {
      const id = `20260102-030405-${story}-aaaa`, folder = await storyRun(runs, id, story, 5);
      const out = join(runs, "out", story);
      const { code, err } = await inProcess(["export", folder, "--format", "visual_rft_log", "--out", out]);
      assert.equal(code, 0, err);
      for (const path of [folder, out]) {
        const [run] = await readRun([path]), { verdict, findings } = examineRun(run!).diagnosis;
        assert.deepEqual([verdict, findings[0]?.cause], ["faulty", cause], `${story} ${run!.system}`);
      }
    }
    const table = [
      "export",
      join(runs, "20260102-030405-greedy-aaaa"),
      "--format",
      "visual_rft_log",
      "--table",
      "metrics",
    ];
    const { code, err } = await inProcess([...table, "--out", join(runs, "other")]);
    assert.equal(code, 2);
    assert.match(err, /Cannot export --table metrics as visual_rft_log: it is another system's print, which has none/);
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
});
