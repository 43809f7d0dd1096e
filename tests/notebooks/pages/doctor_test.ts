import assert from "node:assert/strict";
import { renderDoctorPage } from "../../../notebooks/pages/doctor.ts";

const RUN = {
  path: "logs/trainer_state.json",
  system: "trl grpo",
  verdict: "faulty",
  headline: "Since train step 3, a fault. Change: beta=0.01.",
  possible: [],
  follows: [],
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

Deno.test("renderDoctorPage() counts train steps whole and metrics of ours in their unit", async () => {
  const series = [{ name: "loss", trainSteps: [1, 2, 3], values: [1, 2, 0], mark: null }];
  const html = await renderDoctorPage([{ ...RUN, series }]);
  assert.match(html, />nats per token<\/text>/);
  assert.deepEqual(Array.from(html.matchAll(/>(\d[\d.]*)<\/text>/g), ([, text]) => text).slice(0, 3), ["1", "2", "3"]);
  const foreign = [{ ...series[0]!, name: "critic/oddity" }];
  assert.match(await renderDoctorPage([{ ...RUN, series: foreign }]), />critic\/oddity<\/text>/);
});
