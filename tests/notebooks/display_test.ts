import assert from "node:assert/strict";
import { table } from "arquero";
import {
  isNotebook,
  JUPYTER_DISPLAY,
  KERNEL,
  show,
  tableBundle,
  tablesShowThemselves,
} from "../../notebooks/display.ts";

Deno.test("tableBundle() shows at most limit rows, says how many there are, and leaves absent cells empty", () => {
  const html = tableBundle(table({ a: [1, null, 3], b: ["x", "y", "z"] }), 2)["text/html"] as string;
  assert.equal(html.match(/<tr>/g)?.length, 3);
  assert.match(html, /3 rows × 2 columns; the first 2 are shown/);
  assert.doesNotMatch(html, /null|undefined/);
  assert.doesNotMatch(tableBundle(table({ a: [1] }))["text/html"] as string, /are shown/);
});

Deno.test("tableBundle() cuts long texts, keeps line ends, and is text too", () => {
  const bundle = tableBundle(table({ text: ["<think>\n1</think>", "x".repeat(1000)] }));
  const html = String(bundle["text/html"]);
  assert.match(html, /white-space: pre-wrap">&lt;think&gt;\n1&lt;/);
  assert.match(html, />x{400}… \(600 more\)</);
  assert.match(String(bundle["text/plain"]), /^text\n<think>↵1<\/think>\n/);
});

Deno.test("tablesShowThemselves() gives every table the bundle that a cell shows", () => {
  tablesShowThemselves();
  const shown = table({ a: [1] }) as unknown as Record<symbol, () => unknown>;
  assert.deepEqual(shown[JUPYTER_DISPLAY]!(), tableBundle(table({ a: [1] })));
});

Deno.test("show() says that it needs a Jupyter cell, of a bundle, a table and what shows itself", async () => {
  const self = { [JUPYTER_DISPLAY]: () => ({ "text/plain": "x" }) };
  for (const value of [{ "text/plain": "x" }, table({ a: [1] }), self]) {
    await assert.rejects(show(value), /not a cell of Deno's Jupyter kernel/);
  }
  assert.equal(isNotebook(), false);
});

Deno.test("show() takes a Vega-Lite specification of one's own, and refuses what no viewer knows", async () => {
  const shown: unknown[] = [];
  const kernel = { display: (bundle: unknown) => Promise.resolve(void shown.push(bundle)) };
  (globalThis as Record<symbol, unknown>)[KERNEL] = kernel;
  try {
    const spec = { mark: "point", data: { values: [] }, encoding: {} };
    await show(spec);
    assert.deepEqual(shown, [{ "application/vnd.vegalite.v5+json": spec }]);
    await assert.rejects(
      show({ a: 1 }),
      /"a" is no MIME type; want a chart, a table, a text, a Vega-Lite specification/,
    );
  } finally {
    delete (globalThis as Record<symbol, unknown>)[KERNEL];
  }
});
