import assert from "node:assert/strict";
import { spans } from "../../../notebooks/charts/findings.ts";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart findings draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("findings"), /train step/);
});

Deno.test("spans() joins neighbouring train steps, also of a log that prints every tenth, and orders by the first", () => {
  const found = (cause: string, train_steps: number[]) => ({ cause, severity: "error", message: "m", train_steps });
  const rows = spans([found("late", [50, 60, 70, 200]), found("early", [3, 4, 5]), {
    ...found("bare", []),
    train_step: 9,
  }]);
  assert.deepEqual(rows.map(({ cause, from, to }) => [cause, from, to]), [
    ["early", 3, 6],
    ["bare", 9, 10],
    ["late", 50, 71],
    ["late", 200, 201],
  ]);
});

Deno.test("chart findings names the severities that were found, and cuts no name of a cause", async () => {
  const found = {
    cause: "gradient_checkpointing_cuts_gradient",
    severity: "warning",
    train_steps: [1, 2],
    message: "m",
  };
  const svg = await toSvg(chartSpec(CHARTS.findings, { findings: [found] }), (text) => assert.fail(text));
  assert.match(svg, />warning</);
  assert.doesNotMatch(svg, />(?:fatal|error|info)</);
  assert(svg.includes(`>${found.cause}</text>`));
});

Deno.test("chart findings has one entry in its legend for what is fatal and what is an error: they have one colour", async () => {
  const found = (cause: string, severity: string) => ({ cause, severity, train_steps: [1, 2], message: "m" });
  const findings = [found("a", "fatal"), found("b", "error"), found("c", "warning")];
  const svg = await toSvg(chartSpec(CHARTS.findings, { findings }), (text) => assert.fail(text));
  assert.match(svg, />fatal, error</);
  assert.match(svg, />warning</);
  assert.doesNotMatch(svg, />(?:fatal|error)</);
});
