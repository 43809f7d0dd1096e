import assert from "node:assert/strict";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { altText, BOX_LOOK, drawPicture, undrawnText } from "../../../notebooks/pictures/draw_picture.ts";
import { captionOf, pictureOf } from "../../../notebooks/pictures/picture.ts";
import { ShownImages } from "../../../notebooks/pictures/shown_images.ts";

const idOf = (width: number, height: number) => `${"b".repeat(32)}-${width}x${height}.png`;
const images = () => new ShownImages(() => ({ href: "data:image/png;base64,AA" }));
const list = (...boxes: readonly (readonly number[])[]) =>
  `<answer>[${boxes.map((box) => `{'Position': [${box.join(", ")}], 'Confidence': 0.85}`).join(", ")}]</answer>`;
const pictured = (id: string, answer: string, text: string) =>
  pictureOf({ prompt: promptWithImages("x", [id]), answer, text, correct: true }, "thousandths")!;
const drawn = (id: string, answer: string, text: string) => drawPicture(pictured(id, answer, text), images(), 224)[0]!;
const RECT = /<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)" stroke="(#\w+)"[^>]*>/g;

Deno.test("drawPicture() enlarges small images by a whole number and makes large ones smaller", () => {
  const sizes = [[56, 56, 224, 224], [100, 20, 200, 40], [448, 224, 224, 112], [1, 1, 224, 224], [9000, 1, 224, 1]];
  for (const [w, h, width, height] of sizes) {
    const drawing = drawn(idOf(w!, h!), "7", "7");
    assert.deepEqual([drawing.width, drawing.height], [width, height], `${w}x${h}`);
  }
});

Deno.test("drawPicture() draws gold boxes solid and said ones dashed where they are, with IoU and confidence", () => {
  const { svg } = drawn(idOf(56, 56), list([250, 250, 500, 500]), list([250, 250, 500, 500]));
  const of = (color: string) => [...svg.matchAll(RECT)].filter((rect) => rect[5] === color);
  for (const { color } of Object.values(BOX_LOOK)) {
    assert.deepEqual(of(color)[0]!.slice(1, 5), ["56", "56", "56", "56"], "a fourth to a half of 224");
  }
  assert.match(of(BOX_LOOK.said.color)[0]![0], /stroke-dasharray/);
  assert.doesNotMatch(of(BOX_LOOK.gold.color)[0]![0], /stroke-dasharray/);
  assert.match(svg, />IoU 1\.00 · conf\. 0\.85</);
  assert.match(svg, /<title>said box 1: IoU 1\.00, confidence 0\.85<\/title>/);
  assert.match(
    svg,
    /role="img" aria-label="Image of 56 × 56 pixels, 1 gold box, 1 said box; ✓ right; IoU 1\.00 · conf\. 0\.85"/,
  );
});

Deno.test("drawPicture() puts no label on an object, beside it where there is room and else in the caption alone", () => {
  const LABEL = /<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="3"/g;
  // A said box above a gold one that has no name: below it, where there is the most room, lies the object.
  const { svg } = drawn(idOf(56, 56), list([100, 300, 700, 700]), list([100, 20, 700, 290]));
  const [x, y, width, height] = [...svg.matchAll(LABEL)][0]!.slice(1).map(Number) as [number, number, number, number];
  const [left, top, right, bottom] = [22.4, 67.2, 156.8, 156.8];
  const hidden = Math.max(0, Math.min(x + width, right) - Math.max(x, left)) *
    Math.max(0, Math.min(y + height, bottom) - Math.max(y, top));
  assert.equal(hidden, 0, svg);
  // 40 × 40 pixels that the object fills: any label would cover much of it.
  const tight = list([0, 0, 1000, 1000]), picture = pictured(idOf(40, 40), tight, tight);
  const small = drawPicture(picture, images(), 40)[0]!.svg;
  assert.equal([...small.matchAll(LABEL)].length, 0, small);
  assert.equal(captionOf(picture).text, "IoU 1.00 · conf. 0.85");
});

Deno.test("drawPicture() keeps boxes within the image, whatever a completion says", () => {
  const wild = [[-1e9, -5, 1e12, 2000], [1e300, 1e300, 1e301, 1e301], [400, 400, 400, 400]];
  const { svg } = drawn(idOf(56, 56), list([0, 0, 1000, 1000]), list(...wild));
  assert.doesNotMatch(svg, /NaN|Infinity|e\+/);
  const rects = [...svg.matchAll(RECT)].map((rect) => rect.slice(1, 5).map(Number));
  assert.equal(rects.length, 8);
  for (const [x, y, width, height] of rects) {
    assert(x! >= 0 && y! >= 0 && x! + width! <= 226 && y! + height! <= 226, `${[x, y, width, height]}`);
  }
});

Deno.test("drawPicture() draws 24 boxes of 10^4 and says so", () => {
  const many = list(...Array.from({ length: 10_000 }, (_, i) => [i % 900, 0, i % 900 + 50, 50]));
  const picture = pictured(idOf(56, 56), list([0, 0, 50, 50]), many), { svg } = drawPicture(picture, images(), 224)[0]!;
  assert.equal(svg.match(/class="box"/g)!.length, 25);
  assert(svg.length < 30_000, String(svg.length));
  assert.equal(undrawnText(picture), `${picture.boxes!.said.length - 24} more boxes are not drawn`);
  assert.equal(undrawnText(pictured(idOf(9, 9), "7", "7")), "");
});

Deno.test("drawPicture() makes a name of a box harmless, and cuts it", () => {
  const name = `"><script>alert(1)</script>${"x".repeat(1e5)}`;
  const text = JSON.stringify([{ bbox_2d: [100, 100, 500, 500], label: name }]);
  const { svg } = drawn(idOf(560, 560), text, text);
  assert(!svg.includes("<script") && svg.includes("&lt;script&gt;"));
  assert(svg.length < 5000);
});

Deno.test("drawPicture() draws each of several images, boxes in the first", () => {
  const ids = ["0", "1", "2"].map((c) => `${c.repeat(32)}-56x56.png`), prompt = promptWithImages("x", ids);
  const picture = pictureOf({ prompt, answer: list([0, 0, 9, 9]), text: "no" }, "thousandths")!;
  const drawings = drawPicture(picture, images(), 112);
  assert.deepEqual(drawings.map(({ svg }) => svg.includes('class="box"')), [true, false, false]);
  assert.match(altText(picture), /^3 images, 1 gold box, no said boxes; no boxes said: /);
});
