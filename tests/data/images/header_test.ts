import assert from "node:assert/strict";
import { imageHeader } from "../../../data/images/header.ts";
import { goldenImage, imageGoldens } from "./image_goldens.ts";

const refused = (bytes: Uint8Array) => {
  try {
    imageHeader(bytes);
  } catch (error) {
    assert(error instanceof RangeError);
    return error.message;
  }
  return "not refused";
};
const text = (content: string) => new TextEncoder().encode(content);

Deno.test("imageHeader() gives the size that Pillow has after turning, for every kind of file", () => {
  for (const [name, { width, height }] of Object.entries(imageGoldens().decoded)) {
    const header = imageHeader(goldenImage(name));
    assert.deepEqual([header.width, header.height, header.format], [width, height, name.split(".")[1]], name);
  }
});

Deno.test("imageHeader() names what is no still PNG, JPEG or WebP", () => {
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(), /^it is empty, want PNG, JPEG or WebP$/],
    [goldenImage("moving.gif"), /^it is a GIF, which may move, want/],
    [goldenImage("moving.png"), /^it is an animated PNG, want a still image; write the frame/],
    [goldenImage("moving.webp"), /^it is an animated WebP, want a still image/],
    [goldenImage("image.bmp"), /^it is a BMP/],
    [goldenImage("image.tiff"), /^it is a TIFF/],
    [text('<svg xmlns="http://www.w3.org/2000/svg"/>'), /^it is SVG, a drawing/],
    [text('\ufeff<?xml version="1.0"?><svg/>'), /^it is SVG/],
    [text("<!DOCTYPE html><html>404</html>"), /^it is HTML, perhaps the page of an error/],
    [text("version https://git-lfs.github.com/spec/v1\noid sha256:0"), /^it is a Git LFS pointer/],
    [text("a cat\n"), /^it is a text, want PNG, JPEG or WebP$/],
    [text("%PDF-1.7"), /^it is a PDF/],
    [Uint8Array.of(0, 0, 0, 24, ...text("ftypheic")), /^it is HEIF or AVIF/],
    [Uint8Array.of(1, 2, 3, 0), /^it is of no known format/],
    // A drawing behind the first bytes of WebP.
    [text("RIFF1234WEBP<svg onload='x'>                    "), /^its first part is none of WebP's, want a WebP file/],
  ];
  for (const [bytes, want] of cases) assert.match(refused(bytes), want);
});

Deno.test("imageHeader() reads every beginning of a file, or says that it ends there", () => {
  for (const name of ["rgb.png", "turned_6.jpg", "turned_6.webp", "lossy.webp", "lossless.webp"]) {
    const bytes = goldenImage(name);
    for (let length = 1; length < bytes.length; length++) {
      const said = refused(bytes.subarray(0, length));
      assert.match(
        said,
        /^not refused$|^it ends within its header|^it is of no known format|^it is a text|^its first part/,
      );
    }
  }
});

Deno.test("imageHeader() refuses a size of nothing and samples of 12 bits", () => {
  const png = goldenImage("rgb.png").slice(), jpg = goldenImage("rgb.jpg").slice();
  new DataView(png.buffer).setUint32(16, 0);
  assert.match(refused(png), /^it says it is 0 × 5 pixels, want one at least/);
  const frame = jpg.findIndex((byte, i) => byte === 0xff && jpg[i + 1] === 0xc0);
  jpg[frame + 4] = 12;
  assert.match(refused(jpg), /^it has 12 bits a sample, want JPEG of 8/);
});
