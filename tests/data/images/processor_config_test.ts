import assert from "node:assert/strict";
import { processorConfig, processorJson } from "../../../data/images/processor_config.ts";

/** As Qwen2-VL-2B-Instruct's file has it. */
const QWEN = {
  min_pixels: 3136,
  max_pixels: 12845056,
  patch_size: 14,
  temporal_patch_size: 2,
  merge_size: 2,
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_std: [0.26862954, 0.26130258, 0.27577711],
  image_processor_type: "Qwen2VLImageProcessor",
  processor_class: "Qwen2VLProcessor",
};
const SETTINGS = {
  patchSize: 14,
  mergeSize: 2,
  temporalPatchSize: 2,
  minPixels: 3136,
  maxPixels: 12845056,
  mean: QWEN.image_mean,
  std: QWEN.image_std,
};

Deno.test("processorConfig() reads both forms of the limits, of which min_pixels and max_pixels win", () => {
  assert.deepEqual(processorConfig(QWEN), SETTINGS);
  const { min_pixels: _, max_pixels: __, ...rest } = QWEN;
  const size = { shortest_edge: 3136, longest_edge: 12544 };
  assert.deepEqual(processorConfig({ ...rest, size }), { ...SETTINGS, maxPixels: 12544 });
  assert.deepEqual(processorConfig({ ...rest, size, max_pixels: 6272 }), { ...SETTINGS, maxPixels: 6272 });
  assert.deepEqual(processorConfig({ ...rest, size, max_pixels: null }), { ...SETTINGS, maxPixels: 12544 });
});

Deno.test("processorConfig() takes transformers' defaults for what is left out", () => {
  assert.deepEqual(processorConfig({}), { ...SETTINGS, maxPixels: 28 * 28 * 1280 });
});

Deno.test("processorJson() is read again as the same", () => {
  const processor = processorConfig(QWEN);
  assert.deepEqual(processorConfig(JSON.parse(JSON.stringify(processorJson(processor)))), processor);
});

Deno.test("processorConfig() refuses what is not done here, and numbers that are none", () => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [null, /it is no object/],
    [[], /it is no object/],
    [{ image_processor_type: "CLIPImageProcessor" }, /image_processor_type is "CLIPImageProcessor", want Qwen2VL/],
    [{ do_resize: false }, /do_resize is false, want true/],
    [{ do_normalize: false }, /do_normalize is false/],
    [{ resample: 2 }, /resample is 2, want 3/],
    [{ rescale_factor: 1 / 256 }, /rescale_factor is 0.00390625, want 0.00392/],
    [{ rescale_factor: 1 }, /rescale_factor is 1, want 0.0039/],
    [{ min_pixels: 0 }, /min_pixels is 0, want a whole number from 1/],
    [{ max_pixels: 1e12 }, /max_pixels is 1000000000000, want/],
    [{ max_pixels: "a" }, /max_pixels is "a"/],
    [{ size: { shortest_edge: 3136 } }, /size.longest_edge is missing/],
    [{ min_pixels: 20000, max_pixels: 10000 }, /at least 20000 pixels are wanted and at most 10000/],
    [{ image_mean: [0, 1] }, /image_mean is \[0,1\], want three numbers/],
    [{ image_std: [1, 0, 1] }, /image_std is \[1,0,1\], want three numbers from 0.000001 to 1000/],
    [{ image_mean: [1e300, 0, 0] }, /image_mean is \[1e\+300,0,0\], want three numbers from -1000 to 1000/],
    [{ image_mean: [0, "0", 0] }, /image_mean is \[0,"0",0\], want three/],
    [{ image_mean: "a".repeat(1e5) }, /image_mean is "a{79}, want three/],
    [{ image_std: [1, 1, 1e-39] }, /image_std is \[1,1,1e-39\], want three/],
    [{ image_std: [1, 1, 1e300] }, /image_std is \[1,1,1e\+300\], want three/],
    [{ resample: "3" }, /resample is "3", want 3/],
    [{ size: 3 }, /size.shortest_edge is missing/],
    [{ patch_size: 14.5 }, /patch_size is 14.5/],
  ];
  for (const [config, want] of cases) {
    assert.throws(() => processorConfig(config), (error: Error) => {
      assert(error instanceof RangeError);
      assert.match(error.message, /^Cannot read preprocessor_config\.json: /);
      assert.match(error.message, want);
      return true;
    });
  }
});
