import assert from "node:assert/strict";
import { SEVERITY_COLORS } from "../../../notebooks/charts/findings.ts";
import { PALETTE } from "../../../notebooks/charts/palette.ts";
import { CHART_GROUPS, CHARTS } from "../../../notebooks/charts/mod.ts";
import { pageData, renderReport, type ReportData } from "../../../notebooks/pages/report.ts";
import { STYLE } from "../../../notebooks/pages/style.ts";

const DATA: ReportData = {
  name: "addition",
  about: "Learns to add.",
  runId: "r1",
  status: "ok",
  facts: { seed: "1" },
  evaluations: [{ id: "before", mode: "sampled", value: 0.5 }, { id: "after", mode: "sampled", value: 0.875 }],
  outputs: [{ step: "scorer", text: "accuracy 0.9" }],
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

Deno.test("renderReport() is one page without links or network, and without scripts where it is to be pictures alone", async () => {
  const html = await renderReport(DATA);
  const outside = /<script|<link|https?:\/\/(?!www\.w3\.org)|@import|url\((?!#)/;
  assert(!outside.test(html.replace(/<script[^]*<\/script>/, "")));
  assert(!/<script[^>]* src=/.test(html));
  assert(!outside.test(await renderReport(DATA, { live: false })));
  assert.match(html, /50\.0 %.*87\.5 %.*\+37\.5 points/s);
  assert.match(html, /&lt;script&gt;/);
  const asked = [{ ...DATA.completions[0]!, prompt: JSON.stringify([{ role: "user", content: "2+2?" }]) }];
  assert.match(await renderReport({ ...DATA, completions: asked }), /<code dir="auto">user: 2\+2\?<\/code>/);
  assert.match(html, /prefers-color-scheme:dark/);
});

const CHANGES = [
  { before: 0.855, after: 0.005, said: "−85.0 points", way: "fall" },
  { before: 0.5, after: 0.875, said: "+37.5 points", way: "rise" },
  { before: 0.5, after: 0.5, said: "±0.0 points", way: "same" },
  { before: 0.5, after: 0.49996, said: "±0.0 points", way: "same" },
] as const;
for (const { before, after, said, way } of CHANGES) {
  Deno.test(`renderReport() shows ${before} to ${after} as a ${way}`, async () => {
    const evaluations = Object.entries({ before, after }).map(([id, value]) => ({ id, mode: "sampled", value }));
    const html = await renderReport({ ...DATA, evaluations });
    assert(
      html.includes(`<span class="delta ${way}">${said}</span>`),
      html.slice(html.indexOf("numbers")).slice(0, 300),
    );
    assert(html.includes(`<div class="bar ${way}">`));
    const widths = Array.from(html.matchAll(/class="(?:more|less)" style="width:([\d.]+)%"/g), ([, w]) => Number(w));
    const within = (x: number, y: number) => Math.abs(x - 100 * y) < 0.06;
    assert(within(widths[0]!, Math.max(before, after)) && within(widths[1]!, Math.min(before, after)), String(widths));
  });
}

Deno.test("renderReport() shows mean rewards before and after where no verifier judged, as no share of anything", async () => {
  const rewards = (before: number, after: number) =>
    Object.entries({ before, after }).map(([id, value]) => ({ id, mode: "sampled", value, isReward: true }));
  const html = await renderReport({ ...DATA, evaluations: rewards(0.08305, 0.25296), completions: [] });
  const results = html.slice(html.indexOf('id="results"'), html.indexOf('id="findings"'));
  assert.match(results, /<h3>sampled, mean reward<\/h3>.*<b>0\.08305<\/b>.*<b>0\.253<\/b>.*delta rise">\+0\.1699</s);
  assert.doesNotMatch(results, / %|points|class="bar/);
  assert.match(await renderReport({ ...DATA, evaluations: rewards(1.5, 1.50000001) }), /delta same">±0</);
  assert.match(await renderReport({ ...DATA, evaluations: rewards(2, -1) }), /delta fall">−3</);
});

Deno.test("the style sheet gives green to a rise alone and red to a fall", () => {
  const rule = (selector: string) =>
    new RegExp(`${selector.replaceAll(".", "\\.")}\\{[^}]*var\\(--(\\w+)\\)`).exec(STYLE)?.[1];
  assert.deepEqual([".numbers .delta", ".numbers .rise", ".numbers .fall"].map(rule), ["muted", "good", "wrong"]);
  assert.deepEqual([".bar.rise .more", ".bar.fall .more"].map(rule), ["third", "bad"]);
});

Deno.test("a status stands on one line as long as a line has room for it", () => {
  assert.match(STYLE, /\n\.status\{display:inline-block;/);
});

Deno.test("a table of completions with pictures and three rewards has room for its last column on a page of full width", () => {
  const of = (rule: RegExp) => Number(rule.exec(STYLE)![1]), em = 13.5;
  const padding = of(/\.stacked:has\(td>\.picture\) :is\(th,td\)\{padding:7px (\d+)px\}/);
  const texts = 2 * of(/~td:not\(\.number\)\{min-width:(\d+)em\}/) + of(/~td\.said\{min-width:(\d+)em\}/);
  // What the longest words of the heads of numbers take, as a browser draws them: confidence, format, iou, reward, advantage, tokens.
  const words = [74, 45, 47, 47, 72, 45], picture = 168;
  const wide = picture + 2 * padding + texts * em + words.reduce((sum, word) => sum + word + 2 * padding, 0);
  assert(wide <= 1060 - 2 * 24 - 2, `${wide} pixels`);
});

Deno.test("a card of a finding has the colour that its severity has in charts", () => {
  for (const [severity, color] of Object.entries(SEVERITY_COLORS)) {
    const rule = new RegExp(`\\.finding\\.${severity}\\{border-left-color:var\\(--(\\w+)\\)`).exec(STYLE)?.[1];
    assert.equal(PALETTE[rule as keyof typeof PALETTE], color, severity);
  }
  assert.deepEqual([SEVERITY_COLORS.error, SEVERITY_COLORS.warning], [PALETTE.bad, PALETTE.second]);
});

Deno.test("no text of a page has a colour that is for lines alone", () => {
  const rules = STYLE.replaceAll(/[\w-]*-color:var[^;}]*/g, "");
  assert.equal(/[{;]color:var\(--(?:first|second|third|fourth|fifth|bad)\)/.exec(rules), null);
});

Deno.test("renderReport() names in one line the charts of a run with rewards that have no values", async () => {
  const html = await renderReport(DATA);
  assert.match(html, /<p class="absent">Not drawn, since no train step has a value: [^<]*Entropy[^<]*\.<\/p>/);
  assert(!html.includes("<b>Entropy</b>"));
});

Deno.test("renderReport() of supervised training lists no chart that needs rewards", async () => {
  const metrics = [1, 2].map((train_step) => ({ train_step, phase: "sft", loss: 1 / train_step, entropy: 2 }));
  const html = await renderReport({ ...DATA, tables: { metrics } });
  assert.match(html, /<b>Loss<\/b>/);
  assert.doesNotMatch(html, /Not drawn|Groups without spread|rising reward/);
});

Deno.test("renderReport() says nothing of a critic where there is none, and draws it where there is", async () => {
  assert(!/Values against returns/.test(await renderReport(DATA)));
  const metrics = [1, 2].map((train_step) => ({ train_step, value_mean: train_step, return_mean: 1 }));
  const html = await renderReport({ ...DATA, tables: { metrics } });
  assert.match(html, /Values against returns/);
  assert.doesNotMatch(html, /Not drawn[^<]*Value loss/);
});

Deno.test("renderReport() draws margin, accuracy and log-probs of preferences where they are, and is silent elsewhere", async () => {
  const titles = ["Reward margin", "Preference accuracy", "Log-probabilities of chosen and rejected"];
  const plain = await renderReport(DATA);
  for (const title of titles) assert(!plain.includes(title), title);
  const metrics = [1, 2].map((train_step) => ({
    train_step,
    phase: "preference",
    loss: 0.6,
    reward_margin: train_step,
    preference_accuracy: 0.5,
    chosen_logprob: -1,
    rejected_logprob: -2,
  }));
  const html = await renderReport({ ...DATA, tables: { metrics } });
  for (const title of titles) assert(html.includes(title), title);
  assert.doesNotMatch(html, />nats per token<\/text>/);
});

Deno.test("renderReport() puts what the steps came to first where nothing was evaluated, and behind the charts elsewhere", async () => {
  const [scored, alone] = await Promise.all([renderReport(DATA), renderReport({ ...DATA, evaluations: [] })]);
  const order = (html: string) => Math.sign(html.indexOf('id="outputs"') - html.indexOf('id="charts"'));
  assert.deepEqual([order(scored), order(alone)], [1, -1]);
  assert.match(alone, /<td>scorer<\/td><td>accuracy 0\.9<\/td>/);
});

Deno.test("renderReport() puts findings first when the run did not end well", async () => {
  const stopped = await renderReport({ ...DATA, status: "stopped", reason: "found it", findings: [FINDING] });
  assert(stopped.indexOf("greedy_sampling") < stopped.indexOf("Before and after"));
  assert.match(stopped, /train step 2 to 3/);
  const ok = await renderReport({ ...DATA, findings: [FINDING] });
  assert(ok.indexOf("greedy_sampling") > ok.indexOf("Before and after"));
});

Deno.test("renderReport() does not call a run ok above an error that was found in it, nor where it cannot tell", async () => {
  const badge = async (changes: Partial<ReportData>) =>
    /<span class="status ([^"]*)">([^<]*)</.exec(await renderReport({ ...DATA, ...changes }))!.slice(1);
  assert.deepEqual(await badge({}), ["ok", "ok, healthy"]);
  assert.deepEqual(await badge({ findings: [{ ...FINDING, severity: "info" }] }), ["ok", "ok, healthy"]);
  assert.deepEqual(await badge({ findings: [FINDING] }), ["failed", "ended, error found"]);
  const fatal = { ...FINDING, severity: "fatal" };
  assert.deepEqual(await badge({ findings: [FINDING, fatal] }), ["failed", "ended, 2 errors found"]);
  assert.deepEqual(await badge({ findings: [{ ...FINDING, severity: "warning" }] }), [
    "interrupted",
    "ended, warning found",
  ]);
  assert.deepEqual(await badge({ findings: [{ ...FINDING, at_end: false }] }), ["ok", "ok, healthy"]);
  assert.deepEqual(await badge({ status: "stopped", findings: [FINDING] }), ["stopped", "stopped"]);
  assert.deepEqual(await badge({ cannotTell: true }), ["interrupted", "ended, cannot tell"]);
  assert.deepEqual(await badge({ cannotTell: true, findings: [FINDING] }), ["failed", "ended, error found"]);
  assert.deepEqual(await badge({ cannotTell: true, status: "stopped" }), ["stopped", "stopped"]);
});

Deno.test("renderReport() sends no control character of a completion, in no table and no chart", async () => {
  const controls = String.fromCharCode(...Array(32).keys(), 127, 155);
  const rows = [0, 1].map((sample) => ({
    ...{ train_step: 1, prompt_id: 0, sample, prompt: "1+1=", answer: "2", correct: false, advantage: 2 * sample - 1 },
    ...{ text: `a${controls}b`, reward: sample, completion_tokens: 8, truncated: false },
  }));
  for (const live of [true, false]) {
    const page = await renderReport({
      ...{ ...DATA, name: controls, completions: rows, stepCompletions: rows },
      tables: { ...DATA.tables, completions: rows },
    }, { live });
    const html = page.replace(/<script type="text\/plain"[^]*?<\/script>/, ""); // Vega's runtime is its own text.
    // deno-lint-ignore no-control-regex
    const found = /.{0,60}[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.exec(html);
    assert.equal(found, null);
    assert(!/\\u00(?:0[0-8]|1b|7f|9b)/.test(html), "nor does the page's program draw one");
    assert(/aria-label="[^"]*text: a\ufffd/.test(html), "a chart names the completion");
  }
});

Deno.test("renderReport() says healthy of a run that ended and has no finding, and of no other", async () => {
  const said = async (changes: Partial<ReportData>) =>
    /<h2>Findings<\/h2>(?:<[^>]*>)*([^<]*)/.exec(await renderReport({ ...DATA, findings: [], ...changes }))![1];
  assert.equal(await said({}), "Healthy.");
  assert.equal(await said({ status: "running" }), "No diagnosis has fired so far.");
  assert.equal(await said({ status: "stopped" }), "No diagnosis fired on this run.");
  assert.equal(await said({ status: "damaged", cannotTell: true }), "Cannot tell.");
});

Deno.test("renderReport() groups charts under headings in the order of the page's data, the findings' with the findings", async () => {
  const findings = [FINDING], metrics = [1, 2].map((train_step) => ({ train_step, reward: 1, entropy: 1, loss: 1 }));
  const data = { ...DATA, findings, tables: { metrics, findings: [{ ...FINDING, train_step: 2 }] } };
  const html = await renderReport(data);
  const [first, second, third, fourth] = Array.from(html.matchAll(/<h3 class="group">([^<]*)</g), ([, title]) => title);
  assert.deepEqual([first, second, third, fourth], ["What is learned", "What is sampled", "The updates", undefined]);
  const shown = Array.from(html.matchAll(/<figure id="chart-(\w+)"/g), ([, name]) => name);
  assert.deepEqual(shown, pageData(data).charts.map(({ name }) => name));
  assert.equal(shown[0], "findings");
  assert(html.indexOf('id="chart-findings"') < html.indexOf('<section id="charts"'));
});

Deno.test("CHART_GROUPS has every chart but the findings' once, in the order of CHARTS", () => {
  assert.deepEqual(["findings", ...Object.values(CHART_GROUPS).flat()], Object.keys(CHARTS));
});

Deno.test("renderReport() folds the workflow in, and does not repeat above what a finding says below", async () => {
  const reason = `greedy_sampling: ${FINDING.message}. A table is lost`;
  const html = await renderReport({
    ...DATA,
    status: "stopped",
    reason,
    findings: [FINDING],
    workflow: "a: 1\nb: 2\n",
  });
  assert.match(html, /class="reason">greedy_sampling: see the finding below\. A table is lost</);
  assert.match(html, /<details><summary>2 lines<\/summary><pre class="code">a: 1/);
});
