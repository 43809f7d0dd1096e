/** Shows a page from a file in a headless Chromium, where there is one. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { findChromium, Page } from "./browser.ts";

export const CHROMIUM = findChromium();

/** Options of a test that opens a browser. */
export const OPTIONS = {
  ignore: CHROMIUM === null,
  sanitizeOps: false, // the browser's socket
  sanitizeResources: false,
} as const;

/** What the name of such a test ends with. */
export const SKIPPED = CHROMIUM === null ? " (skipped: no Chromium)" : "";

/** Opens `html` for the time of `body`; a page that prints an error fails. */
export async function withPage(
  html: string,
  view: { readonly width?: number; readonly dark?: boolean },
  body: (page: Page) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(folder, "page.html"), html);
    await using page = await Page.open(CHROMIUM!, view);
    await page.goto(`file://${join(folder, "page.html")}`);
    await body(page);
    assert.deepEqual(page.errors, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** An expression of the page: the text of an element. */
export const text = (id: string) => `document.getElementById("${id}").textContent`;

/** Scrolls to a chart; the place of its drawing in the window. */
export async function drawing(page: Page, name: string) {
  await page.evaluate(`document.getElementById("chart-${name}").scrollIntoView({ block: "center" })`);
  return await page.evaluate<{ x: number; y: number; width: number; height: number }>(
    `(({ x, y, width, height }) => ({ x, y, width, height }))(document.querySelector("#chart-${name} .role-frame.root > g > path.background").getBoundingClientRect())`,
  );
}
