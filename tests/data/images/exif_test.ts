import assert from "node:assert/strict";
import { orientationIn, upright } from "../../../data/images/exif.ts";

/** A TIFF header with one entry. */
function exif(value: number, { isLittle = true, tag = 0x0112, at = 8, named = false } = {}): Uint8Array {
  const bytes = new Uint8Array(at + 14), view = new DataView(bytes.buffer);
  view.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  view.setUint16(2, 42, isLittle);
  view.setUint32(4, at, isLittle);
  view.setUint16(at, 1, isLittle);
  view.setUint16(at + 2, tag, isLittle);
  view.setUint16(at + 4, 3, isLittle);
  view.setUint32(at + 6, 1, isLittle);
  view.setUint16(at + 10, value, isLittle);
  return named ? new Uint8Array([...new TextEncoder().encode("Exif\0\0"), ...bytes]) : bytes;
}

Deno.test("orientationIn() reads both byte orders, with and without the name before them", () => {
  for (const isLittle of [true, false]) {
    for (const named of [true, false]) assert.equal(orientationIn(exif(6, { isLittle, named })), 6);
  }
});

Deno.test("orientationIn() is 1 where nothing is said, nothing sane, or nothing that can be read", () => {
  const broken = exif(6);
  new DataView(broken.buffer).setUint32(4, 4e9, true);
  const longer = exif(6, { tag: 0x0100 });
  new DataView(longer.buffer).setUint16(8, 65535, true); // more entries than there are bytes
  for (
    const bytes of [
      exif(0),
      exif(9),
      exif(6, { tag: 0x0100 }),
      broken,
      longer,
      exif(6).subarray(0, 5),
      new Uint8Array(),
    ]
  ) {
    assert.equal(orientationIn(bytes), 1);
  }
});

Deno.test("upright() turns a letter F as each orientation says", () => {
  // EXIF 2.32: the 0th row and column of the file are, of what is seen, 1 top left, 2 top right, 3 bottom right,
  // 4 bottom left, 5 left top, 6 right top, 7 right bottom, 8 left bottom.
  const letter = ["ab", "cd", "ef"]; // 2 × 3 as stored
  const want: Record<number, string[]> = {
    1: ["ab", "cd", "ef"],
    2: ["ba", "dc", "fe"],
    3: ["fe", "dc", "ba"],
    4: ["ef", "cd", "ab"],
    5: ["ace", "bdf"],
    6: ["eca", "fdb"],
    7: ["fdb", "eca"],
    8: ["bdf", "ace"],
  };
  const rgb = Uint8Array.from(letter.join(""), (one) => one.charCodeAt(0));
  const tripled = Uint8Array.from({ length: 18 }, (_, i) => rgb[Math.floor(i / 3)]!);
  for (const [orientation, rows] of Object.entries(want)) {
    const turned = upright(tripled, 2, 3, Number(orientation));
    const text = Array.from({ length: 6 }, (_, i) => String.fromCharCode(turned[i * 3]!)).join("");
    // 6 and 8 turn, 5 and 7 also mirror; each named row by row.
    assert.equal(text, rows.join(""), orientation);
  }
});
