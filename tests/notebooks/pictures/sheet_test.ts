import assert from "node:assert/strict";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { PAPER, TEXT } from "../../../notebooks/charts/palette.ts";
import { pictureOf } from "../../../notebooks/pictures/picture.ts";
import { pictureSheet } from "../../../notebooks/pictures/sheet.ts";
import { ShownImages } from "../../../notebooks/pictures/shown_images.ts";

const ID = `${"e".repeat(32)}-56x56.png`, PHOTO = `${"f".repeat(32)}-640x480.png`;
const cell = (title: string, id = ID, correct = true) => ({
  title,
  picture: pictureOf({ prompt: promptWithImages("x", [id]), answer: "7", text: "1 <b>", correct }, "thousandths")!,
});
const images = () => new ShownImages(() => ({ href: "data:image/png;base64,AA" }));
/** Where the cells of a sheet stand: their titles come first. */
const places = (svg: string) =>
  [...svg.matchAll(/translate\((\d+),(\d+)\)"><text/g)].map(([, x, y]) => [Number(x), Number(y)] as const);

Deno.test("pictureSheet() lays pictures into rows, none on another, and has each image once", () => {
  const svg = pictureSheet(["a", "b", "c", "d", "e"].map((title) => cell(title)), images()), at = places(svg);
  assert.equal(new Set(at.map(([, y]) => y)).size, 2);
  for (const [i, [x]] of at.slice(1, 4).entries()) assert(x - at[i]![0] > 224);
  assert(at[4]![1] - at[0]![1] > 224 + 2 * 16);
  assert(Number(/^<svg [^>]*width="(\d+)"/.exec(svg)![1]) <= 1000);
  assert.equal(svg.match(/data:image/g)!.length, 1);
  assert.equal(svg.match(/said “1 &lt;b&gt;”/g)!.length, 10, "in the label of each and under it");
});

Deno.test("pictureSheet() keeps pairs in one row, also of photographs, and has the colours of a theme", () => {
  const pairs = ["a", "b", "c", "d"].map((title) => cell(title, PHOTO, false));
  const rows = places(pictureSheet(pairs, images(), { paired: true, theme: "dark" })).map(([, y]) => y);
  assert.deepEqual([rows[0], rows[2]], [rows[1], rows[3]]);
  assert.notEqual(rows[0], rows[2]);
  const dark = pictureSheet(pairs, images(), { theme: "dark" }), light = pictureSheet(pairs, images());
  assert(dark.includes(PAPER.dark) && dark.includes(TEXT.dark.wrong) && !dark.includes(TEXT.light.wrong));
  assert(light.includes(PAPER.light) && light.includes(TEXT.light.wrong));
});

Deno.test("pictureSheet() cuts long titles and says why an image is not shown", () => {
  const svg = pictureSheet([cell(`<i>${"W".repeat(1e5)}`)], new ShownImages(() => ({ why: "it is too large" })));
  assert(svg.length < 4000 && svg.includes("&lt;i&gt;W") && svg.includes(">it is too large</text>"));
});
