import assert from "node:assert/strict";
import { renderReport, type ReportData } from "../../notebooks/report.ts";

const DATA: ReportData = {
  name: "addition",
  about: "Learns to add.",
  runId: "r1",
  status: "ok",
  facts: { seed: "1" },
  evaluations: [{ id: "before", mode: "sampled", value: 0.5 }, { id: "after", mode: "sampled", value: 0.875 }],
  findings: [],
  tables: { metrics: [1, 2, 3].map((i) => ({ train_step: i, reward: i / 3, grad_norm: 1, sample_ms: 1 })) },
  completions: [{ prompt: "1+1=", text: "<script>", answer: "2", correct: false, reward: 0, advantage: -1 }],
  sampling: [{ name: "temperature", value: "1", source: "workflow" }],
  workflow: "name: addition",
  versions: { deno: "x" },
};
const FINDING = {
  cause: "greedy_sampling",
  severity: "error",
  message: "all equal",
  hint: "raise it",
  train_steps: [2, 3],
};

Deno.test("renderReport() is one page without scripts, links or network", async () => {
  const html = await renderReport(DATA);
  assert(!/<script|<link|https?:\/\/(?!www\.w3\.org)|@import|url\((?!#)/.test(html));
  assert.match(html, /50\.0 %.*87\.5 %.*\+37\.5 points/s);
  assert.match(html, /&lt;script&gt;/);
  assert.match(html, /prefers-color-scheme:dark/);
});

Deno.test("renderReport() names the charts it cannot draw", async () => {
  assert.match(await renderReport(DATA), /<b>Entropy<\/b> not drawn: no train step has entropy/);
});

Deno.test("renderReport() puts findings first when the run did not end well", async () => {
  const stopped = await renderReport({ ...DATA, status: "stopped", reason: "found it", findings: [FINDING] });
  assert(stopped.indexOf("greedy_sampling") < stopped.indexOf("Before and after"));
  assert.match(stopped, /train step 2 to 3/);
  const ok = await renderReport({ ...DATA, findings: [FINDING] });
  assert(ok.indexOf("greedy_sampling") > ok.indexOf("Before and after"));
});
