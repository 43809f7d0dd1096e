/** A chart that has been given its rows: shown in a notebook cell, or taken as specification, SVG or PNG. @module */
import type { Spec } from "./charts/chart.ts";
import { PAPER, type Theme } from "./charts/palette.ts";
import { type Bundle, JUPYTER_DISPLAY, show } from "./display.ts";
import { toSvg } from "./draw.ts";
import { toPng } from "./png.ts";

/** JupyterLab and VS Code register Vega-Lite 5 and not 6; what charts use is the same in both. */
const SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json";

export class ChartView {
  /** Complete: schema, configuration, title, rows. */
  readonly spec: Spec;

  constructor(readonly title: string, spec: Spec, readonly theme: Theme = "light") {
    this.spec = { ...spec, title }; // a cell has no heading of its own, as a page has
  }

  /** What the chart shows and what a healthy run looks like. */
  get about(): string {
    return String(this.spec["description"] ?? "");
  }

  svg(): Promise<string> {
    return toSvg(this.spec);
  }

  /** `scale` is pixels per unit of the drawing. */
  async png(scale = 1.5): Promise<Uint8Array<ArrayBuffer>> {
    return toPng(await toSvg(this.spec), { scale, paper: PAPER[this.theme] });
  }

  /**
   * The viewers' bundle: the live chart for JupyterLab and VS Code, a picture for GitHub and what prints, text for the rest;
   * no text/html, which would win over the chart. Without `png` the picture, which takes most of the time, is left out.
   */
  async bundle({ png = true } = {}): Promise<Bundle> {
    return {
      "application/vnd.vegalite.v5+json": { ...this.spec, $schema: SCHEMA, background: PAPER[this.theme] },
      ...png ? { "image/png": (await this.png()).toBase64() } : {},
      "text/plain": `[${this.title}] ${this.about}`,
    };
  }

  /** Shows the chart in this cell. A cell that ends with the chart itself does so too. */
  show(): Promise<void> {
    return show(this);
  }

  [JUPYTER_DISPLAY](): Promise<Bundle> {
    return this.bundle();
  }
}
