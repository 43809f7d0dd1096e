import assert from "node:assert/strict";
import { encodeTable, tableOf } from "../../../data/tables/mod.ts";
import { column, readFiles } from "./read_text.ts";

const MANIFEST = JSON.stringify({
  format: 1,
  id: "20260101-000000-demo-abcd",
  name: "demo",
});
const metrics = (steps: number[], phase: string) =>
  encodeTable(
    "metrics",
    tableOf("metrics", {
      train_step: steps,
      phase: steps.map(() => phase),
      step_id: steps.map(() => "x"),
      loss: steps.map((step) => step === 2 ? NaN : step / 10),
      grad_norm: steps.map((step) => step === 1 ? null : 1),
    }),
  );

Deno.test("RUN_FOLDER reads the tables of our own run, and nothing else of the folder", async () => {
  const run = await readFiles({
    "run.json": MANIFEST,
    "events.jsonl": '{"loss": 99, "grad_norm": 99, "step": 1}\n',
    "tables/metrics/1-2.arrow": metrics([1, 2], "rollout"),
    "tables/metrics/3-3.arrow": metrics([3], "rollout"),
    "tables/messages/2-2.arrow": encodeTable(
      "messages",
      tableOf("messages", { train_step: [2], kind: ["non_finite"], text: ["weight w: 1 of 2"], source: ["replay"] }),
    ),
    "tables/settings/0-0.arrow": encodeTable(
      "settings",
      tableOf("settings", { name: ["group_size"], option: ["group_size"], value: ["8"], written_type: ["number"] }),
    ),
    "tables/completions/1-1.arrow": encodeTable(
      "completions",
      tableOf("completions", {
        train_step: [1],
        prompt_id: [4],
        sample: [0],
        prompt: ["1+1="],
        answer: ["2"],
        text: ["2"],
        truncated: [false],
        completion_tokens: [2],
        reward: [1],
        advantage: [0.5],
        "reward.verifier": [1],
      }),
    ),
  });
  assert.deepEqual(run.metrics.train_step, [1, 2, 3]);
  assert.deepEqual(column(run, "loss"), [0.1, NaN, 0.3]);
  assert.deepEqual(column(run, "grad_norm"), [null, 1, 1]);
  assert.equal(run.system, "nonzero");
  assert.deepEqual(run.settings.map(({ option, value }) => [option, value]), [["group_size", 8]]);
  assert.deepEqual(run.messages.map(({ kind, text }) => [kind, text]), [["non_finite", "weight w: 1 of 2"]]);
  const { completions, metrics: rows } = run.rows.tables;
  assert.equal(run.rows.log, null);
  assert.equal(rows!.numRows(), 3);
  assert.deepEqual(
    completions!.objects().map((row) => {
      const { text, reward, truncated, prompt_id, sample } = row as Record<string, unknown>;
      return [text, reward, truncated, prompt_id, sample];
    }),
    [["2", 1, false, 4, 0]],
  );
});

Deno.test("RUN_FOLDER says what was found while the run went on and no longer at its end", async () => {
  const finding = { cause: "resource_stall", severity: "warning", train_step: 29, at_end: false };
  const findings = [finding, { ...finding, cause: "kept", at_end: true }, { ...finding, cause: "x", severity: "info" }];
  const run = await readFiles({
    "run.json": JSON.stringify({ ...JSON.parse(MANIFEST), findings }),
    "tables/metrics/1-2.arrow": metrics([1, 2], "rollout"),
  });
  const [said] = run.skipped;
  assert.match(
    `${said!.source}: ${said!.reason}`,
    /run\.json: found while it ran, and not at its end: resource_stall at/,
  );
  assert.equal(said!.reason, "resource_stall at train step 29");
});

Deno.test("RUN_FOLDER goes on without a segment that cannot be read, and says which", async () => {
  const run = await readFiles({
    "run.json": MANIFEST,
    "tables/metrics/1-2.arrow": metrics([1, 2], "rollout"),
    "tables/metrics/3-3.arrow": metrics([3], "rollout").slice(0, 100),
  });
  assert.deepEqual(run.metrics.train_step, [1, 2]);
  assert(run.skipped.some(({ source }) => source.endsWith("metrics/3-3.arrow")), JSON.stringify(run.skipped));
});

Deno.test("RUN_FOLDER judges a run by its tables where run.json is not there, is damaged, or a segment is named", async () => {
  const tables = {
    "tables/metrics/1-2.arrow": metrics([1, 2], "rollout"),
    "tables/metrics/3-3.arrow": metrics([3], "sft"),
  };
  const events = { "events.jsonl": '{"loss": 99, "grad_norm": 99, "step": 1}\n' };
  for (
    const [files, alone, reason] of [
      [{ ...events, ...tables }, false, /^it is not there; the run is judged by its tables$/],
      [{ ...events, "run.json": '{"format": 1, "id', ...tables }, false, /^it is no JSON object; the run is judged by/],
      [{ "run.json": "\0\0\0", ...tables }, false, /^it is no JSON object/],
      [tables, true, /^it is not there/],
    ] as const
  ) {
    const run = await readFiles(files, alone);
    assert.equal(run.system, "nonzero");
    assert.deepEqual(column(run, "loss"), [0.1, NaN, 0.3]);
    assert.equal(run.rows.log, null);
    assert.deepEqual([...run.rows.tables.metrics!.array("phase")], ["rollout", "rollout", "sft"]);
    assert(run.skipped.some((left) => left.source.endsWith("run.json") && reason.test(left.reason)), String(reason));
  }
});

Deno.test("RUN_FOLDER leaves another system's tables folder alone", async () => {
  const run = await readFiles({
    "tables/metrics/notes.txt": "none",
    "log.jsonl": '{"loss": 0.5, "grad_norm": 1, "step": 1}\n',
  });
  assert.deepEqual(column(run, "loss"), [0.5]);
  assert.notEqual(run.rows.log, null);
});
