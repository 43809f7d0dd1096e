import assert from "node:assert/strict";
import { toPng } from "../../notebooks/png.ts";

const svg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20">${inside}</svg>`;

Deno.test("toPng() draws at the scale that is asked for", async () => {
  const png = await toPng(svg(""), { scale: 2 });
  const view = new DataView(png.buffer);
  assert.deepEqual(Array.from(png.subarray(1, 4), (c) => String.fromCharCode(c)).join(""), "PNG");
  assert.deepEqual([view.getUint32(16), view.getUint32(20)], [120, 40]);
});

Deno.test("toPng() draws text: the font comes with the program", async () => {
  const text = await toPng(svg('<text x="2" y="14" font-size="12" font-family="sans-serif">reward</text>'));
  assert(text.length > 1.5 * (await toPng(svg(""))).length, "the picture with text is as small as the one without");
});
