import assert from "node:assert/strict";
import { inflateSync } from "node:zlib";
import { encodeGreyPng } from "../../../data/images/png.ts";

/** CRC-32 bit by bit (PNG specification, annex D). */
function crc(bytes: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of bytes) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  }
  return ~rest >>> 0;
}

/** Name and content of each chunk, checksums compared. */
function chunks(file: Uint8Array): [string, Uint8Array][] {
  const view = new DataView(file.buffer), found: [string, Uint8Array][] = [];
  for (let at = 8; at < file.length;) {
    const length = view.getUint32(at), end = at + 8 + length;
    assert.equal(view.getUint32(end), crc(file.subarray(at + 4, end)));
    found.push([new TextDecoder().decode(file.subarray(at + 4, at + 8)), file.subarray(at + 8, end)]);
    at = end + 4;
  }
  return found;
}

Deno.test("encodeGreyPng() writes header, rows and end as the PNG specification has them, the same bytes each time", () => {
  const values = Uint8Array.from({ length: 3 * 2 }, (_, i) => i * 50), image = { width: 3, height: 2, values };
  const file = encodeGreyPng(image),
    [[first, header], [second, data], [third, rest]] = chunks(file) as [
      [string, Uint8Array],
      [string, Uint8Array],
      [string, Uint8Array],
    ];
  assert.deepEqual([...file.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  assert.deepEqual([first, second, third, rest.length], ["IHDR", "IDAT", "IEND", 0]);
  assert.deepEqual([...header], [0, 0, 0, 3, 0, 0, 0, 2, 8, 0, 0, 0, 0]);
  assert.deepEqual([...inflateSync(data)], [0, 0, 50, 100, 0, 150, 200, 250]);
  assert.deepEqual(encodeGreyPng(image), file);
});

Deno.test("encodeGreyPng() refuses other numbers of values than pixels, and pictures without any", () => {
  const refused = (width: number, height: number, values: number) =>
    assert.throws(
      () => encodeGreyPng({ width, height, values: new Uint8Array(values) }),
      /^RangeError: Cannot write a PNG of .* pixels: it has \d+ values, want one per pixel and at least one pixel$/,
    );
  refused(3, 2, 5);
  refused(0, 2, 0);
  refused(1.5, 2, 3);
  refused(-1, -2, 2);
});
