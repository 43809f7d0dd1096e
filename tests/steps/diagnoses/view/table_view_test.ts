import assert from "node:assert/strict";
import { readRun } from "../../../../data/adapters/read_run.ts";
import { toTensorboard } from "../../../../data/tables/formats/tensorboard.ts";
import { trackedSteps } from "../../../../data/tables/formats/tracked_steps.ts";
import { toTrainerState } from "../../../../data/tables/formats/trainer_state.ts";
import { tableOf } from "../../../../data/tables/mod.ts";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { liveRows } from "../../../../steps/diagnoses/view/live_rows.ts";
import { tableView } from "../../../../steps/diagnoses/view/table_view.ts";
import type { StepContext } from "../../../../steps/step.ts";
import { writeSettings } from "../../../../steps/options/settings_table.ts";
import { readFiles } from "../../../data/adapters/read_text.ts";
import { ONE_LAYER, type TrainingRun, withRun, withTinyPolicy } from "../../contexts/training_run.ts";

const liveView = (context: StepContext, window: number) => tableView(liveRows(context, window));

function metrics(run: TrainingRun, phase: string, loss: number | null): void {
  const train_step = run.tables.advance();
  run.tables.write({ metrics: tableOf("metrics", { train_step: [train_step], phase: [phase], loss: [loss] }) }, "test");
}

Deno.test("tableView() has the rollout rows of the window, without those of the warm start, absent as null", () =>
  withRun((run) => {
    metrics(run, "sft", 9);
    for (const loss of [1, null, NaN, 4]) metrics(run, "rollout", loss);
    const view = liveView(run.context("diagnose"), 3);
    assert.deepEqual(view.trainSteps, [3, 4, 5]);
    assert.deepEqual(view.column("loss"), [null, NaN, 4]);
    assert.deepEqual(liveView(run.context("diagnose"), 100).trainSteps, [2, 3, 4, 5]);
    assert.equal(view.imported, false);
    const { warmStart } = liveView(run.context("diagnose"), 100);
    assert.deepEqual([warmStart?.trainSteps, warmStart?.column("loss"), warmStart?.algorithm], [[1], [9], "sft"]);
    assert.equal(view.warmStart, null, "outside the window, and no setting tells of it");
    writeSettings(run.context("x"), { sft_learning_rate: 0.5, learning_rate: 9 });
    const options = liveView(run.context("diagnose"), 3).warmStart?.settings;
    assert.deepEqual(options?.map(({ option, value }) => [option, value]), [["learning_rate", 0.5]]);
  }));

Deno.test("tableView() has the settings in force with their types, and the completions of this train step", () =>
  withRun((run) => {
    metrics(run, "rollout", 1);
    writeSettings(run.context("x"), { temperature: 0.5, schedule: "linear" });
    run.tables.write({
      completions: tableOf("completions", {
        train_step: [1, 1],
        prompt_id: [4, 4],
        sample: [0, 1],
        prompt: ["1+2=", "1+2="],
        answer: ["3", "3"],
        text: ["3", "12"],
        truncated: [false, true],
        completion_tokens: [2, 3],
        reward: [1, null],
        "reward.verifier": [1, null],
      }),
    }, "test");
    const view = liveView(run.context("diagnose"), 10);
    assert.deepEqual(view.settings.map(({ name, value, written_type }) => [name, value, written_type]), [
      ["temperature", 0.5, "number"],
      ["schedule", "linear", "string"],
    ]);
    assert.deepEqual(
      view.completions.map((
        { text, truncated, tokens, reward, rewards },
      ) => [text, truncated, tokens, reward, rewards]),
      [["3", false, 2, 1, { verifier: 1 }], ["12", true, 3, null, { verifier: null }]],
    );
  }));

Deno.test("tableView() of a run without tables is empty", () =>
  withRun((run) => {
    const view = liveView(run.context("diagnose"), 10);
    assert.deepEqual([view.trainSteps, view.completions, view.settings], [[], [], []]);
  }));

Deno.test("tableView() reads a warm start before the first rollout, its options under the doctor's names", () =>
  withRun((run) => {
    metrics(run, "sft", 3);
    metrics(run, "sft", 2);
    const warmStart = { sft_learning_rate: 0.5, sft_max_grad_norm: 2, sft_epsilon: 3, sft_batch_size: 4 };
    writeSettings(run.context("x"), { ...warmStart, learning_rate: 9 });
    const view = liveView(run.context("diagnose"), 10);
    assert.deepEqual([view.algorithm, view.column("loss")], ["sft", [3, 2]]);
    assert.deepEqual(view.settings.map(({ option }) => option), [
      "learning_rate",
      "max_grad_norm",
      "epsilon",
      "sft_batch_size",
      "learning_rate",
    ]);
  }));

Deno.test("tableView() reads whole groups only, and the estimator in force", () =>
  withRun((run) => {
    metrics(run, "rollout", 1);
    const rows = Array.from({ length: 150 }, (_, i) => i);
    writeSettings(run.context("x"), { algorithm: "reinforce_plus_plus" });
    run.tables.write({
      completions: tableOf("completions", {
        train_step: rows.map(() => 1),
        prompt_id: rows.map((i) => Math.floor(i / 6)),
        text: rows.map(String),
        truncated: rows.map(() => false),
        completion_tokens: rows.map(() => 3),
        completion_mask: rows.map((i) => [1, 1, i === 0 ? 0 : 1]),
        correct: rows.map((i) => i === 0),
      }),
    }, "test");
    const view = liveView(run.context("diagnose"), 10);
    assert.equal(view.completions.length, 126);
    assert.equal(view.algorithm, "reinforce_plus_plus");
    assert.deepEqual(view.completions.slice(0, 2).map(({ lossTokens, correct }) => [lossTokens, correct]), [
      [2, true],
      [3, false],
    ]);
  }));

Deno.test("tableView() keeps the two groups of a prompt that was drawn twice apart", () =>
  withRun((run) => {
    metrics(run, "rollout", 1);
    const ids = [7, 7, 3, 3, 7, 7];
    run.tables.write({
      completions: tableOf("completions", {
        train_step: ids.map(() => 1),
        prompt_id: ids,
        sample: ids.map((_, i) => i % 2),
        text: ids.map(String),
        truncated: ids.map(() => false),
        completion_tokens: ids.map(() => 1),
      }),
    }, "test");
    const groups = liveView(run.context("diagnose"), 10).completions.map(({ promptId }) => promptId);
    assert.deepEqual(groups.slice(0, 4), [7, 7, 3, 3]);
    assert(groups[4] === groups[5] && groups[4] !== 7);
  }));

Deno.test("tableView() of a foreign log keeps columns, settings, completions and places", async () => {
  const folder = new URL("../../../cases/106-trl-grpo", import.meta.url).pathname;
  const [run] = await readRun([folder]);
  const view = tableView(run!.rows);
  assert.deepEqual([view.system, view.algorithm, view.imported, view.records], ["trl", "grpo", true, 30]);
  assert.equal(view.column("zero_spread_fraction")[0], 1);
  assert(view.completions.length > 100 && view.completions[0]!.rewards.accuracy_reward === 1);
  assert(view.settings.some((entry) => entry.option === "temperature" && entry.value === 0.01));
  const { source, line, name } = view.evidence("zero_spread_fraction", 0);
  assert(source?.endsWith(".json") || source?.endsWith("log.txt"), String(source));
  assert(line !== null && name === "frac_reward_zero_std");
});

Deno.test("evidence of an evaluation names its file, line and printed name", async () => {
  const losses = [1.9, 1.6, 1.8, 2.2, 2.7].flatMap((evaluation, i) => [
    { step: 10 * i + 10, loss: 2 - 0.35 * i, grad_norm: 1 },
    { step: 10 * i + 10, eval_loss: evaluation },
  ]);
  const lines = losses.map((row) => JSON.stringify(row) + "\n").join("");
  const [run] = await readRun(["-"], { stdin: new Blob([lines]).stream() });
  const view = tableView(run!.rows);
  const { source, line, name, train_step, value } = view.evaluationEvidence("loss", 4);
  assert.deepEqual([source, line, name, train_step, value], ["-", 10, "eval_loss", 50, 2.7]);
  const overfitting = diagnoseRun(view).findings.find(({ cause }) => cause === "overfitting");
  assert.deepEqual(overfitting?.evidence.map((row) => [row.name, row.source, row.line]), [
    ["eval_loss", "-", 10],
    ["loss", "-", 9],
  ]);
});

Deno.test("a run of ours without its completions or settings is not called healthy: the verdict names what is missing", () => {
  const steps = Array.from({ length: 20 }, (_, i) => i + 1);
  const metrics = (phase: string) =>
    tableOf("metrics", { train_step: steps, phase: steps.map(() => phase), loss: steps.map((step) => 2 / step) });
  const settings = tableOf("settings", { name: ["top_p"], option: ["top_p"], value: ["1"], written_type: ["number"] });
  const told = diagnoseRun(tableView({ tables: { metrics: metrics("rollout") }, log: null }));
  assert.deepEqual([told.verdict, told.missing], ["insufficient", ["the table completions", "the table settings"]]);
  const supervised = tableView({ tables: { metrics: metrics("sft"), settings }, log: null });
  assert.deepEqual([supervised.lacks, diagnoseRun(supervised).verdict], [[], "benign"]);
});

Deno.test("tableView() of a run on preferences names its loss, wants no completions, and has what validation says", () => {
  const table = tableOf("metrics", {
    train_step: [1, 2, 3],
    phase: ["preference", "preference", "preference"],
    loss: [0.69, 0.6, 0.5],
    preference_accuracy: [0, 0.8, 0.9],
    validation_accuracy: [null, 0.7, 0.6],
    validation_margin: [null, 0.2, 0.1],
  });
  const settings = tableOf("settings", {
    name: ["algorithm"],
    option: [null],
    value: ['"dpo"'],
    written_type: ["string"],
  });
  const view = tableView({ tables: { metrics: table, settings }, log: null });
  assert.deepEqual([view.algorithm, view.lacks, diagnoseRun(view).verdict], ["dpo", [], "benign"]);
  assert.deepEqual([view.evaluationSteps, view.evaluation("preference_accuracy"), view.evaluation("reward_margin")], [
    [2, 3],
    [0.7, 0.6],
    [0.2, 0.1],
  ]);
  const { name, train_step, value, table: where } = view.evaluationEvidence("preference_accuracy", 1);
  assert.deepEqual([name, train_step, value, where], ["validation_accuracy", 3, 0.6, "metrics"]);
});

for (const [loss, preferences] of [["dpo", {}], ["kto", { form: "unpaired" }]] as const) {
  Deno.test(`tableView() knows a run by ${loss} from an export of its metrics alone`, () =>
    withTinyPolicy(async (run) => {
      await run.run("load_preferences", { task: "addition", digits: 1, ...preferences });
      await run.run("train_preferences", { loss, max_updates: 3, batch_size: 4, learning_rate: 1e-3 });
      const metrics = run.tables.history("metrics", 3), steps = [...trackedSteps(metrics, () => 0)];
      const events = toTensorboard(steps, 0, () => 0);
      const files = {
        "trainer_state.json": [...toTrainerState(steps, 3, 3)].join(""),
        "events.out.tfevents.1.nonzero": Uint8Array.from([...events].flatMap((event) => [...event])),
      };
      for (const [name, content] of Object.entries(files)) {
        const view = tableView((await readFiles({ [name]: content })).rows);
        assert.deepEqual([view.system, view.algorithm, view.trainSteps], ["nonzero", loss, [1, 2, 3]], name);
      }
    }, { ...ONE_LAYER, reference: "copy" }));
}

Deno.test("tableView() reads a log that goes from percent to shares as shares, shows both, and no fall is called", async () => {
  const level = (step: number) => 0.5 + 0.005 * step + 0.03 * Math.sin(7.3 * step);
  const lines = Array.from({ length: 60 }, (_, i) => {
    const value = level(i) * (i < 30 ? 100 : 1);
    const record = { step: i + 1, loss: 0.1 * level(i), grad_norm: level(i), reward: value, reward_std: 0.5 * value };
    const asked = i % 10 === 9 ? [JSON.stringify({ step: i + 1, eval_reward: value })] : [];
    return [JSON.stringify(record), ...asked].join("\n");
  });
  const view = tableView((await readFiles({ "log.jsonl": lines.join("\n") })).rows);
  assert(Math.abs(view.column("reward")[0]! - level(0)) < 1e-12);
  assert.deepEqual([...view.scaleChanges.trained.keys()], ["reward", "reward_std"]);
  assert.equal(view.evidence("reward", 0).note, "printed in percent");
  assert.equal(view.evidence("reward", 40).note, undefined);
  assert.equal(view.evaluationEvidence("reward", 0).note, "printed in percent");
  const { verdict, findings } = diagnoseRun(view);
  assert.deepEqual([verdict, findings[0]!.cause, findings[0]!.train_steps], ["benign", "invalid_reward_values", [31]]);
  assert.match(findings[0]!.message, /^reward, reward_std, eval_reward change from percent to shares at train step 31/);
});
