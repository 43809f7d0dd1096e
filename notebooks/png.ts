/** An SVG picture as PNG, for viewers that show no SVG: GitHub's page of a notebook, a chat, an e-mail. @module */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The one font that is there on every machine: without one, no text would be drawn. */
const FONT = {
  file: join(fileURLToPath(new URL(".", import.meta.url)), "fonts", "DejaVuSans.ttf"),
  name: "DejaVu Sans",
};

/** `paper` lies behind the picture: a chart is transparent, and dark text on a dark page is none. */
export async function toPng(svg: string, { scale = 1.5, paper = "#ffffff" } = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { Resvg } = await import("@resvg/resvg-js"); // native: loaded where a picture is wanted
  const picture = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    background: paper,
    font: { fontFiles: [FONT.file], loadSystemFonts: false, defaultFontFamily: FONT.name, sansSerifFamily: FONT.name },
  });
  return new Uint8Array(picture.render().asPng());
}
