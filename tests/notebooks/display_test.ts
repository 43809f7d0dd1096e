import assert from "node:assert/strict";
import { table } from "arquero";
import { chartBundle, show, tableBundle } from "../../notebooks/display.ts";

Deno.test("chartBundle() offers Vega-Lite 5, SVG and text, never HTML", async () => {
  const bundle = await chartBundle("reward", table({ train_step: [1, 2], reward: [0.1, 0.2] }));
  assert.deepEqual(Object.keys(bundle), ["application/vnd.vegalite.v5+json", "image/svg+xml", "text/plain"]);
  const spec = bundle["application/vnd.vegalite.v5+json"] as { $schema: string };
  assert.match(spec.$schema, /v5/);
});

Deno.test("tableBundle() shows at most limit rows", () => {
  const html = tableBundle(table({ a: [1, 2, 3] }), 2)["text/html"] as string;
  assert.equal(html.match(/<tr>/g)?.length, 3);
});

Deno.test("show() says that it needs a Jupyter cell", async () => {
  await assert.rejects(show({ "text/plain": "x" }), /not a Jupyter cell/);
});
