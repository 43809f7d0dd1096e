import assert from "node:assert/strict";
import { join } from "node:path";
import { decodeImage } from "../../../data/images/decode.ts";
import { ImageStore } from "../../../data/images/image_store.ts";
import { imagePatches } from "../../../data/images/patches.ts";
import { encodeGreyPng } from "../../../data/images/png.ts";
import { promptWithImages } from "../../../data/images/prompt_images.ts";
import { type ModelConfig, modelConfig } from "../../../gpu/models/config.ts";
import { processorOf, PromptImages } from "../../../steps/resources/prompt_images.ts";

const FOLDER = new URL("../../models/qwen2_vl/", import.meta.url);
const text = Deno.readTextFileSync(new URL("preprocessor_config.json", FOLDER));
const config: ModelConfig = modelConfig(JSON.parse(Deno.readTextFileSync(new URL("config.json", FOLDER))));
const json = (change: Record<string, unknown>) => JSON.stringify({ ...JSON.parse(text), ...change });
const grey = (width: number, height: number) =>
  encodeGreyPng({ width, height, values: Uint8Array.from({ length: width * height }, (_, i) => (7 * i) % 256) });

/** Ids of images of these sizes, in a store, with what reads them. */
async function withImages(
  sizes: readonly (readonly [number, number])[],
  body: (images: PromptImages, ids: readonly string[]) => void | Promise<void>,
): Promise<void> {
  const folder = Deno.makeTempDirSync();
  try {
    const store = new ImageStore(join(folder, "images"));
    const ids = [];
    for (const [width, height] of sizes) ids.push(await store.put(grey(width, height), "test"));
    await body(new PromptImages(store, processorOf(config, text)!), ids);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("processorOf() reads the folder's bounds, in older keys and newer, and the step's before both", () => {
  const bounds = (read: ReturnType<typeof processorOf>) => [read!.minPixels, read!.maxPixels];
  assert.deepEqual(bounds(processorOf(config, text)), [3136, 12544]);
  assert.deepEqual(bounds(processorOf(config, text, { max_pixels: 6272 })), [3136, 6272]);
  assert.deepEqual(bounds(processorOf(config, text, { min_pixels: 784, max_pixels: 784 })), [784, 784]);
  const older = json({ size: undefined, min_pixels: 784 });
  assert.deepEqual(bounds(processorOf(config, older)), [784, 12544]);
  const newer = json({ min_pixels: undefined, max_pixels: undefined });
  assert.deepEqual(bounds(processorOf(config, newer, { min_pixels: 1568 })), [1568, 12544]);
  assert.deepEqual(bounds(processorOf(config, newer, { max_pixels: 3136 })), [3136, 3136]);
  const refused = [
    [{ min_pixels: 5000, max_pixels: 3136 }, /: min_pixels is 5000 and max_pixels 3136, want .*; swap them$/],
    [{ min_pixels: 12545 }, /: min_pixels is 12545 and the model's folder has max_pixels 12544/],
    [{ max_pixels: 3135 }, /: max_pixels is 3135 and the model's folder has min_pixels 3136/],
  ] as const;
  for (const [given, says] of refused) {
    assert.throws(() => processorOf(config, text, given), (error: Error) => {
      assert.match(error.message, /^Cannot bound the pixels of images: /);
      assert.match(error.message, says);
      return true;
    });
  }
});

Deno.test("processorOf() refuses a processor that is not the tower's, a tower without one, pixels without a tower", () => {
  assert.equal(processorOf({ vision: null }, null), null);
  assert.throws(
    () => processorOf({ vision: null }, null, { max_pixels: 784 }),
    /reads words alone; leave out min_pixels/,
  );
  assert.throws(() => processorOf(config, null), /vision tower and its folder no preprocessor_config\.json; download/);
  const cases = [
    [{ patch_size: 16 }, /patch_size of preprocessor_config\.json is 16 and the tower's is 14, want the same/],
    [{ merge_size: 1 }, /merge_size of .* is 1 and the tower's is 2/],
    [{ temporal_patch_size: 1 }, /temporal_patch_size of .* is 1 and the tower's is 2/],
  ] as const;
  for (const [change, want] of cases) assert.throws(() => processorOf(config, json(change)), want);
});

Deno.test("PromptImages gives each image its grid by the size in its id, and the patches of the stored file", () =>
  withImages([[56, 56], [100, 60]], async (images, ids) => {
    const inputs = images.inputsOf(promptWithImages("Which?", ids));
    assert.deepEqual(inputs.map(({ id, grid }) => [id, grid]), [
      [ids[0], { h: 4, w: 4 }],
      [ids[1], { h: 4, w: 8 }], // 60 × 100 to 56 × 112
    ]);
    for (const [i, [width, height]] of [[56, 56], [100, 60]].entries()) {
      const image = await decodeImage(grey(width!, height!), "test"), own = await inputs[i]!.patches();
      assert.deepEqual(own, imagePatches(image, images.processor).patches);
      assert.equal(await images.inputsOf(promptWithImages("Where?", [ids[i]!]))[0]!.patches(), own); // kept
    }
    assert.deepEqual(images.inputsOf("Which?"), []);
  }));

Deno.test("PromptImages names an image that is not in the store, when its pixels are asked for", () =>
  withImages([[56, 56]], async (images, [id]) => {
    const [there, gone] = images.inputsOf(promptWithImages("Which?", [id!, `${"0".repeat(32)}-56x28.png`]));
    assert.deepEqual(gone!.grid, { h: 4, w: 6 }); // 56 × 28 is less than min_pixels: each side times √2, to 84 × 56
    await assert.rejects(
      gone!.patches(),
      /Cannot find image 0{32}-56x28\.png: it is not in images, which load_prompts/,
    );
    assert.equal((await there!.patches()).length, 16 * 1176);
  }));

Deno.test("PromptImages.expand() repeats each marker once per token of its own image, in order", () =>
  withImages([[56, 56], [100, 60]], (images, ids) => {
    const pad = config.imageToken!,
      of = (row: readonly number[], which: readonly string[]) =>
        Array.from(images.expand(row, images.inputsOf(promptWithImages("", which)), config));
    assert.deepEqual(of([1, pad, 2, pad, 3], ids), [1, ...Array(4).fill(pad), 2, ...Array(8).fill(pad), 3]);
    assert.deepEqual(of([pad, pad], [ids[1]!, ids[0]!]), Array(12).fill(pad));
    assert.deepEqual(of([1, 2], []), [1, 2]);
  }));

Deno.test("PromptImages.expand() refuses more markers than images, as a user's text may hold, and fewer", () =>
  withImages([[56, 56]], (images, ids) => {
    const pad = config.imageToken!,
      of = (row: readonly number[], which: readonly string[]) => () =>
        images.expand(row, images.inputsOf(promptWithImages("", which)), config);
    assert.throws(of([pad, 1, pad], ids), /it has 1 image and 2 markers of images, want as many; look at the chat/);
    assert.throws(of([1], [ids[0]!, ids[0]!]), /it has 2 images and 0 markers of images/);
    assert.throws(of([pad], []), /it has 0 images and 1 marker of images/);
  }));
