/** The tokenizer of small models that read pictures: short prompts and answers, numbers as single tokens. @module */
import { byteLevelTokenizer } from "../../data/hub/byte_level_tokenizer.ts";
import type { HubTokenizer } from "../../data/hub/tokenizer.ts";

/** Coordinates in thousandths, as the visual tasks round them. 0 is missing here: it is the byte of the digit, as 1 to 9 are. */
const COORDINATES = Array.from({ length: 50 }, (_, i) => String((i + 1) * 20));
const CONFIDENCES = Array.from({ length: 11 }, (_, i) => (i / 10).toFixed(1));

/** Parts of what the visual tasks ask and want, in the order of the ids. */
const WORDS = [
  "<think>",
  "</think>",
  "<answer>",
  "</answer>",
  "user\n",
  "assistant\n",
  "look",
  "What digit is this?",
  "Find all ",
  "s.",
  "Where is the ",
  "[{'Position': [",
  ", ",
  "], 'Confidence': ",
  "}, {'Position': [",
  "}]",
  "No Objects",
  "),(",
];

/** Padding first, the end second; the others as in Qwen2-VL's vocabulary. */
const SPECIAL = [
  "<|endoftext|>",
  "<|im_end|>",
  "<|im_start|>",
  "<|vision_start|>",
  "<|vision_end|>",
  "<|image_pad|>",
  "<|video_pad|>",
];

/** Qwen2-VL's, without the system message that it puts first: messages of texts, or of parts that are pictures and texts. */
const TEMPLATE = "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' }}" +
  "{% if message['content'] is string %}{{ message['content'] }}{% else %}{% for part in message['content'] %}" +
  "{% if part['type'] == 'image' or 'image' in part %}{{ '<|vision_start|><|image_pad|><|vision_end|>' }}" +
  "{% elif part['type'] == 'video' or 'video' in part %}{{ '<|vision_start|><|video_pad|><|vision_end|>' }}" +
  "{% elif 'text' in part %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}{{ '<|im_end|>\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/** Pixels of a picture as the model sees it: 4 to 16 tokens with patches of 14 pixels merged by twos. */
const LEAST_PIXELS = 56 * 56, MOST_PIXELS = 112 * 112;

/** preprocessor_config.json of Qwen2VLImageProcessor for a vision tower of these sizes; its means and deviations are CLIP's. */
function imageProcessor(vision: Readonly<Record<string, unknown>>) {
  return {
    do_convert_rgb: true,
    do_normalize: true,
    do_rescale: true,
    do_resize: true,
    image_mean: [0.48145466, 0.4578275, 0.40821073],
    image_processor_type: "Qwen2VLImageProcessor",
    image_std: [0.26862954, 0.26130258, 0.27577711],
    max_pixels: MOST_PIXELS,
    merge_size: vision["spatial_merge_size"] ?? 2,
    min_pixels: LEAST_PIXELS,
    patch_size: vision["patch_size"] ?? 14,
    processor_class: "Qwen2VLProcessor",
    resample: 3,
    rescale_factor: 1 / 255,
    size: { longest_edge: MOST_PIXELS, shortest_edge: LEAST_PIXELS },
    temporal_patch_size: vision["temporal_patch_size"] ?? 2,
  };
}

/** The files of the tokenizer and of the image processor: name to text. `vision` is the model's vision_config. */
export function visualFiles(vision: unknown, limits: { readonly maxLength?: number } = {}): Map<string, string> {
  const addedTexts = [...WORDS, ...COORDINATES, ...CONFIDENCES];
  const files = byteLevelTokenizer({ addedTexts, specialTokens: SPECIAL, chatTemplate: TEMPLATE, ...limits });
  const processor = imageProcessor(vision as Readonly<Record<string, unknown>>);
  return files.set("preprocessor_config.json", `${JSON.stringify(processor, null, 1)}\n`);
}

/** The ids of the tokens around and for pictures, under the names that config.json has them. */
export function visionTokenIds({ tokenToId }: Pick<HubTokenizer, "tokenToId">): Record<string, number | null> {
  return {
    image_token_id: tokenToId("<|image_pad|>"),
    video_token_id: tokenToId("<|video_pad|>"),
    vision_start_token_id: tokenToId("<|vision_start|>"),
    vision_end_token_id: tokenToId("<|vision_end|>"),
  };
}
