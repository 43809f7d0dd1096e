import assert from "node:assert/strict";
import { ChartView } from "../../notebooks/chart_view.ts";
import { CHARTS } from "../../notebooks/charts/mod.ts";
import { JUPYTER_DISPLAY } from "../../notebooks/display.ts";
import { chartSpec } from "../../notebooks/draw.ts";

const metrics = [1, 2, 3].map((train_step) => ({ train_step, accuracy: train_step / 4 }));
const view = (theme: "light" | "dark" = "light") =>
  new ChartView("Accuracy", chartSpec(CHARTS.accuracy, { metrics }, { theme }), theme);

Deno.test("a chart offers Vega-Lite 5, PNG and text, never HTML, which would win over the chart", async () => {
  const bundle = await view()[JUPYTER_DISPLAY]();
  assert.deepEqual(Object.keys(bundle), ["application/vnd.vegalite.v5+json", "image/png", "text/plain"]);
  assert.match((bundle["application/vnd.vegalite.v5+json"] as { $schema: string }).$schema, /v5/);
  assert.equal(atob(bundle["image/png"] as string).slice(1, 4), "PNG");
  assert.match(bundle["text/plain"] as string, /^\[Accuracy\] Share of sampled completions/);
});

Deno.test("a chart without its picture is the live one alone; a dark one lies on dark paper", async () => {
  assert(!("image/png" in await view().bundle({ png: false })));
  const dark = (await view("dark").bundle({ png: false }))["application/vnd.vegalite.v5+json"] as {
    background: string;
  };
  assert.equal(dark.background, "#1b1e24");
  assert.match(await view("dark").svg(), /#98a0ad/);
});

Deno.test("show() says that it needs a cell", async () => {
  await assert.rejects(view().show(), /not a cell of Deno's Jupyter kernel; use \.svg\(\)/);
});

Deno.test("a chart of a cell says what it is: its title stands above it", async () => {
  assert.match(await view().svg(), />Accuracy<\/text>/);
  assert.equal(view().spec["title"], "Accuracy");
});
