import assert from "node:assert/strict";
import { renderRuns, type RunRow, runTable, sparkline } from "../../../notebooks/pages/runs.ts";

const ROW: RunRow = {
  id: "r-<1>",
  name: "grpo",
  status: "running",
  trainStep: 7,
  started: "now",
  finding: "entropy_collapse",
  values: [0, 1, null, 2],
};

Deno.test("renderRuns() lists runs with their state, a line of the reward and a link", () => {
  const html = renderRuns([ROW], (id) => `/run/${encodeURIComponent(id)}?token=t`, "<script>1</script>");
  for (
    const text of ["1 running", "/run/r-%3C1%3E?token=t", "r-&lt;1&gt;", "entropy_collapse", 'class="status running"']
  ) {
    assert(html.includes(text), text);
  }
  assert.match(runTable([], () => ""), /There is no run yet/);
});

Deno.test("sparkline() goes from the lowest to the highest value, with a gap where there is none", () => {
  const svg = sparkline([0, 1, null, 2]);
  assert.match(svg, /d="M0\.0 30\.0L53\.3 16\.0M160\.0 2\.0"/);
  assert.equal(sparkline([null, NaN]), "");
  assert(sparkline(Array.from({ length: 5000 }, (_, i) => i)).length < 4000);
  assert.doesNotMatch(sparkline([3, 3]), /NaN|Infinity/);
});
