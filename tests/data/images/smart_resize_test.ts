import assert from "node:assert/strict";
import { gridOf, smartResize } from "../../../data/images/smart_resize.ts";
import { processorConfig } from "../../../data/images/processor_config.ts";
import { imageGoldens } from "./image_goldens.ts";

Deno.test("smartResize() gives transformers' size, and refuses what it refuses", () => {
  for (const [width, height, least, most, toWidth, toHeight] of imageGoldens().smart_resize) {
    const processor = processorConfig({ min_pixels: least, max_pixels: most }),
      size = { width: width!, height: height! };
    if (toWidth === null) {
      assert.throws(
        () => smartResize(size, processor),
        /Cannot resize an image of .* one side is 20\d times the other/,
      );
    } else {
      assert.deepEqual(smartResize(size, processor), { width: toWidth, height: toHeight }, `${width} × ${height}`);
      assert.deepEqual(gridOf(size, processor), { t: 1, h: toHeight! / 14, w: toWidth! / 14 });
    }
  }
});
