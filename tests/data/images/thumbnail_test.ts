import assert from "node:assert/strict";
import { decodeImage } from "../../../data/images/decode.ts";
import { thumbnail } from "../../../data/images/thumbnail.ts";
import { goldenImage } from "./image_goldens.ts";

const opened = (uri: string) => decodeImage(Uint8Array.fromBase64(uri.split(",")[1]!), "thumbnail");

Deno.test("thumbnail() keeps a small image to the pixel and makes a large one smaller", async () => {
  const image = await decodeImage(goldenImage("turned_6.jpg"), "a");
  assert.deepEqual((await opened(await thumbnail(image, 24))).rgb, image.rgb);
  const { width, height } = await opened(await thumbnail(image, 8));
  assert.deepEqual([width, height], [6, 8]);
});
