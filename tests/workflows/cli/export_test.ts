import assert from "node:assert/strict";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { isFile } from "../../../data/file_system.ts";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { merged, readAdapter } from "../../../data/hub/peft_adapter.ts";
import { readTensors } from "../../../steps/resources/model_source.ts";
import { openPolicy } from "../../../workflows/cli/open_policy.ts";
import { editJson, modelFolder } from "../../steps/contexts/model_folders.ts";
import { same } from "../../same.ts";
import { RUN_A, withRuns } from "./fabricated_run.ts";
import { withTinyRun } from "./tiny_run.ts";
import { inProcess } from "./in_process.ts";

/** Exports the metrics (and completions) of the fabricated run and gives the files by name. */
async function exported(
  runs: string,
  format: string,
  ...more: readonly string[]
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const out = join(runs, "out", format);
  const { code, out: said, err } = await inProcess(
    ["export", RUN_A, "--format", format, "--out", out, "--runs", runs, ...more],
  );
  assert.equal(code, 0, err);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const { name } of Deno.readDirSync(out)) {
    files.set(name, Deno.readFileSync(join(out, name)));
    assert(said.includes(name), said);
  }
  return files;
}

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** The time of each record: after a header of 12 bytes, a tag and 8 bytes. */
function wallTimes(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset), times: number[] = [];
  for (let at = 0; at < bytes.length; at += 16 + Number(view.getBigUint64(at, true))) {
    times.push(view.getFloat64(at + 13, true));
  }
  return times;
}

Deno.test("export --format parquet writes tables that another reader reads", () =>
  withRuns(async (runs) => {
    const files = await exported(runs, "parquet");
    assert.deepEqual([...files.keys()].sort(), ["completions.parquet", "metrics.parquet"]);
    const rows = await parquetReadObjects({ file: files.get("metrics.parquet")!.buffer });
    assert.deepEqual(rows.map(({ train_step, reward }) => [train_step, reward]), [[1, 0.25], [2, 0.75]]);
  }));

Deno.test("export --format csv and jsonl write one table where one is named", () =>
  withRuns(async (runs) => {
    const csv = await exported(runs, "csv", "--table", "metrics");
    assert.deepEqual([...csv.keys()], ["metrics.csv"]);
    const [head, first] = text(csv.get("metrics.csv")).split(/\r?\n/);
    const cells = Object.fromEntries(head!.split(",").map((name, i) => [name, first!.split(",")[i]]));
    assert.deepEqual([cells["train_step"], cells["reward"]], ["1", "0.25"]);
    const jsonl = await exported(runs, "jsonl", "--table", "completions");
    const lines = text(jsonl.get("completions.jsonl")).trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(lines.map(({ text, correct }) => [text, correct])[3], ["4\n", true]);
  }));

Deno.test("export --format tensorboard writes the metrics' names, each row at the time of its train step", () =>
  withRuns(async (runs) => {
    const second = (s: number) => new Date(1767323045000 + 1000 * s).toISOString();
    const events = [
      { event: "run_started", time: second(0) },
      { event: "train_step", train_step: 1, time: second(30.5) },
      { event: "train_step", train_step: 2, time: second(75) },
    ];
    Deno.writeTextFileSync(join(runs, RUN_A, "events.jsonl"), events.map((e) => JSON.stringify(e)).join("\n") + "\n");
    const [[name, bytes]] = [...await exported(runs, "tensorboard")] as [[string, Uint8Array]];
    assert.equal(name, "events.out.tfevents.1767323045.nonzero");
    assert(text(bytes).includes("brain.Event:2") && text(bytes).includes("reward"));
    assert.deepEqual(wallTimes(bytes), [1767323045, 1767323075.5, 1767323120]);
  }));

Deno.test("export --format trainer_state writes a log that the doctor and TRL's readers know", () =>
  withRuns(async (runs) => {
    const state = JSON.parse(text((await exported(runs, "trainer_state")).get("trainer_state.json")));
    assert.deepEqual(state.log_history.map((row: Record<string, unknown>) => [row["step"], row["reward"]]), [
      [1, 0.25],
      [2, 0.75],
    ]);
  }));

Deno.test("export refuses a missing format or folder, an unknown table and a run without rows, exit 2", () =>
  withRuns(async (runs) => {
    const refuses = async (args: readonly string[], message: RegExp) => {
      const { code, err } = await inProcess(["export", RUN_A, "--runs", runs, ...args]);
      assert.match(err, message);
      assert.equal(code, 2);
    };
    await refuses(["--out", "x"], /want --format parquet \| csv \| jsonl \| tensorboard \| trainer_state \| hf/);
    await refuses(["--format", "csv"], /want --out DIR/);
    await refuses(["--format", "csv", "--out", join(runs, "o"), "--table", "metric"], /"metric".*"metrics"/);
    await refuses(["--format", "csv", "--out", join(runs, "o"), "--table", "updates"], /no rows/);
  }));

Deno.test("export --format hf and peft of a checkpoint upon int4 weights write what export_model would: exact weights, a card, the source's keys", async () => {
  const models = Deno.makeTempDirSync();
  try {
    const base = modelFolder(models, "warm_addition", { tokenizer: false });
    editJson(join(base, "config.json"), (config) => config["use_mrope"] = false);
    const given = `model: ${JSON.stringify(base)}, weights: int4, lora: { target_modules: all_linear }`;
    await withTinyRun(
      async ({ folder }, runs) => {
        const write = async (format: string) => {
          const out = join(runs, "out", format);
          const { code, out: said, err } = await inProcess(["export", folder, "--format", format, "--out", out]);
          assert.equal(code, 0, err);
          return { out, said, card: Deno.readTextFileSync(join(out, "README.md")) };
        };
        const hf = await write("hf"), peft = await write("peft");
        assert.match(
          hf.said,
          /upon weights of int4; it is merged into those of .*warm_addition, which are not rounded/,
        );
        assert.match(hf.said, /from checkpoint 2\./);
        const written = readTensors(hf.out);
        for (const [name, { data }] of merged(readTensors(base), readAdapter(peft.out))) {
          same(written.get(name)!.data, data, name);
        }
        assert.equal(JSON.parse(Deno.readTextFileSync(join(hf.out, "config.json")))["use_mrope"], false);
        assert.match(hf.card, /library_name: transformers[^]*A model \(policy\), trained by the workflow `tiny`/);
        assert.match(hf.card, /\* Train steps: 2; seed 3;[^]*\| learning_rate \| 0\.0001 \|/);
        assert.match(peft.card, /library_name: peft[^]*A LoRA adapter \(policy\)/);
      },
      (text) => text.replace("model: tiny_qwen2", given).replace("  - { uses: export_model }\n", ""),
    );
  } finally {
    Deno.removeSync(models, { recursive: true });
  }
});

Deno.test("export --format hf of a run that has exported keeps that export's card", () =>
  withTinyRun(async ({ folder }, runs) => {
    const out = join(runs, "out", "hf"), own = join(folder, "model", "README.md");
    const card = Deno.readTextFileSync(own).replace("\ntags:", "\nbase_model: org/tiny\ntags:");
    Deno.writeTextFileSync(own, card);
    const { code, err } = await inProcess(["export", folder, "--format", "hf", "--out", out]);
    assert.equal(code, 0, err);
    assert.equal(Deno.readTextFileSync(join(out, "README.md")), card);
    const opened = await openPolicy(openRunFolder(folder));
    opened.policy.release();
    assert.equal(opened.trainStep, 2);
  }));

Deno.test("export --format peft of a run whose export is merged takes the adapter of its newest checkpoint", () =>
  withTinyRun(async ({ folder }, runs) => {
    const out = join(runs, "out", "peft");
    const { code, out: said, err } = await inProcess(["export", folder, "--format", "peft", "--out", out]);
    assert.equal(code, 0, err);
    assert.match(said, /from checkpoint 2\./);
    const whole = readTensors(join(folder, "model")), { pairs } = readAdapter(out);
    assert(pairs.size > 0);
    for (const name of pairs.keys()) assert(whole.has(name), name);
    Deno.removeSync(join(folder, "checkpoints"), { recursive: true });
    const gone = await inProcess(["export", folder, "--format", "peft", "--out", join(runs, "out", "no")]);
    assert.match(gone.err, /its export is merged, and there is no checkpoint, which would have the adapter apart/);
    assert.equal(isFile(join(runs, "out", "no", "adapter_config.json")), false);
  }, (text) => text.replace("model: tiny_qwen2", "model: tiny_qwen2, lora: { target_modules: all_linear }")));

Deno.test("export --format peft says so where all weights train", () =>
  withTinyRun(async ({ folder }, runs) => {
    const { code, err } = await inProcess(["export", folder, "--format", "peft", "--out", join(runs, "out")]);
    assert.match(
      err,
      /Cannot export run .* as peft: all of its weights train, and there is no adapter; want --format hf/,
    );
    assert.equal(code, 2);
  }));
