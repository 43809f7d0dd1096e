import assert from "node:assert/strict";
import { isImageBytes, shownBytes } from "../../../data/preview/shown_bytes.ts";
import { goldenImage } from "../images/image_goldens.ts";

Deno.test("isImageBytes() knows the three formats by their beginning", () => {
  for (const name of ["rgb.png", "rgb.jpg"]) assert(isImageBytes(goldenImage(name)), name);
  assert(isImageBytes(new TextEncoder().encode("RIFF....WEBPVP8 ")));
  for (const bytes of [new Uint8Array(), new Uint8Array([1, 2, 3]), goldenImage("moving.gif")]) {
    assert(!isImageBytes(bytes));
  }
});

Deno.test("shownBytes() writes bytes as what they are, also within lists and objects", () => {
  const bytes = goldenImage("rgb.png"), is = `image, ${bytes.length} B`;
  assert.equal(
    JSON.stringify([{ bytes, path: "a.png" }, new Uint8Array(2100), "b"], shownBytes),
    JSON.stringify([
      { bytes: is, path: "a.png" },
      "bytes, 2.1 kB",
      "b",
    ]),
  );
});
