import assert from "node:assert/strict";
import { renderDoctorPage } from "../../notebooks/doctor_page.ts";

const RUN = {
  path: "logs/trainer_state.json",
  system: "trl grpo",
  verdict: "faulty",
  reasons: ["grad_norm is 0 on all records"],
  missing: [],
  findings: [{ cause: "greedy_sampling", severity: "error", message: "<m>", hint: "h" }],
  changes: ["temperature=1.0"],
  series: [{ name: "grad_norm", trainSteps: [1, 2, 3], values: [1, NaN, 0], mark: 2 }],
  reading: ["trainer_state.json: 3 records"],
};

Deno.test("renderDoctorPage() shows verdict, change and chart without scripts or network", async () => {
  const html = await renderDoctorPage([RUN]);
  assert(!/<script|<link|@import/.test(html));
  assert.match(html, /status failed">faulty/);
  assert.match(html, /temperature=1\.0/);
  assert.match(html, /1 records with NaN/);
  assert.match(html, /&lt;m&gt;/);
});

Deno.test("renderDoctorPage() calls a run without findings healthy only when the verdict says so", async () => {
  const none = { ...RUN, findings: [], changes: [], series: [] };
  assert.match(await renderDoctorPage([{ ...none, verdict: "healthy" }]), /No diagnosis fired/);
  assert(!/No diagnosis fired/.test(await renderDoctorPage([{ ...none, verdict: "cannot tell" }])));
});
