import assert from "node:assert/strict";
import { sha256 } from "../../../data/digest.ts";
import { decodeImage } from "../../../data/images/decode.ts";
import { imagePatches } from "../../../data/images/patches.ts";
import { processorConfig } from "../../../data/images/processor_config.ts";
import { imageGoldens, noise, type PatchCase } from "./image_goldens.ts";

async function imageOf({ image }: PatchCase) {
  if (typeof image !== "string") {
    const [width, height] = image;
    return { width, height, format: "png" as const, rgb: noise(width, height) };
  }
  return await decodeImage(Deno.readFileSync(new URL(`../../goldens/torch/images/${image}`, import.meta.url)), image);
}

for (const one of imageGoldens().patches) {
  Deno.test(`imagePatches() gives transformers' pixel_values of ${one.image}, every bit`, async () => {
    const { grid, patches } = imagePatches(await imageOf(one), processorConfig(one.settings));
    assert.deepEqual([grid.t, grid.h, grid.w], one.grid);
    const [rows, columns] = one.shape;
    assert.equal(patches.length, rows! * columns!);
    for (const [row, column, value] of one.spots) assert.equal(patches[row * columns! + column], value);
    assert.equal(sha256(new Uint8Array(patches.buffer)), one.sha256);
  });
}
