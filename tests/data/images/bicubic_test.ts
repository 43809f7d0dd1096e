import assert from "node:assert/strict";
import { sha256 } from "../../../data/digest.ts";
import { bicubic } from "../../../data/images/bicubic.ts";
import { imageGoldens, noise } from "./image_goldens.ts";

for (const { size: [width, height], to: [toWidth, toHeight], sha256: want, first } of imageGoldens().resized) {
  Deno.test(`bicubic() gives Pillow's bytes from ${width} × ${height} to ${toWidth} × ${toHeight}`, () => {
    const resized = bicubic(noise(width, height), width, height, toWidth, toHeight);
    assert.deepEqual([...resized.subarray(0, 12)], first);
    assert.equal(resized.length, toWidth * toHeight * 3);
    assert.equal(sha256(resized), want);
  });
}
