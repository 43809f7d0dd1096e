/** What a model's preprocessor_config.json says of images. @module */

/** How an image becomes patches: Qwen2-VL's settings, in pixels of the resized image where nothing else is said. */
export interface ImageProcessor {
  /** Side of a patch. */
  readonly patchSize: number;
  /** Patches on a side of the square that becomes one token. */
  readonly mergeSize: number;
  /** Frames in a patch. */
  readonly temporalPatchSize: number;
  readonly minPixels: number;
  readonly maxPixels: number;
  /** Of red, green and blue, each from 0 to 1. */
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
}

/** Both cut images in the same way; the fast one resizes by other arithmetic, and this is the slow one. */
const TYPES = ["Qwen2VLImageProcessor", "Qwen2VLImageProcessorFast", "Qwen2VLImageProcessorPil"];
/** transformers' defaults of this class. */
const DEFAULTS = {
  patch_size: 14,
  merge_size: 2,
  temporal_patch_size: 2,
  size: { shortest_edge: 56 * 56, longest_edge: 28 * 28 * 1280 },
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_std: [0.26862954, 0.26130258, 0.27577711],
};
/** What is done to every image; another value would ask for what is not done here. */
const FIXED: Readonly<Record<string, number | boolean>> = {
  do_resize: true,
  do_rescale: true,
  do_normalize: true,
  do_convert_rgb: true,
  resample: 3,
  rescale_factor: 1 / 255,
};
/** Colours from 0 to 1 less a mean, over a deviation: within these they stay numbers that a tower can read, in float32. */
const MOST_MEAN = 1000, LEAST_STD = 1e-6, MOST_STD = 1000;
/** The most that both limits may be: 16384 tokens of 28 × 28 pixels, Qwen2-VL's own limit. */
const MOST_PIXELS = 16384 * 28 * 28;

/** A value as it stands in the file, its beginning where it is long. */
const told = (value: unknown) => JSON.stringify(value)?.slice(0, 80) ?? "missing";

/**
 * The settings of a preprocessor_config.json, or of the file of that name; those that are left out are transformers' own. `min_pixels` and `max_pixels`
 * win over `size`, as there. Throws RangeError for settings that are not those of Qwen2-VL, or not done here.
 */
export function processorConfig(json: unknown, file = "preprocessor_config.json"): ImageProcessor {
  const fail = (problem: string): never => {
    throw new RangeError(`Cannot read ${file}: ${problem}`);
  };
  if (typeof json !== "object" || json === null || Array.isArray(json)) return fail("it is no object");
  const config = json as Readonly<Record<string, unknown>>;
  const given = (key: string) => config[key] ?? undefined;
  const type = given("image_processor_type") ?? TYPES[0];
  if (!TYPES.includes(type as string)) {
    fail(`image_processor_type is ${told(type)}, want ${TYPES.join(" or ")}: another cuts images otherwise`);
  }
  for (const [key, want] of Object.entries(FIXED)) {
    const value = given(key) ?? want;
    const isSame = typeof want === "number" && typeof value === "number"
      ? Math.abs(value - want) < 1e-9
      : value === want;
    if (!isSame) fail(`${key} is ${told(value)}, want ${want}: nothing else is done here`);
  }
  const whole = (key: string, value: unknown, most: number) =>
    typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most
      ? value
      : fail(`${key} is ${told(value)}, want a whole number from 1 to ${most}`);
  const three = (key: "image_mean" | "image_std"): readonly [number, number, number] => {
    const value = given(key) ?? DEFAULTS[key];
    const [least, most] = key === "image_mean" ? [-MOST_MEAN, MOST_MEAN] : [LEAST_STD, MOST_STD];
    const isGood = (one: unknown) => typeof one === "number" && one >= least && one <= most;
    if (!Array.isArray(value) || value.length !== 3 || !value.every(isGood)) {
      return fail(`${key} is ${told(value)}, want three numbers from ${least} to ${most}`);
    }
    return value as unknown as readonly [number, number, number];
  };
  const size = (given("size") ?? DEFAULTS.size) as Readonly<Record<string, unknown>>;
  const pixels = (key: string, edge: string) => {
    const [name, value] = given(key) === undefined ? [`size.${edge}`, size[edge]] : [key, given(key)];
    return whole(name, value, MOST_PIXELS);
  };
  const number = (key: "patch_size" | "merge_size" | "temporal_patch_size", most: number) =>
    whole(key, given(key) ?? DEFAULTS[key], most);
  const minPixels = pixels("min_pixels", "shortest_edge"), maxPixels = pixels("max_pixels", "longest_edge");
  if (minPixels > maxPixels) fail(`at least ${minPixels} pixels are wanted and at most ${maxPixels}; swap them`);
  return {
    patchSize: number("patch_size", 64),
    mergeSize: number("merge_size", 8),
    temporalPatchSize: number("temporal_patch_size", 8),
    minPixels,
    maxPixels,
    mean: three("image_mean"),
    std: three("image_std"),
  };
}

/** The settings as a preprocessor_config.json that transformers reads, in its older and its newer form. */
export function processorJson(processor: ImageProcessor): Record<string, unknown> {
  const { minPixels, maxPixels } = processor;
  return {
    ...FIXED,
    image_mean: processor.mean,
    image_processor_type: TYPES[0],
    image_std: processor.std,
    max_pixels: maxPixels,
    merge_size: processor.mergeSize,
    min_pixels: minPixels,
    patch_size: processor.patchSize,
    processor_class: "Qwen2VLProcessor",
    size: { longest_edge: maxPixels, shortest_edge: minPixels },
    temporal_patch_size: processor.temporalPatchSize,
  };
}
