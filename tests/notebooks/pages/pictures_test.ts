import assert from "node:assert/strict";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { boxLegend, renderPicture } from "../../../notebooks/pages/pictures.ts";
import { pictureOf } from "../../../notebooks/pictures/picture.ts";
import { ShownImages } from "../../../notebooks/pictures/shown_images.ts";

const IDS = ["a", "b", "c"].map((letter) => `${letter.repeat(32)}-56x56.png`);
const images = () => new ShownImages((id) => id === IDS[1] ? { why: "gone" } : { href: "data:image/png;base64,AA" });
const pictured = (ids: readonly string[], answer: string, text: string, correct: boolean | null = false) =>
  pictureOf({ prompt: promptWithImages("x", ids), answer, text, correct }, "thousandths")!;
const BOX = "[[0, 0, 500, 500]]";

Deno.test("renderPicture() stands over a line that judges it by sign, word and colour", () => {
  const html = renderPicture(pictured(IDS.slice(0, 1), "7", "<b>1</b>"), images());
  assert.match(html, /<p><b class="wrong">✗ wrong<\/b> said “&lt;b&gt;1&lt;\/b&gt;”, answer “7”<\/p>/);
  assert.match(
    renderPicture(pictured(IDS.slice(0, 1), BOX, BOX, true), images()),
    /<b class="good">✓ right<\/b> IoU 1\.00</,
  );
  assert.match(renderPicture(pictured(IDS.slice(0, 1), BOX, BOX, null), images()), /<p>IoU 1\.00<\/p>/);
  assert(!html.includes("<td"), "a table counts its cells by that");
});

Deno.test("renderPicture() lays several images beside each other and says which are not shown", () => {
  const html = renderPicture(pictured(IDS, "7", "7"), images());
  assert.equal(html.match(/<svg /g)!.length, 3);
  assert.match(html, /<p class="note">1 of 3: gone<\/p>/);
  assert.match(renderPicture(pictured(IDS.slice(1, 2), "7", "7"), images()), /<p class="note">gone<\/p>/);
});

Deno.test("boxLegend() says what the lines mean where there are boxes", () => {
  assert.match(
    boxLegend([null, pictured(IDS, BOX, "none")]),
    /gold box.*stroke-dasharray.*IoU of the boxes · its confidence/,
  );
  assert.equal(boxLegend([null, pictured(IDS, "7", "7")]), "");
});
