import assert from "node:assert/strict";
import { imagesOf, imageTokens, promptIds, uniqueImages } from "../../../../gpu/models/vision/image_input.ts";

const image = (id: string, h: number, w: number) => ({
  id,
  grid: { h, w },
  patches: () => Promise.resolve(new Float32Array()),
});

Deno.test("promptIds() is the row itself, with its images; a plain row has none", () => {
  const ids = Int32Array.of(1, 2, 3), a = image("a", 2, 2);
  assert.equal(promptIds(ids, [a]), ids);
  assert.deepEqual(imagesOf(ids), [a]);
  const plain = promptIds(Int32Array.of(1), []);
  assert(!Object.hasOwn(plain, "images"));
  assert.deepEqual([imagesOf(plain), imagesOf([1, 2])], [[], []]);
});

Deno.test("uniqueImages() has each id once, in the order of first sight", () => {
  const [a, b, again] = [image("a", 2, 2), image("b", 4, 2), image("a", 2, 2)];
  const rows = [promptIds(Int32Array.of(1), [b, a]), [1], promptIds(Int32Array.of(1), [again, b])];
  assert.deepEqual(uniqueImages(rows).map(({ id }) => id), ["b", "a"]);
});

Deno.test("imageTokens() is one per square of merged patches", () => {
  assert.equal(imageTokens(image("a", 4, 6), 2), 6);
  assert.equal(imageTokens(image("a", 6, 3), 3), 2);
});
