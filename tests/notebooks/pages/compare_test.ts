import assert from "node:assert/strict";
import { comparedRows } from "../../../notebooks/comparison.ts";
import { type ComparisonData, renderComparison } from "../../../notebooks/pages/compare.ts";

const run = (label: string, values: readonly number[]) => ({
  label,
  rows: values.map((reward, i) => ({ train_step: i + 1, phase: "rollout", reward })),
});
const DATA: ComparisonData = {
  runs: [1, 2, 3].map((seed) => ({
    name: `20260102-030405-small-${seed}`,
    label: seed < 3 ? "rate 1" : "rate 2",
    workflow: "small",
    status: "ok",
    facts: { seed: String(seed) },
  })),
  differences: [
    { group: "Parameters", name: "params.<rate>", values: [1, 1, 2] },
    { group: "Results", name: "after.sampled", values: [0.5423, null, 0.5], share: true },
    { group: "Results", name: "seconds", values: [0.123456, null, "x"] },
  ],
  metrics: [{
    column: "reward",
    title: "Reward",
    about: "Mean reward.",
    rows: comparedRows("reward", [run("rate 1", [0, 1]), run("rate 1", [1, 2]), run("rate 2", [3, 4])]),
  }],
  completions: [{
    prompt: "1+1=",
    answers: [{ text: "<2>", reward: 1, correct: true }, null, { text: "3", reward: 0, correct: false }],
  }],
};

Deno.test("renderComparison() shows runs, differences, a line for each label with a band, and answers side by side", async () => {
  const html = await renderComparison(DATA);
  for (const text of ["3 runs", "params.&lt;rate&gt;", "0.1235", "Mean reward.", "54.2 %", ">Parameters</th>"]) {
    assert(html.includes(text), text);
  }
  assert.match(
    html,
    /class="answer right"><code dir="auto">&lt;2&gt;<\/code><small>reward 1<\/small><\/td><td>–<\/td>/,
  );
  assert.match(html, /<th>small-3<\/th>/);
  assert.match(html, /area mark/);
  assert.match(html, /<b>Reward<\/b>[^]*>reward<\/text>/);
  const data = JSON.parse(/id="page-data">([^<]*)</.exec(html)![1]!);
  assert.deepEqual([data.charts[0].stepped, data.charts[0].values.length], [true, 4]);
});

Deno.test("renderComparison() has no program where it is to be pictures alone, and says where nothing differs", async () => {
  const html = await renderComparison({ ...DATA, differences: [], completions: [] }, { live: false });
  assert.doesNotMatch(html, /<script|The same prompts/);
  assert.match(html, /Nothing that their manifests hold differs/);
});

Deno.test("renderComparison() gives a run one colour in all charts, also where other runs have no value", async () => {
  const alone = {
    ...DATA.metrics[0]!,
    column: "kl",
    title: "KL",
    rows: comparedRows("reward", [run("rate 2", [3, 4])]),
  };
  const html = await renderComparison({ ...DATA, metrics: [...DATA.metrics, alone] }, { live: false });
  const colors = html.split("<figure").slice(1).map((
    figure,
  ) => [...new Set(Array.from(figure.matchAll(/ stroke="var\(--(first|second|third)\)"/g), ([, color]) => color))]);
  assert.deepEqual(colors, [["first", "second"], ["second"]]);
});

Deno.test("renderComparison() tells the colours and dashes of lines once, and not in each chart", async () => {
  const runs = Array.from({ length: 7 }, (_, i) => ({ ...DATA.runs[0]!, label: `rate ${i}` }));
  const html = await renderComparison({ ...DATA, runs }, { live: false });
  const legend = /<p class="legend">[^]*?<\/p>/.exec(html)![0];
  assert.equal(legend.match(/<path /g)?.length, 7);
  assert.match(legend, /stroke="var\(--first\)" stroke-width="2\.5"\/>[^<]*<\/svg>rate 0</);
  assert.match(legend, /stroke="var\(--first\)" stroke-width="2\.5" stroke-dasharray="6 3"\/><\/svg>rate 5</);
  assert.doesNotMatch(html, /role-legend/);
});

Deno.test("renderComparison() is called by the workflows, says a matrix of one, and has the states of runs", async () => {
  const sweep = { points: [], score: "reward", axes: { seeds: [], unread: [] }, best: null, notes: [] };
  const head = async (data: ComparisonData) => {
    const html = await renderComparison(data, { live: false });
    const [, text, look, state] = /<h1>([^<]*) <span class="status ([^"]*)">([^<]*)</.exec(html)!;
    assert.equal(/<title>([^<]*)</.exec(html)![1], text);
    return [text, look, state];
  };
  assert.deepEqual(await head(DATA), ["small: 3 runs", "ok", "3 ok"]);
  assert.deepEqual(await head({ ...DATA, sweep }), ["small: matrix of 3 runs", "ok", "3 ok"]);
  const mixed = ["a", "b", "c", "d", "e"].map((workflow, i) => ({
    ...DATA.runs[0]!,
    workflow,
    status: i === 4 ? null : i ? "ok" : "failed",
  }));
  assert.deepEqual(await head({ ...DATA, runs: mixed }), ["a, b, c and 2 more: 5 runs", "", "1 failed, 3 ok"]);
  assert.match(
    await renderComparison({ ...DATA, runs: mixed }),
    /data-name="status"><span><span class="status failed">failed</,
  );
});
