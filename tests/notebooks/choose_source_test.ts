import assert from "node:assert/strict";
import { cannotDrawText, chooseSource } from "../../notebooks/choose_source.ts";
import { CHARTS } from "../../notebooks/charts/mod.ts";

const metrics = Array.from({ length: 10 }, (_, i) => ({ train_step: i + 1, completion_length: 5, phase: "rollout" }));
const completions = (steps: number) =>
  Array.from({ length: steps }, (_, i) => ({ train_step: 11 - steps + i, completion_tokens: i, text: "x" }));

Deno.test("chooseSource() takes the table that tells most, unless it covers only the end of the run", () => {
  const chosen = (steps: number) =>
    chooseSource(CHARTS.completion_length, { metrics, completions: completions(steps) });
  assert.equal(chosen(10)?.source.reads, "completions");
  assert.equal(chosen(5)?.source.reads, "completions");
  assert.equal(chosen(4)?.source.reads, "metrics");
});

Deno.test("chooseSource() does not count a warm start that a chart has no value of", () => {
  const warm = Array.from({ length: 90 }, (_, i) => ({ train_step: i + 1, phase: "sft", loss: 1 }));
  const both = [...warm, ...metrics.map((row) => ({ ...row, train_step: row.train_step + 90 }))];
  const late = completions(10).map((row) => ({ ...row, train_step: row.train_step + 90 }));
  assert.equal(
    chooseSource(CHARTS.completion_length, { metrics: both, completions: late })?.source.reads,
    "completions",
  );
});

Deno.test("chooseSource() finds columns by the beginning of their names", () => {
  const rows = [{ train_step: 1, reward: 1, "reward.format": 1, "reward.verifier": 0 }];
  const chosen = chooseSource(CHARTS.reward, { completions: rows })!;
  assert.deepEqual([...chosen.measured], ["train_step", "reward", "reward.format", "reward.verifier"]);
  assert.deepEqual([...new Set(chosen.rows.map((row) => row["label"]))], ["reward", "format", "verifier"]);
});

Deno.test("cannotDrawText() says of every table what it lacks", () => {
  assert.equal(
    cannotDrawText(CHARTS.completion_length, { metrics: [{ train_step: 1, loss: 0 }] }),
    'Cannot draw "Completion length": the run has no rows of table "completions"; table "metrics" has no ' +
      '"completion_length" (mean completion length) or "completion_length_max" (longest completion) or ' +
      '"completion_length_min" (shortest completion) or "terminated_length" (mean length of completions that ended by ' +
      "themselves)",
  );
  assert.match(
    cannotDrawText(CHARTS.kl, { completions: [{ train_step: 1, old_logprobs: [0] }] }),
    /has no "ref_logprobs"/,
  );
});
