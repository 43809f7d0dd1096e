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
      show({ "text/plain": "x", a: 1 }),
      /"a" is no MIME type; want a chart, a table, a text, a Vega-Lite specification/,
    );
  } finally {
    delete (globalThis as Record<symbol, unknown>)[KERNEL];
  }
});

/** What `show` gives to a kernel. */
async function shownOf(value: unknown): Promise<Readonly<Record<string, string>>> {
  const shown: Readonly<Record<string, string>>[] = [];
  const display = (bundle: Readonly<Record<string, string>>) => Promise.resolve(void shown.push(bundle));
  (globalThis as Record<symbol, unknown>)[KERNEL] = { display };
  try {
    await show(value);
  } finally {
    delete (globalThis as Record<symbol, unknown>)[KERNEL];
  }
  return shown[0]!;
}

Deno.test("show() shows rows as a table of all their columns, and none as no rows", async () => {
  const shown = await shownOf([{ cause: "no_signal", train_steps: [1, 2] }, { cause: "nan", hint: "look" }]);
  assert.match(shown["text/html"]!, /<table>[^]*no_signal[^]*look/);
  assert.match(shown["text/plain"]!, /^cause +train_steps +hint\nno_signal +\[1, 2\]\n/);
  assert.deepEqual(await shownOf([]), { "text/plain": "no rows" });
});

Deno.test("show() shows several tables below their names, without the empty ones", async () => {
  const shown = await shownOf({ completions: table({ text: ["x"] }), groups: table({ group: [] }) });
  assert.match(shown["text/html"]!, /^<h4>completions<\/h4><table>[^]*x/);
  assert.equal(shown["text/plain"], "completions\ntext\nx\n[1 rows × 1 columns]");
  assert.deepEqual(await shownOf({ groups: table({ group: [] }) }), { "text/plain": "no rows" });
});

Deno.test("show() shows plain values as the kernel prints them", async () => {
  for (
    const [value, text] of [[1.5, "1.5"], [null, "null"], [{ a: 1 }, "{ a: 1 }"], [[1, 2], "[ 1, 2 ]"], [{}, "{}"]]
  ) {
    assert.deepEqual(await shownOf(value), { "text/plain": text });
  }
});
