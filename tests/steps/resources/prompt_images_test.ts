import assert from "node:assert/strict";
import { join } from "node:path";
import { decodeImage } from "../../../data/images/decode.ts";
import { ImageStore } from "../../../data/images/image_store.ts";
import { imagePatches } from "../../../data/images/patches.ts";
import { encodeGreyPng } from "../../../data/images/png.ts";
import { promptWithImages } from "../../../data/datasets/prompt_images.ts";
import { type ModelConfig, modelConfig } from "../../../gpu/models/config.ts";
import { processorOf, PromptImages, readProcessor } from "../../../steps/resources/prompt_images.ts";

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
  assert.throws(
    () => processorOf(config, null),
    /vision tower and its folder neither preprocessor_config\.json nor processor_config\.json with "image_processor"; down/,
  );
  const cases = [
    [{ patch_size: 16 }, /patch_size of preprocessor_config\.json is 16 and the tower's is 14, want the same/],
    [{ merge_size: 1 }, /merge_size of .* is 1 and the tower's is 2/],
    [{ temporal_patch_size: 1 }, /temporal_patch_size of .* is 1 and the tower's is 2/],
  ] as const;
  for (const [change, want] of cases) assert.throws(() => processorOf(config, json(change)), want);
});

/** As the processor of transformers 5 is saved: settings of images and of videos in one file, bounds in `size` alone. */
const saved = (change: Record<string, unknown> = {}) => {
  const { processor_class, min_pixels, max_pixels, ...image } = JSON.parse(text);
  const video_processor = { ...image, size: { longest_edge: 1, shortest_edge: 1 }, fps: 2 };
  assert.deepEqual([min_pixels, max_pixels], [3136, 12544]);
  return JSON.stringify({ image_processor: { ...image, ...change }, processor_class, video_processor });
};

Deno.test("readProcessor() takes the file that transformers takes, processorOf() reads either and names it", () => {
  const folder = Deno.makeTempDirSync(),
    write = (name: string, text: string) => Deno.writeTextFileSync(join(folder, name), text);
  const bounds = () => processorOf(config, readProcessor(folder))!.maxPixels;
  try {
    assert.equal(readProcessor(folder), null);
    write("processor_config.json", saved());
    assert.deepEqual(processorOf(config, readProcessor(folder)), processorOf(config, text));
    assert.equal(processorOf(config, readProcessor(folder), { max_pixels: 6272 })!.maxPixels, 6272);
    write("preprocessor_config.json", json({ max_pixels: 9408 }));
    assert.equal(bounds(), 12544);
    // As transformers 4 has it: the class and its template alone.
    write("processor_config.json", JSON.stringify({ processor_class: "Qwen2VLProcessor" }));
    assert.equal(bounds(), 9408);
    write("processor_config.json", "{");
    assert.throws(() => readProcessor(folder), /Cannot read .*[/]processor_config\.json: it is not JSON/);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
  const refused = [
    [saved({ patch_size: 16 }), /patch_size of processor_config\.json is 16 and the tower's is 14/],
    [saved({ do_resize: false }), /Cannot read processor_config\.json: do_resize is false/],
    ['{"image_processor": 3}', /Cannot read processor_config\.json: image_processor is 3, want an object/],
    ["{", /Cannot read preprocessor_config\.json: it is not JSON/],
  ] as const;
  for (const [given, message] of refused) assert.throws(() => processorOf(config, given), message);
});

Deno.test("processorOf() names the file in which it can read nothing", () => {
  const cases = [
    ["", "it is not JSON"],
    ["{", "it is not JSON"],
    ['{"patch_size": NaN}', "it is not JSON"],
    ["null", "it "],
    ["[]", "it "],
    ["3", "it "],
    ['{"patch_size": 14, "patch_size": 16}', ".*patch_size"],
    [json({ image_std: [1e-39, 1, 1] }), "image_std is "],
  ] as const;
  for (const [text, what] of cases) {
    assert.throws(() => processorOf(config, text, { max_pixels: 6272 }), (error: Error) => {
      assert.match(error.message, new RegExp(`^Cannot read preprocessor_config\\.json: ${what}`));
      return true;
    });
  }
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

Deno.test("PromptImages names a stored image whose name says another size", () =>
  withImages([[56, 56]], async (images, [id]) => {
    const other = id!.replace("56x56", "84x56");
    Deno.renameSync(images.store.path(id!), images.store.path(other));
    await assert.rejects(images.inputsOf(promptWithImages("Which?", [other]))[0]!.patches(), {
      name: "RangeError",
      message: new RegExp(
        `^Cannot read image ${other}: it has 56 by 56 pixels, want those of its name; load the prompts`,
      ),
    });
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
