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
  changes: [{ system: null, lines: ["temperature=1.0"] }],
  byHand: "Look at the completions.",
  decisive: [{ name: "grad_norm", trainSteps: [1, 2, 3], values: [1, NaN, 0], ends: "1 → 0", mark: 2 }],
  usual: [],
  more: 0,
  reading: ["trainer_state.json: 3 records"],
};

Deno.test("renderDoctorPage() shows verdict, change and chart without scripts or network", async () => {
  const html = await renderDoctorPage([RUN]);
  assert(!/<script|<link|@import/.test(html));
  assert.match(html, /status failed">faulty/);
  assert.match(html, /<pre[^>]*>(?:<code>)?temperature=1\.0(?:<\/code>)?<\/pre>\s*<p>Look at the completions\.<\/p>/);
  assert.match(html, /<\/b>1 → 0 · dashed: since train step 2 · red ticks: 1 record with NaN/);
  assert.match(html, /&lt;m&gt;/);
  assert.match(html, /<div class="charts one">/, "one drawing is not as wide as the page");
});

Deno.test("renderDoctorPage() calls a run without findings healthy only when the verdict says so", async () => {
  const none = { ...RUN, findings: [], changes: [], decisive: [] };
  assert.match(await renderDoctorPage([{ ...none, verdict: "healthy" }]), /No diagnosis fired/);
  assert(!/No diagnosis fired/.test(await renderDoctorPage([{ ...none, verdict: "cannot tell" }])));
});

Deno.test("renderDoctorPage() counts train steps whole and metrics of ours in their unit", async () => {
  const series = [{ name: "loss", trainSteps: [1, 2, 3], values: [1, 2, 0], ends: "", mark: null }];
  const html = await renderDoctorPage([{ ...RUN, decisive: series }]);
  assert.match(html, />nats per token<\/text>/);
  assert.deepEqual(Array.from(html.matchAll(/>(\d[\d.]*)<\/text>/g), ([, text]) => text).slice(0, 3), ["1", "2", "3"]);
  const foreign = [{ ...series[0]!, name: "critic/oddity" }];
  assert.match(await renderDoctorPage([{ ...RUN, decisive: foreign }]), />critic\/oddity<\/text>/);
});

Deno.test("renderDoctorPage() draws an evaluation as points in the unit of its column, over the train steps of the others", async () => {
  const trainSteps = Array.from({ length: 100 }, (_, i) => i + 1);
  const loss = { name: "loss", trainSteps, values: trainSteps.map((step) => 1 / step), ends: "1 → 0.01", mark: 20 };
  const held = { ...loss, name: "eval_loss", column: "loss", trainSteps: [40, 60], values: [1, 2] };
  const html = await renderDoctorPage([{ ...RUN, decisive: [loss, held], usual: [loss] }]);
  const [first, second, beside] = html.split("<figure").slice(1);
  assert(html.indexOf("eval_loss") < html.indexOf("Findings"), "pictures come first");
  const placeOf = (svg: string) => /stroke-dasharray[^>]*>/.exec(svg) !== null && />100<\/text>/.test(svg);
  assert([first, second, beside].every((svg) => placeOf(svg!)), "all reach to train step 100");
  assert.match(second!, />nats per token<\/text>/);
  const points = (svg: string) => svg.match(/aria-roledescription="point"/g)?.length ?? 0;
  assert.deepEqual([points(first!), points(second!)], [0, 2]);
});

Deno.test("renderDoctorPage() draws what is logged now and then as a line", async () => {
  const trainSteps = Array.from({ length: 400 }, (_, i) => i + 1);
  const values = trainSteps.map((step) => step % 10 ? null : step);
  const reward = { name: "reward", trainSteps, values, ends: "10 → 400", mark: null };
  const html = await renderDoctorPage([{ ...RUN, decisive: [reward] }]);
  const longest = Math.max(...Array.from(html.matchAll(/ d="(M[^"]*)"/g), ([, d]) => d!.split("L").length));
  assert(longest >= 40, `${longest} points`);
});

Deno.test("renderDoctorPage() has no mark beyond the train steps of the drawing, and the unit of an evaluation of one data set", async () => {
  const trainSteps = [1, 2, 3], ends = "1 → 0";
  const beyond = { name: "reward", trainSteps, values: [1, 2, 0], ends, mark: 350 };
  const other = { ...beyond, name: "eval_other/accuracy", column: "other/accuracy" };
  const html = await renderDoctorPage([{ ...RUN, decisive: [beyond, other] }]);
  assert.doesNotMatch(html, /dashed|stroke-dasharray/);
  assert.match(html, />fraction of completions<\/text>/);
});
