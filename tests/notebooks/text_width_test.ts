import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import { itemWidth, textWidth } from "../../notebooks/text_width.ts";

const FONT = fileURLToPath(new URL("../../notebooks/fonts/DejaVuSans.ttf", import.meta.url));

/** Width as a picture has it: where a bar after the text lies, less where it lies without one. */
function drawnWidth(text: string): number {
  const end = (shown: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="40"><text y="20" xml:space="preserve" ` +
      `font-size="20" font-family="DejaVu Sans">${shown}|</text></svg>`;
    const box = new Resvg(svg, { font: { fontFiles: [FONT], loadSystemFonts: false } }).getBBox()!;
    return box.x + box.width;
  };
  return end(text) - end("");
}

Deno.test("textWidth() is the width that the picture's font has", () => {
  for (const text of ["flat_reward_no_learning", "nats per token", "0.0001", "MWiljt@%", "norm, log(1 + norm) scale"]) {
    const want = drawnWidth(text), got = textWidth(text, 20);
    assert(Math.abs(got - want) < 0.02 * want, `${text}: ${got}, drawn ${want}`);
  }
  assert.equal(textWidth("", 11), 0);
  assert.equal(textWidth("東", 10), 9);
});

Deno.test("itemWidth() is no wider than the text is cut to, wider in bold, and 0 of nothing", () => {
  assert.equal(itemWidth({ fontSize: 10 }, "aa"), 12.2);
  assert.equal(itemWidth({ fontSize: 10, limit: 7 }, "aa"), 7);
  assert.equal(itemWidth({ fontSize: 10, limit: 0 }, " aa "), 12.2);
  assert(itemWidth({ fontWeight: 600 }, "aa") > itemWidth({ fontWeight: 400 }, "aa"));
  assert.equal(itemWidth({}, null), 0);
});
