/** What makes a page live in the browser, all of it inside the file: the rows, Vega's runtime, and the page's own program. @module */
import { fileURLToPath } from "node:url";
import { PALETTE } from "../charts/palette.ts";
import { plainText } from "../plain_text.ts";
import type { PageData } from "./page_charts.ts";

/** Vega's runtime as its package ships it, with all it needs. */
const RUNTIME = new URL("./vega.min.js", import.meta.resolve("vega"));
/** The page's own program, in the order in which its parts need each other. */
const PROGRAM = ["page_completions.js", "page_draw.js", "page.js"].map((name) => new URL(name, import.meta.url));

/** What the charts of a run can be asked, and those of several. */
export const HINTS = {
  run:
    "Drag over a chart to zoom all of them, click for the completions of a train step. Keys: arrows move the line, Enter " +
    "shows its completions, + and - zoom, Escape shows all.",
  comparison: "Drag over a chart to zoom all of them. Keys: arrows move the line, + and - zoom, Escape shows all.",
} as const;

/** The controls above the charts; hidden until the program runs. */
export const controls = (hint: string) =>
  `<form id="controls" class="controls" hidden onsubmit="return false">
<label>Smoothing <input id="smooth" type="range" min="0" max="40" value="4" aria-describedby="smoothing"></label>
<output id="smoothing" for="smooth"></output>
<label><input id="log" type="checkbox"> log scale</label>
<span id="range">all train steps</span>
<button id="reset" type="button" disabled>Show all</button>
<small>${hint}</small>
</form>`;

/** The part of a page that shows the completions of one train step. */
export const STEP_COMPLETIONS = `<p id="step-title" class="about" aria-live="polite"></p>
<div class="scroll stacked" tabindex="0" role="group" aria-labelledby="step-title"><table><thead><tr id="step-columns"></tr></thead>
<tbody id="step-completions"></tbody></table></div>`;

/** The end of a page's body. */
export function scripts(data: PageData): string {
  // The program draws SVG from it, which one control character in a completion would break.
  const plain = (_: string, value: unknown) =>
    typeof value === "string" ? plainText(value) : typeof value === "number" && !Number.isFinite(value)
      ? String(value) // JSON would make it null, and null means absent
      : value;
  const json = (value: unknown) => JSON.stringify(value, plain).replaceAll("<", "\\u003c");
  const text = (url: URL) => Deno.readTextFileSync(fileURLToPath(url)).replaceAll("</script", "<\\/script");
  return `<div id="tip" role="status" hidden></div>
<script type="application/json" id="page-data">${json(data)}</script>
<script type="application/json" id="page-palette">${json(PALETTE)}</script>
<script type="text/plain" id="vega-runtime">${text(RUNTIME)}</script>
<script>${PROGRAM.map(text).join("\n")}</script>`;
}
