import assert from "node:assert/strict";
import { imageId, isImageId, isOf, sizeOfId } from "../../../data/images/image_id.ts";

Deno.test("imageId() names the content, the size and the format, and sizeOfId() reads the size again", () => {
  const id = imageId(new TextEncoder().encode("abc"), { width: 640, height: 48, format: "png" });
  // FIPS 180-2, B.1: SHA-256 of "abc".
  assert.equal(id, "ba7816bf8f01cfea414140de5dae2223-640x48.png");
  assert.deepEqual(sizeOfId(id), { width: 640, height: 48 });
  assert(isImageId(id));
});

Deno.test("sizeOfId() refuses what is no id, also a path that only looks like one", () => {
  const digits = "ba7816bf8f01cfea414140de5dae2223";
  for (
    const text of [
      "",
      "cat.png",
      `${digits}-0x4.png`,
      `${digits}-4x4.gif`,
      `../${digits}-4x4.png`,
      `${digits}-4x4.png/..`,
      `${digits.toUpperCase()}-4x4.png`,
      `${digits}-4x4.png\n`,
      `${digits}-4x1234567.png`,
    ]
  ) {
    assert(!isImageId(text), text);
    assert.throws(() => sizeOfId(text), /Cannot read the size of image .* it is no image id, want 32/);
  }
});

Deno.test("isOf() tells whether an id names bytes, by their content alone", () => {
  const bytes = Uint8Array.of(1, 2, 3), id = imageId(bytes, { width: 4, height: 5, format: "png" });
  assert(isOf(id, bytes) && !isOf(id, Uint8Array.of(1, 2, 2)) && !isOf(id, new Uint8Array()));
  assert(!isOf("", bytes));
});
