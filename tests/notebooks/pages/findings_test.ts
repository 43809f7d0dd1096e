import assert from "node:assert/strict";
import { renderFindings } from "../../../notebooks/pages/findings.ts";

Deno.test("renderFindings() says healthy when nothing fired, and shows evidence and what was ruled out", () => {
  assert.match(renderFindings([]), /Healthy/);
  assert.match(renderFindings([], "cannot tell"), /Cannot tell/);
  assert.doesNotMatch(renderFindings([], "cannot tell") + renderFindings([], null), /Healthy/);
  const html = renderFindings([{
    cause: "greedy_sampling",
    severity: "error",
    message: "m <1>",
    hint: "h",
    train_steps: [4],
    at_end: false,
    evidence: [{ value: 3 }, { table: "metrics", source: null, line: null, train_step: 31, name: "kl", value: 3.5 }],
    ruled_out: [{ cause: "entropy_collapse", why: "entropy is 1.2" }],
  }]);
  assert.match(html, /m &lt;1&gt;/);
  assert.match(html, /<small>train step 4 · not at the end<\/small>/);
  assert.match(html, /Evidence \(2\).*&quot;value&quot;:3/s);
  assert.match(html, /<td>metrics, train step 31<\/td><td>kl<\/td><td>3\.5<\/td>/);
  assert.match(html, /Ruled out \(1\).*entropy is 1\.2/s);
});

const NOTE = { cause: "benign_zero_loss", severity: "info", message: "m", hint: "h", evidence: [{ value: 1 }] };

Deno.test("renderFindings() calls a healthy run with a note healthy, and folds in the evidence of the note", () => {
  const html = renderFindings([NOTE]);
  assert.match(html, /class="healthy"><b>Healthy\.<\/b> What is noted below is no fault\./);
  assert.match(html, /<details><summary>Evidence/);
  assert.match(renderFindings([NOTE, NOTE]), /are no faults\./);
  for (const calm of ["cannot tell", "running", null] as const) {
    assert.doesNotMatch(renderFindings([NOTE], calm), /Healthy/);
  }
  const warned = renderFindings([{ ...NOTE, severity: "warning" }, NOTE]);
  assert.doesNotMatch(warned, /Healthy/);
  assert.match(warned, /<details open><summary>Evidence[^]*<details><summary>Evidence/);
});

Deno.test("renderFindings() says how likely a finding is what is wrong; nothing of a note", () => {
  const one = { cause: "nan_loss", severity: "error", message: "m", hint: "h", train_steps: [3] };
  assert.match(renderFindings([{ ...one, probability: 0.534 }]), /<small>probability 53 % · train step 3<\/small>/);
  assert.match(renderFindings([{ ...one, probability: 0.001 }]), /probability &lt; 1 %/);
  assert.doesNotMatch(renderFindings([{ ...one, probability: null }]), /probability/);
});

Deno.test("renderFindings() counts records where a log tells no train steps, in the head and in the evidence", () => {
  const finding = {
    cause: "nan_loss",
    severity: "error",
    message: "m",
    hint: "h",
    train_steps: [3, 4],
    evidence: [{ source: null, line: null, train_step: 3, name: "loss", value: NaN }],
  };
  const counted = renderFindings([{ ...finding, counts: "records" }]);
  assert.match(counted, /<small>record 3 to 4<\/small>/);
  assert.match(counted, /<td>record 3<\/td>/);
  assert.doesNotMatch(counted, /train step/);
  assert.match(renderFindings([{ ...finding, counts: "records", began: 3 }]), /<small>since record 3<\/small>/);
  const known = renderFindings([finding]);
  assert.match(known, /<small>train step 3 to 4<\/small>.*<td>train step 3<\/td>/s);
});

Deno.test("renderFindings() tells rows of one line apart by their train step, and says that a full list is cut", () => {
  const row = (train_step: number) => ({ source: "state.json", line: 1, train_step, name: "loss", value: 1 });
  const html = renderFindings([{
    cause: "nan_loss",
    severity: "error",
    message: "m",
    hint: "h",
    train_steps: Array.from({ length: 128 }, (_, i) => 51 + i),
    evidence: [row(3), row(7)],
  }]);
  assert.match(html, /<td>state\.json:1, train step 3<\/td>.*<td>state\.json:1, train step 7<\/td>/s);
  assert.match(html, /<small>from train step 51 on<\/small>/);
});
