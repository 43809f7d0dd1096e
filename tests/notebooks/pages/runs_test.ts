import assert from "node:assert/strict";
import { renderRuns, type RunRow, runTable, sparkline } from "../../../notebooks/pages/runs.ts";

const ROW: RunRow = {
  id: "r-<1>",
  name: "grpo",
  status: "running",
  trainStep: 7,
  started: "now",
  finding: "entropy_collapse",
  metric: "preference_accuracy",
  values: [0, 1, null, 2],
};

Deno.test("renderRuns() lists runs with their state, a line of the reward and a link", () => {
  const html = renderRuns(
    { rows: [ROW], total: 1 },
    (id) => `/run/${encodeURIComponent(id)}?token=t`,
    "<script>1</script>",
  );
  for (
    const text of ["1 running", "/run/r-%3C1%3E?token=t", "r-&lt;1&gt;", "entropy_collapse", 'class="status running"']
  ) {
    assert(html.includes(text), text);
  }
  assert.match(runTable({ rows: [], total: 0 }, () => ""), /There is no run yet/);
});

Deno.test("runTable() names what a run's line is of, with its last value; says of how many runs it lists", () => {
  const html = runTable({ rows: [ROW, { ...ROW, metric: null, values: [], finding: "" }], total: 65 }, () => "");
  assert.match(html, /<small>Preference accuracy 2<\/small>/);
  assert.match(html, /<th>curve<\/th>/);
  assert.match(html, /The newest 2 of 65 runs\./);
  assert.doesNotMatch(runTable({ rows: [ROW], total: 1 }, () => ""), / of 1 runs/);
  assert.match(runTable({ rows: [{ ...ROW, values: [1, NaN, null] }], total: 1 }, () => ""), /accuracy NaN</);
});

Deno.test("runTable() is a list of runs on a narrow screen, each cell under its name", () => {
  const html = runTable({ rows: [ROW], total: 1 }, () => "");
  assert.match(html, /class="scroll stacked"/);
  assert.deepEqual(
    [...html.matchAll(/<td[^>]* data-name="([^"]+)"><div>.*?<\/div><\/td>/g)].map(([, name]) => name),
    ["run", "state", "train step", "curve", "finding", "started"],
  );
});

Deno.test("sparkline() goes from the lowest to the highest value, with a gap where there is none", () => {
  const svg = sparkline([0, 1, null, 2]);
  assert.match(svg, /d="M0\.0 30\.0L53\.3 16\.0M160\.0 2\.0".*<circle cx="160\.0" cy="2\.0"/);
  assert.match(sparkline([0.4]), /<circle cx="80\.0" cy="16\.0"/, "a single value is a dot");
  assert.doesNotMatch(sparkline([0.4, 0.5]), /circle/);
  assert.equal(sparkline([null, NaN]), "");
  assert(sparkline(Array.from({ length: 5000 }, (_, i) => i)).length < 4000);
  assert.doesNotMatch(sparkline([3, 3]), /NaN|Infinity/);
});
