import assert from "node:assert/strict";
import { table } from "arquero";
import { isNotebook, JUPYTER_DISPLAY, show, tableBundle } from "../../notebooks/display.ts";

Deno.test("tableBundle() shows at most limit rows, says how many there are, and leaves absent cells empty", () => {
  const html = tableBundle(table({ a: [1, null, 3], b: ["x", "y", "z"] }), 2)["text/html"] as string;
  assert.equal(html.match(/<tr>/g)?.length, 3);
  assert.match(html, /3 rows × 2 columns; the first 2 are shown/);
  assert.doesNotMatch(html, /null|undefined/);
  assert.doesNotMatch(tableBundle(table({ a: [1] }))["text/html"] as string, /are shown/);
});

Deno.test("show() says that it needs a Jupyter cell, of a bundle, a table and what shows itself", async () => {
  const self = { [JUPYTER_DISPLAY]: () => ({ "text/plain": "x" }) };
  for (const value of [{ "text/plain": "x" }, table({ a: [1] }), self]) {
    await assert.rejects(show(value), /not a cell of Deno's Jupyter kernel/);
  }
  assert.equal(isNotebook(), false);
});
