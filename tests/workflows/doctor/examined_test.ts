import assert from "node:assert/strict";
import {
  byHandText,
  changeLines,
  decisiveSeries,
  onsetOf,
  otherReasons,
  pastedLines,
  recordsText,
  usualSeries,
  valueText,
  withinPath,
} from "../../../workflows/doctor/examined.ts";
import { oneExamined, oneFinding } from "./one_examined.ts";

Deno.test("decisiveSeries() are the metrics that the evidence names, by column, once", () => {
  const twice = oneFinding({ evidence: [...oneFinding().evidence, ...oneFinding().evidence] });
  assert.deepEqual(decisiveSeries(oneExamined(), twice).map(({ name }) => name), ["entropy"]);
  assert.deepEqual(decisiveSeries(oneExamined(), oneFinding({ evidence: [] })), []);
  const held = { table: "evaluations" as const, source: null, line: null, train_step: 3, name: "reward", value: 0.5 };
  assert.deepEqual(decisiveSeries(oneExamined(), oneFinding({ evidence: [held] })), []);
});

Deno.test("decisiveSeries() are those of an evaluation too, which are not taken for training's, and nothing without a course", () => {
  const trainSteps = [2, 4], named = (name: string) => ({ source: "log", line: 1, train_step: 4, name, value: 0 });
  const examined = oneExamined({
    evaluations: new Map([
      ["eval_reward", { name: "eval_reward", column: "reward", trainSteps, values: [0.5, 0] }],
      ["eval_loss", { name: "eval_loss", column: "loss", trainSteps, values: [null, 1] }],
    ]),
  });
  const shown = (...names: string[]) => decisiveSeries(examined, oneFinding({ evidence: names.map(named) }));
  assert.deepEqual(shown("reward", "eval_reward", "eval_loss").map(({ name }) => name), ["reward", "eval_reward"]);
  const own = oneExamined({ evaluations: new Map([["correct", { name: "correct", trainSteps, values: [0.5, 0] }]]) });
  const evidence = [{ ...named("correct"), table: "evaluations" as const }];
  assert.deepEqual(decisiveSeries(own, oneFinding({ evidence })).map(({ name }) => name), ["correct"]);
});

Deno.test("onsetOf() is where a trend began, else its first train step", () => {
  assert.equal(onsetOf({ began: 2, train_steps: [3, 4] }), 2);
  assert.equal(onsetOf({ train_steps: [3, 4] }), 3);
  assert.equal(onsetOf({ train_steps: [] }), null);
});

Deno.test("valueText() keeps NaN apart from absent, and rounds", () => {
  assert.deepEqual([null, NaN, Infinity, -Infinity, 0, 12, 0.123456, 1e-7, 1234567.5, "x", false].map(valueText), [
    "none",
    "NaN",
    "inf",
    "-inf",
    "0",
    "12",
    "0.1235",
    "1.00e-7",
    "1.23e+6",
    '"x"',
    "false",
  ]);
});

Deno.test("changeLines() are the options of the person's system, else lines of our workflow, then what is by hand", () => {
  assert.deepEqual(changeLines(oneFinding()), ["temperature=1.0", "look at the completions"]);
  const patches = [
    { step: "sample_groups", key: "temperature", set: 1, value: 1 },
    { step: "apply_update", key: "learning_rate", mul: 0.3, value: 9e-5 },
    { step: "sample_groups", key: "max_new_tokens", mul: 2, value: null }, // the value in force is not known
  ];
  assert.deepEqual(changeLines(oneFinding({ remedy: { patches, options: [] } })), [
    "temperature: 1  # sample_groups",
    "learning_rate: 9.0e-5  # apply_update",
  ]);
});

Deno.test("pastedLines() hold no words, byHandText() nothing to paste", () => {
  assert.deepEqual(pastedLines(oneFinding()), ["temperature=1.0"]);
  assert.equal(byHandText(oneFinding()), "look at the completions");
  assert.equal(byHandText(oneFinding({ hint: "look at the completions" })), null);
});

Deno.test("changeLines() do not say again what the hint says", () => {
  const by_hand = "look at the completions";
  assert.deepEqual(changeLines(oneFinding({ hint: by_hand, remedy: { patches: [], options: [], by_hand } })), []);
});

Deno.test("recordsText() counts in words", () => {
  assert.deepEqual([1, 12].map((records) => recordsText(oneExamined({ records }))), ["1 record", "12 records"]);
});

Deno.test("withinPath() takes the folder or all but the name of the file out of a text", () => {
  const folder = oneExamined({ path: "logs/run" }), file = oneExamined({ path: "logs/run/log.txt" });
  assert.equal(withinPath(folder, "logs/run/log.txt:3 beside logs/run/a"), "log.txt:3 beside a");
  assert.equal(withinPath(file, "logs/run/log.txt:3"), "log.txt:3");
  assert.equal(withinPath(oneExamined({ path: "-" }), "a - b"), "a - b");
});

Deno.test("usualSeries() are the metrics with several records, reward first", () => {
  assert.deepEqual(usualSeries(oneExamined()).map(({ name }) => name), ["reward", "entropy"]);
  const single = new Map([["reward", { name: "reward", trainSteps: [1], values: [1] }]]);
  assert.deepEqual(usualSeries(oneExamined({ series: single })), []);
});

Deno.test("otherReasons() leaves out what a finding says", () => {
  const { diagnosis } = oneExamined();
  const reasons = [...diagnosis.reasons, "30 records"];
  assert.deepEqual(otherReasons(oneExamined({ diagnosis: { ...diagnosis, reasons } })), ["30 records"]);
});
