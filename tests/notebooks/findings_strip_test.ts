import assert from "node:assert/strict";
import { STEP_AXIS } from "../../notebooks/charts/chart.ts";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../notebooks/draw.ts";
import { withFindings } from "../../notebooks/findings_strip.ts";

const metrics = Array.from({ length: 60 }, (_, i) => ({
  train_step: i + 1,
  phase: i < 30 ? "sft" : "rollout",
  loss: i,
  entropy: i < 30 ? null : 1 + i,
}));
const findings = [
  { cause: "entropy_collapse", severity: "error", train_steps: [40, 41, 42], message: "it fell" },
  { cause: "garbled_generation", severity: "fatal", train_steps: [50], message: "noise" },
];
const fail = (text: string) => assert.fail(`Vega warns: ${text}`);

Deno.test("findings lie under a chart, in the colour of their severity, without moving what is drawn", async () => {
  const bare = await toSvg(chartSpec(CHARTS.entropy, { metrics }), fail);
  const laid = await toSvg(chartSpec(CHARTS.entropy, { metrics }, { findings }), fail);
  for (const cause of ["entropy_collapse", "garbled_generation"]) assert(laid.includes(`>${cause}</text>`), cause);
  const bold = (svg: string) => /d="([^"]+)"[^>]*stroke-width="2"/.exec(svg)![1];
  assert.equal(bold(laid), bold(bare));
});

Deno.test("of two phases, a finding lies under the one in which it held", async () => {
  const laid = await toSvg(chartSpec(CHARTS.loss, { metrics }, { findings: findings.slice(0, 1) }), fail);
  assert.equal(laid.split(">entropy_collapse</text>").length - 1, 1);
  const rows = withFindings({ encoding: { x: STEP_AXIS } }, metrics, findings.slice(0, 1), 190)!.rows;
  assert.deepEqual(rows.map(({ phase, from, to, named }) => [phase, from, to, named]), [
    ["sft", 1, 1, undefined],
    ["rollout", 31, 31, undefined],
    ["rollout", 40, 43, true],
  ]);
});

Deno.test("a finding that goes on into the next phase ends with the last train step of its own", () => {
  const long = [{ ...findings[0]!, train_steps: [28, 29, 30, 31, 32] }];
  const { rows } = withFindings({ encoding: { x: STEP_AXIS } }, metrics, long, 190)!;
  assert.deepEqual(rows.filter(({ held }) => held).map(({ phase, from, to }) => [phase, from, to]), [
    ["sft", 28, 30],
    ["rollout", 31, 33],
  ]);
});

Deno.test("withFindings() leaves a chart alone that has no train steps, or where nothing was found", () => {
  assert.equal(withFindings({}, metrics, [], 190), null);
  assert.equal(withFindings({}, [{ a: 1 }], findings, 190), null);
  assert.equal(withFindings({ vconcat: [] }, metrics, findings, 190), null);
});

Deno.test("names of findings stand below the axis and its title, whose text ends 40 units below the drawing", async () => {
  const laid = await toSvg(chartSpec(CHARTS.entropy, { metrics }, { findings }), fail);
  const place = (text: string) =>
    Number(new RegExp(`translate\\([-\\d.]+,([-\\d.]+)\\)[^>]*>${text}</text>`).exec(laid)![1]);
  assert(place("entropy_collapse") - 9 > 190 + 36, `${place("entropy_collapse")}`);
  assert(place("garbled_generation") - place("entropy_collapse") >= 12);
});

Deno.test("findings do not lie under a chart over something else than train steps, and one of a single step is a dot", async () => {
  const completions = [1, 2].map((train_step) => ({ train_step, old_logprobs: [-1, -2], sampler_logprobs: [-1, -2] }));
  const found = [{ cause: "nan_loss", severity: "error", train_steps: [1], message: "m" }];
  const gap = await toSvg(chartSpec(CHARTS.sampler_gap, { completions }, { findings: found }), fail);
  assert.doesNotMatch(gap, /nan_loss|train step/);
  const one = { metrics: [{ train_step: 1, entropy: 2 }] };
  assert.match(
    await toSvg(chartSpec(CHARTS.entropy, one, { findings: found }), fail),
    /stroke-width="5" stroke-linecap="round" opacity="1"/,
  );
});

Deno.test("findings leave no gap in a band of completions", async () => {
  const completions = Array.from(
    { length: 120 },
    (_, i) => ({ train_step: 1 + Math.floor(i / 2), advantage: (i * 7) % 5 }),
  );
  // Heights alone: a name at the right end takes some of the width.
  const band = (svg: string) =>
    /aria-roledescription="area mark" d="([^"]+)"/.exec(svg)![1]!.replaceAll(/[\d.]+,/g, "");
  const bare = await toSvg(chartSpec(CHARTS.advantage, { completions }), fail);
  assert.equal(band(await toSvg(chartSpec(CHARTS.advantage, { completions }, { findings }), fail)), band(bare));
});
