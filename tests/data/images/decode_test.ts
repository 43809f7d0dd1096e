import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import { decodeImage, decodingProblem, readImageHeader } from "../../../data/images/decode.ts";
import { imageId, isImageId, MOST_SIDE } from "../../../data/images/image_id.ts";
import { goldenImage, imageGoldens } from "./image_goldens.ts";

const text = (content: string) => new TextEncoder().encode(content);
const refused = (bytes: Uint8Array, limits?: Parameters<typeof decodeImage>[2]) =>
  decodeImage(bytes, "cats/1.png of row 3", limits).then(() => "not refused", (error) => {
    assert(error instanceof RangeError);
    return error.message;
  });

/** A PNG that says it has such a size, with `rows` of grey. */
function png(width: number, height: number, rows = height): Uint8Array {
  const chunk = (name: string, data: Uint8Array) => {
    const body = Buffer.concat([text(name), data]), ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return [ends.subarray(0, 4), body, ends.subarray(4)];
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return new Uint8Array(Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    ...chunk("IHDR", header),
    ...chunk("IDAT", deflateSync(new Uint8Array((width + 1) * rows))),
    ...chunk("IEND", new Uint8Array()),
  ]));
}

for (const [name, { width, height, rgb }] of Object.entries(imageGoldens().decoded)) {
  Deno.test(`decodeImage() gives Pillow's pixels of ${name}`, async () => {
    const image = await decodeImage(goldenImage(name), name);
    assert.deepEqual([image.width, image.height, image.format], [width, height, name.split(".")[1]]);
    assert.deepEqual(image.rgb, new Uint8Array(Buffer.from(rgb, "base64")));
  });
}

Deno.test("decodeImage() refuses a file that is cut off, wherever that is", async () => {
  for (const name of ["rgb.png", "rgb.jpg", "progressive_420.jpg", "lossy.webp", "lossless.webp", "alpha.webp"]) {
    const bytes = goldenImage(name), [header] = [name.endsWith("png") ? 33 : 30];
    for (const part of [0.2, 0.5, 0.8, 0.95]) {
      const length = Math.floor(header + (bytes.length - header - 12) * part);
      const said = await refused(bytes.subarray(0, length));
      assert.match(
        said,
        /^Cannot read image cats\/1\.png of row 3: it(?:s content is broken \(.+\)| ends within)/,
        `${name} ${part}`,
      );
      assert.doesNotMatch(said, /\n| {4}at /);
    }
  }
});

Deno.test("decodeImage() tells a pixel bomb by its header, before it is decoded", async () => {
  const before = performance.now();
  assert.equal(
    await refused(png(50_000, 50_000, 1)),
    "Cannot read image cats/1.png of row 3: it is 50000 × 50000 pixels, want 50000000 at most; make it smaller",
  );
  assert.match(
    await refused(goldenImage("rgb.png"), { mostBytes: 1e6, mostPixels: 34 }),
    /it is 7 × 5 pixels, want 34 at/,
  );
  assert.equal(await refused(goldenImage("rgb.png"), { mostBytes: 1e6, mostPixels: 35 }), "not refused");
  assert.match(await refused(png(4, 4), { mostBytes: 50, mostPixels: 1e6 }), /it has \d+ bytes, want 50 at most/);
  assert(performance.now() - before < 1000);
});

Deno.test("readImageHeader() refuses a side that no id can say, and takes the longest that one can", () => {
  for (const [width, height] of [[1_000_000, 1], [1, 1_000_000]] as const) {
    assert.throws(() => readImageHeader(png(width, height, 1), "a.png"), {
      name: "RangeError",
      message:
        `Cannot read image a.png: it is ${width} × ${height} pixels, want sides of 999999 at most; make it smaller`,
    });
  }
  const bytes = png(MOST_SIDE, 1);
  assert(isImageId(imageId(bytes, readImageHeader(bytes, "a.png"))));
});

Deno.test("decodeImage() refuses a PNG with fewer rows than it says", async () => {
  assert.match(await refused(png(40, 400, 3)), /its content is broken \(/);
});

Deno.test("decodeImage() refuses a JPEG of very many scans, before they are decoded", async () => {
  const bytes = goldenImage("progressive_420.jpg"), ends = bytes.length - 2;
  const scan = bytes.subarray(Buffer.from(bytes).lastIndexOf(Uint8Array.of(0xff, 0xda)), ends);
  const repeated = (times: number) =>
    Uint8Array.from([...bytes.subarray(0, ends), ...Array.from({ length: times }, () => [...scan]).flat(), 0xff, 0xd9]);
  const want =
    "Cannot read image cats/1.png of row 3: it has more than 100 scans, want a JPEG file of fewer; write it anew";
  assert.equal(await refused(repeated(100)), want);
  assert.equal(await refused(repeated(0)), "not refused");
  assert.match(await refused(repeated(80)), /its content is broken \(/); // fewer, of the same part
});

Deno.test("decodingProblem() does not call an image broken that only took too long", () => {
  assert.match(
    decodingProblem(new Error("timeout: 24% complete")),
    /^decoding it took too long, more than 600 s, want/,
  );
  assert.match(
    decodingProblem(new Error("VipsJpeg: bad\nat x")),
    /^its content is broken \(VipsJpeg: bad\), want a file/,
  );
});

Deno.test("decodeImage() hands no drawing, text or page to any renderer", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>';
  assert.match(await refused(text(svg)), /: it is SVG, a drawing that a renderer would have to run, want PNG/);
  assert.match(await refused(text(`RIFF${"\0".repeat(4)}WEBP${svg}`)), /: its first part is none of WebP's/);
  assert.match(await refused(new Uint8Array()), /: it is empty, want PNG/);
  assert.match(await refused(goldenImage("moving.webp")), /: it is an animated WebP/);
});

Deno.test("decodeImage() does not fall for bytes that are changed at random: pixels, or a named error", async () => {
  let state = 7;
  const below = (bound: number) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % bound;
  for (
    const name of ["rgb.png", "palette.png", "cmyk.jpg", "progressive_420.jpg", "alpha_lossy.webp", "turned_6.webp"]
  ) {
    for (let times = 0; times < 12; times++) {
      const bytes = goldenImage(name).slice();
      for (let i = 0; i < 3; i++) bytes[below(bytes.length)] = below(256);
      const said = await refused(bytes);
      assert.match(said, /^not refused$|^Cannot read image cats\/1\.png of row 3: /);
    }
  }
});

Deno.test("readImageHeader() decodes nothing: a broken image has its size", () => {
  const { width, height, format, orientation } = readImageHeader(goldenImage("turned_6.jpg").subarray(0, 300), "a");
  assert.deepEqual([width, height, format, orientation], [18, 24, "jpg", 6]);
});

Deno.test("decodeImage() leaves no other decoder of its library open, whatever a file begins with", async () => {
  await decodeImage(goldenImage("rgb.png"), "a");
  const { default: sharp } = await import("sharp");
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
  for (const bytes of [text(svg), goldenImage("moving.gif"), goldenImage("image.tiff")]) {
    await assert.rejects(sharp(bytes).raw().toBuffer(), /unsupported image format|not enabled|blocked/);
  }
});
