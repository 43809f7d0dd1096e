import assert from "node:assert/strict";
import { encodingBytes } from "../../../../gpu/models/vision/encoder_graph.ts";
import { MemoryBudget } from "../../../../gpu/ort/memory_budget.ts";
import { madeImage } from "./made_images.ts";
import { goldenConfig, withVision } from "./vision_golden.ts";

const CONFIG = goldenConfig("qwen2_vl");

/** A budget that leaves so much to a pass, whatever the models hold. */
class Tight extends MemoryBudget {
  constructor(readonly left: number) {
    super(1e9);
  }
  override get free(): number {
    return this.left;
  }
}

Deno.test("encodingBytes() holds the scores of an image's patches among each other, by heads", () => {
  const of = (patches: number) => encodingBytes(CONFIG, patches);
  const scores = 4 * CONFIG.vision!.heads * 1024 ** 2;
  assert(of(1024) > scores && of(1024) < 6 * scores, `${of(1024)} for scores of ${scores}`);
  assert(of(2048) > 2.5 * of(1024), `${of(2048)} and ${of(1024)}`);
  assert.equal(encodingBytes({ ...CONFIG, vision: null }, 64), 0);
});

Deno.test("an image beyond the memory budget is refused with what it takes, before it is computed", () =>
  withVision("qwen2_vl", async (model) => {
    const needed = encodingBytes(CONFIG, 64), image = madeImage("large", 8, 8, CONFIG);
    model.runtime.budget = new Tight(needed - 1);
    await assert.rejects(() => model.images!.rows(image, "features"), {
      name: "RangeError",
      message:
        /^Cannot read an image of 64 patches within memory of 1000 MB: it takes 1 MB and the models leave 1 MB, want .*; lower max_pixels/,
    });
    model.runtime.budget = new Tight(needed);
    await model.images!.rows(image, "features");
    model.runtime.budget = null;
  }));
