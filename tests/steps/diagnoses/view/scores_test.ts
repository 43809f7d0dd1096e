import assert from "node:assert/strict";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { finish } from "../../../../data/adapters/run/finish.ts";
import { tableOf } from "../../../../data/tables/mod.ts";
import { isOfOtherTask, scoreEvidence, scores, scoresOf, taskScores } from "../../../../steps/diagnoses/view/scores.ts";
import { liveRows } from "../../../../steps/diagnoses/view/live_rows.ts";
import { tableView } from "../../../../steps/diagnoses/view/table_view.ts";
import { withRun } from "../../contexts/training_run.ts";
import { ramp, viewOf } from "../synthetic.ts";

interface Asked {
  readonly step: number;
  readonly writer: string;
  readonly mode: string;
  readonly ids: readonly number[];
  readonly solved: number;
}

function evaluations(asked: readonly Asked[]) {
  const rows = asked.flatMap(({ ids, ...more }) => ids.map((id, i) => ({ ...more, id, correct: i < more.solved })));
  return tableOf("evaluations", {
    train_step: rows.map(({ step }) => step),
    step_id: rows.map(({ writer }) => writer),
    mode: rows.map(({ mode }) => mode),
    prompt_id: rows.map(({ id }) => id),
    correct: rows.map(({ correct }) => correct),
  });
}

const PROMPTS = tableOf("prompts", {
  prompt_id: [1, 2, 3, 4, 5, 6],
  prompt: ["a", "b", "c", "d", "e", "f"],
  answer: ["", "", "", "", "", ""],
  split: ["train", "validation", "validation", "held_out", "held_out", "held_out"],
});

Deno.test("scoresOf() puts the same prompts in the same mode into one series, whichever step asked", () => {
  const held = [4, 5, 6];
  const series = scoresOf(
    evaluations([
      { step: 0, writer: "before", mode: "sampled", ids: held, solved: 3 },
      { step: 0, writer: "before", mode: "greedy", ids: held, solved: 2 },
      { step: 5, writer: "during", mode: "sampled", ids: [2, 3], solved: 1 },
      { step: 9, writer: "after", mode: "sampled", ids: held, solved: 0 },
      { step: 9, writer: "after", mode: "greedy", ids: held, solved: 1 },
    ]),
    PROMPTS,
  );
  assert.deepEqual(
    series.map(({ name, split, prompts, trainSteps, values }) => [name, split, prompts, trainSteps, values]),
    [
      ["correct (held_out, sampled)", "held_out", 3, [0, 9], [1, 0]],
      ["correct (held_out, greedy)", "held_out", 3, [0, 9], [2 / 3, 1 / 3]],
      ["correct (validation, sampled)", "validation", 2, [5], [0.5]],
    ],
  );
  assert.deepEqual(scoreEvidence(series[0]!, 1, "the end"), {
    table: "evaluations",
    source: null,
    line: null,
    train_step: 9,
    name: "correct (held_out, sampled)",
    value: 0,
    note: "the end",
  });
});

Deno.test("scoresOf() keeps apart two evaluations of one step, and prompts without a table have no split", () => {
  const twice = evaluations([
    { step: 3, writer: "a", mode: "sampled", ids: [1, 2], solved: 1 },
    { step: 3, writer: "b", mode: "sampled", ids: [1, 2], solved: 2 },
  ]);
  const [series] = scoresOf(twice, tableOf("prompts", {}));
  assert.deepEqual([series!.split, series!.values], [null, [0.5, 1]]);
  assert.deepEqual(scoresOf(tableOf("evaluations", {}), PROMPTS), []);
});

Deno.test("scores() of a foreign log are its evaluation records", () => {
  const series = scores(viewOf({ evaluations: { accuracy: [0.2, null, 0.4] } }));
  assert.deepEqual(series.map(({ name, prompts, values }) => [name, prompts, values]), [["eval_accuracy", null, [
    0.2,
    0.4,
  ]]]);
});

Deno.test("tableView() has the scores of the run so far", () =>
  withRun((run) => {
    run.tables.write({ prompts: PROMPTS }, "load_prompts");
    run.tables.write({
      evaluations: evaluations([{ step: 0, writer: "before", mode: "sampled", ids: [4, 5], solved: 1 }]),
    }, "before");
    run.tables.advance();
    const [series] = tableView(liveRows(run.context("diagnose"), 8)).scores;
    assert.deepEqual([series?.trainSteps, series?.values], [[0], [0.5]]);
  }));

Deno.test("scoresOf() compares an evaluation of another limit by the prompts that both asked, in the same mode and split", () => {
  const many = Array.from({ length: 50 }, (_, i) => i + 100), few = many.slice(0, 30);
  const before = { step: 175, writer: "before", ids: many } as const;
  const series = scoresOf(
    evaluations([
      { step: 170, writer: "fine_tune", mode: "sampled", ids: many.slice(20, 45), solved: 25 },
      { ...before, mode: "sampled", solved: 40 },
      { ...before, mode: "greedy", solved: 40 },
      { step: 325, writer: "after", mode: "sampled", ids: few, solved: 3 },
    ]),
    undefined,
  );
  assert.deepEqual(
    series.map(({ mode, prompts, trainSteps, values }) => [mode, prompts, trainSteps, values]),
    [
      ["sampled", 25, [170], [1]],
      ["sampled", 50, [175], [0.8]],
      ["greedy", 50, [175], [0.8]],
      ["sampled", 30, [325], [0.1]],
      ["sampled", 30, [175, 325], [1, 0.1]],
    ],
  );
  const other = many.map((id) => id + 40);
  const apart = evaluations([
    { ...before, mode: "sampled", solved: 40 },
    { step: 325, writer: "after", mode: "sampled", ids: other, solved: 0 },
  ]);
  assert.equal(scoresOf(apart, undefined).length, 2, "10 prompts in common say nothing");
});

Deno.test("scores() takes a score behind a name for that of a data set, whoever joins them", () => {
  const sets = [
    ["gsm8k_accuracy", "gsm8k"],
    ["mbpp_acc", "mbpp"],
    ["math/pass@1", "math"],
    ["aime24-pass_at_8", "aime24"],
    ["squad.exact_match", "squad"],
    ["mmlu/reward.math_accuracy", "mmlu"],
    ["arc_challenge", "arc_challenge"],
    ["tasks/alfworld/success_rate", "tasks/alfworld"],
  ] as const;
  for (const [column, dataSet] of sets) {
    const [series, ...more] = scores(viewOf({ evaluations: { [column]: [0.25, 0.5] } }));
    assert.deepEqual([series?.name, series?.dataSet, series?.values], [`eval_${column}`, dataSet, [0.25, 0.5]]);
    assert.deepEqual(more, []);
  }
});

Deno.test("scores() takes the run's own held-out prompts, by whatever name, for the task's", () => {
  for (const column of ["test_accuracy", "heldout_accuracy", "held_out/score", "val_set_acc", "validation/pass@1"]) {
    const view = viewOf({ evaluations: { [column]: [0.25, 0.5], gsm8k_accuracy: [0.5, 0.25] } });
    assert.deepEqual(scores(view).map(({ dataSet }) => dataSet), [undefined, "gsm8k"], column);
    assert.deepEqual(taskScores(view).map(({ name }) => name), [`eval_${column}`]);
  }
});

Deno.test("scores() takes a score without a data set for that of the run's own held-out prompts", () => {
  for (const column of ["exact", "exact_match", "score", "pass@1", "success_rate", "test_exact"]) {
    const [series, ...more] = scores(viewOf({ evaluations: { [column]: [0.25, 0.5] } }));
    assert.deepEqual([series?.name, series?.dataSet, series?.values], [`eval_${column}`, undefined, [0.25, 0.5]]);
    assert.deepEqual(more, []);
  }
});

Deno.test("scores() takes no metric, no deviation and no other number for a data set's score", () => {
  for (
    const column of [
      "preference_accuracy",
      "chosen_reward",
      "rejected_reward",
      "reward_std.math_accuracy",
      "gsm8k_loss",
      "gsm8k_accuracy_std",
      "accuracies",
      "mmlu/reward_std.math_accuracy",
      "arc_c_runtime",
      "mmlu_samples_per_second",
    ]
  ) {
    assert.deepEqual(scores(viewOf({ evaluations: { [column]: [0.25, 0.5] } })), [], column);
  }
});

Deno.test("scores() takes a goal's evaluations without a data set for the task's own, beside those of others", () => {
  const view = viewOf({
    columns: { reward: ramp(0.2, 0.6), "reward.math_acc": ramp(0.2, 0.6) },
    evaluations: { "reward.math_acc": [0.25, 0.5], "mmlu/reward.math_acc": [0.5, 0.25] },
  });
  assert.deepEqual(scores(view).map(({ name, dataSet }) => [name, dataSet]), [
    ["the held-out math_acc", undefined],
    ["eval_mmlu/reward.math_acc", "mmlu"],
  ]);
  assert.deepEqual(taskScores(view).map(({ name }) => name), ["the held-out math_acc"]);
});

Deno.test("scores() knows benchmarks by their name alone, and no word that only begins or ends like one", () => {
  const known = ["mmlu", "GSM8K", "math", "math_500", "MATH-500", "aime", "aime24", "aime2025", "amc23", "humaneval"];
  for (const column of [...known, "arc_challenge", "arc-c", "gpqa_diamond", "livecodebench", "math_mean@8"]) {
    const [series, ...more] = scores(viewOf({ evaluations: { [column]: [0.25, 0.5] } }));
    assert.deepEqual([series?.name, series?.dataSet], [`eval_${column}`, column], column);
    assert.deepEqual(more, []);
  }
  for (const column of ["math_tokens", "mathematics", "aime_length", "my_mmlu", "archive", "amc_x", "bbh_loss"]) {
    assert.deepEqual(scores(viewOf({ evaluations: { [column]: [0.25, 0.5] } })), [], column);
  }
});

Deno.test("scores() takes a reward that only evaluations print for a held-out score, and none that is paid or of shape", () => {
  const run = (columns: Record<string, number[]>) =>
    viewOf({ columns, evaluations: { "reward.gold": [0.5, 0.4, 0.3], "reward.format": [1, 1, 1] } });
  assert.deepEqual(taskScores(run({ reward: [0, 1, 1] })).map(({ values }) => values), [[0.5, 0.4, 0.3]]);
  assert.deepEqual(scores(run({ reward: [0, 1, 1] })).map(({ dataSet }) => dataSet), [undefined]);
  assert.deepEqual(taskScores(run({ reward: [0, 1, 1], "reward.gold": [0, 1, 1] })).map(({ name }) => name), [
    "the held-out gold",
  ]);
});

Deno.test("taskScores() leaves out what is called old or general; isOfOtherTask() knows it by whole words", () => {
  const run = viewOf({
    columns: { reward: ramp(0.2, 0.8, 60) },
    evaluationSteps: [20, 40, 60],
    evaluations: {
      "old_task/accuracy": [0.5, 0.4, 0.3],
      "baseball/accuracy": [0.1, 0.2, 0.3],
      "base_10_addition/accuracy": [0.1, 0.2, 0.3],
    },
  });
  assert.deepEqual(taskScores(run).map(({ dataSet }) => dataSet), ["baseball", "base_10_addition"]);
  assert.deepEqual(scores(run).map(isOfOtherTask), [true, false, false]);
});

/** A log with evaluations among its records of rollouts or pairs. */
function logged(evaluations: Record<string, readonly number[]>, trained: Record<string, number> = { reward: 0.5 }) {
  const intake = new Intake();
  intake.openSource("log.txt", "console", 0);
  const add = (values: Record<string, number>, step: number) => {
    intake.stage.reset();
    for (const [name, value] of Object.entries(values)) intake.stage.put(name, value);
    intake.commit({ line: step, step });
  };
  const count = Object.values(evaluations)[0]!.length;
  for (let i = 0; i < count; i++) {
    add({ loss: 0.1, grad_norm: 1, ...trained }, 2 * i + 1);
    add(Object.fromEntries(Object.entries(evaluations).map(([name, values]) => [name, values[i]!])), 2 * i + 1);
  }
  return tableView(finish("log.txt", intake)[0]!.rows);
}

Deno.test("scores() of a run on rollouts has eval_acc for the share of right answers, of one on pairs for none", () => {
  for (const name of ["eval_acc", "val/acc"]) {
    assert.deepEqual(scores(logged({ [name]: [0.5, 0.25] })).map((one) => [one.name, one.values]), [[name, [
      0.5,
      0.25,
    ]]]);
  }
  const pairs = { "rewards/margins": 1, "rewards/chosen": 1, "rewards/rejected": 0 };
  assert.deepEqual(scores(logged({ eval_acc: [0.5, 0.25] }, pairs)), []);
  assert.deepEqual(scores(logged({ "eval_rewards/accuracies": [0.5, 0.25] })), []);
});

Deno.test("scores() of a folder of evaluations are shares, and called what the log calls them", () => {
  const names = (values: readonly number[]) =>
    scores(logged({ "benchmarks/gsm8k": values, "benchmarks/mbpp/acc": [0.5, 0.5] })).map(({ name }) => name);
  assert.deepEqual(names([0.5, 0.25]), ["benchmarks/gsm8k", "benchmarks/mbpp/acc"]);
  assert.deepEqual(names([50, 25]), ["benchmarks/gsm8k", "benchmarks/mbpp/acc"]);
  assert.deepEqual(names([1210, 1180]), ["benchmarks/mbpp/acc"]);
  assert.deepEqual(names([-0.5, 0.2]), ["benchmarks/mbpp/acc"]);
});

Deno.test("scores() reads the other usual names of held-out prompts", () => {
  for (const column of ["success", "solved", "correct_rate", "accuracy_heldout", "acc_val", "score_mean"]) {
    const found = scores(viewOf({ evaluations: { [column]: [0.25, 0.5] } }));
    assert.deepEqual(found.map(({ name, dataSet }) => [name, dataSet]), [[`eval_${column}`, undefined]], column);
  }
});

Deno.test("scores() takes no score of what is to be small, but an accuracy of telling it", () => {
  for (const column of ["toxicity_score", "hallucination_score", "openai/gsm8k/toxicity_score", "error/score"]) {
    assert.deepEqual(scores(viewOf({ evaluations: { [column]: [0.25, 0.5] } })), [], column);
  }
  assert.equal(scores(viewOf({ evaluations: { toxicity_accuracy: [0.25, 0.5] } })).length, 1);
});

Deno.test("taskScores() has no score of another task alone, and those that are compared with a base model", () => {
  assert.deepEqual(taskScores(logged({ general_eval_acc: [0.5, 0.25] })), []);
  for (const name of ["eval_base_win_rate", "eval_original_score"]) {
    assert.deepEqual(taskScores(logged({ [name]: [0.5, 0.25] })).map((one) => one.name), [name]);
  }
});
