import assert from "node:assert/strict";
import { contactSheet } from "../../../workflows/cli/contact_sheet.ts";
import type { Survey } from "../../../data/preview/survey.ts";
import { goldenImage } from "../../data/images/image_goldens.ts";

const spread = { least: 7, median: 7, p95: 7, most: 7 };
const FOUND = {
  rows: 1,
  images: { columns: ["image"], images: 1, rows: 1, unreadable: 0, width: spread, height: spread },
} as unknown as Survey;
const picture = (bytes: Uint8Array, answer: string) => ({
  place: "row 1",
  prompt: "Which?",
  answer,
  images: [{ bytes, name: "a.png" }],
});

Deno.test("contactSheet() draws no box of which nobody said the unit, and says so", async () => {
  const page = await contactSheet("cats", FOUND, [picture(goldenImage("rgb.png"), "(0,0),(500,500)")]);
  assert.doesNotMatch(page, /<rect/);
  assert.match(page, /Boxes are not drawn: --box-unit says/);
  const drawn = await contactSheet("cats", FOUND, [picture(goldenImage("rgb.png"), "(0,0),(500,500)")], "thousandths");
  assert.match(drawn, /<rect class="box" x="0" y="0" width="3.5" height="2.5"\/>/);
  assert.doesNotMatch(drawn, /not drawn/);
});

Deno.test("contactSheet() shows what is wrong with an image that cannot be opened", async () => {
  const page = await contactSheet("cats", FOUND, [picture(goldenImage("rgb.jpg").subarray(0, 690), "a")], "pixels");
  assert.match(page, /<p>Cannot read image a\.png: its content is broken/);
  assert.match(page, /status failed">1 bad</);
  assert.match(page, /<dt>cannot be read<\/dt><dd>1</);
});

Deno.test("contactSheet() says of images that it does not show that only their headers were read", async () => {
  const shown = [picture(goldenImage("rgb.png"), "a")];
  const all = await contactSheet("cats", FOUND, shown);
  assert.match(all, /status ok">readable</);
  assert.doesNotMatch(all, /headers/);
  const more = { ...FOUND, images: { ...FOUND.images!, images: 9 } };
  const some = await contactSheet("cats", more, shown);
  assert.match(some, /status ok">headers readable</);
  assert.match(some, /<dt>only headers read<\/dt><dd>8</);
});
