import assert from "node:assert/strict";
import { tableOf } from "../../../data/tables/mod.ts";
import { reportFindings, reportRows, sampleRows, samplingRows } from "../../../steps/metrics/report_rows.ts";

Deno.test("reportRows() gives every row as an object, absent values as null", () => {
  const table = tableOf("metrics", { train_step: [1, 2], loss: [0.5, null], entropy: [NaN, 1] });
  assert.deepEqual(reportRows(table), [{ train_step: 1, loss: 0.5, entropy: NaN }, {
    train_step: 2,
    loss: null,
    entropy: 1,
  }]);
});

Deno.test("sampleRows() stops at its limit and leaves the token lists out", () => {
  const table = tableOf("completions", {
    train_step: [1, 1, 1],
    prompt_id: [0, 0, 1],
    text: ["4", "5", "6"],
    token_ids: [[1], [2], [3]],
    completion_mask: [[1], [1], [1]],
    old_logprobs: [[-1], [-1], [-1]],
    reward: [1, 0, null],
  });
  assert.deepEqual(sampleRows(table, 2).map(({ text, reward }) => [text, reward]), [["4", 1], ["5", 0]]);
  assert.deepEqual(sampleRows(table, 9).length, 3);
  assert(!Object.keys(sampleRows(table, 1)[0]!).some((name) => /token_ids|mask|logprobs/.test(name)));
});

Deno.test("samplingRows() shows how was sampled and where each setting came from", () => {
  const settings = tableOf("settings", {
    name: ["temperature", "learning_rate", "group_size"],
    value: ["0.01", "0.1", "8"],
    source: ["model folder", "workflow", "workflow"],
  });
  assert.deepEqual(samplingRows(settings), [
    { name: "temperature", value: "0.01", source: "model folder" },
    { name: "group_size", value: "8", source: "workflow" },
  ]);
});

Deno.test("reportFindings() shows the first finding of each cause with its evidence parsed", () => {
  const findings = tableOf("findings", {
    train_step: [3, 4, 4],
    cause: ["nan_loss", "nan_loss", "entropy_collapse"],
    codes: [["N01"], ["N01"], ["E01", "E02"]],
    severity: ["error", "error", "warning"],
    train_steps: [[3], [3, 4], [4]],
    message: ["first", "second", "third"],
    hint: ["a", "b", "c"],
    evidence: [JSON.stringify([{ value: "NaN" }]), "[]", "[]"],
    remedy: ["[]", "[]", "[]"],
    ruled_out: [JSON.stringify([{ cause: "fp16_overflow", why: "no overflow notice" }]), "[]", "[]"],
  });
  const shown = reportFindings(findings);
  assert.deepEqual(shown.map(({ cause, message }) => [cause, message]), [
    ["nan_loss", "first"],
    ["entropy_collapse", "third"],
  ]);
  assert.deepEqual(shown[0]!.codes, ["N01"]);
  assert.deepEqual(shown[0]!.train_steps, [3]);
  assert.deepEqual(shown[0]!.evidence, [{ value: "NaN" }]);
  assert.deepEqual(shown[0]!.ruled_out, [{ cause: "fp16_overflow", why: "no overflow notice" }]);
});
