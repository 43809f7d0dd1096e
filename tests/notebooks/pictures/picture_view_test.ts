import assert from "node:assert/strict";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { JUPYTER_DISPLAY } from "../../../notebooks/display.ts";
import { pictureOf } from "../../../notebooks/pictures/picture.ts";
import { PictureView } from "../../../notebooks/pictures/picture_view.ts";
import { said, scene } from "../../workflows/run/visual_run.ts";

const { id, png, boxes } = scene(3);
const row = { prompt: promptWithImages("Find all 3s.", [id]), answer: said(boxes), text: said(boxes), correct: true };
const cells = [{ title: "Find all 3s.", picture: pictureOf(row, "thousandths")! }];
const view = (bytes: Uint8Array) =>
  new PictureView("A title", cells, () => ({ href: `data:image/png;base64,${bytes.toBase64()}` }));

Deno.test("PictureView shows itself as PNG with the picture in words, and the image is in it", async () => {
  const bundle = await view(png)[JUPYTER_DISPLAY]();
  assert.deepEqual(Object.keys(bundle), ["image/png", "text/plain"]);
  assert.match(String(bundle["text/plain"]), /^\[A title\]\n {2}Find all 3s\.: Image of 56 × 56 pixels, .*IoU 1\.00/);
  assert.deepEqual([...Uint8Array.fromBase64(String(bundle["image/png"])).subarray(1, 4)], [80, 78, 71]);
  assert.notDeepEqual(await view(png).png(1), await view(scene(4).png).png(1), "another image is another picture");
  assert.match(view(png).svg(), /<symbol .*<use href/);
});
