/** ms-swift's adapter and images: what of a model that reads images trains. @module */
import { type AdapterNames, loraOf } from "./adapters.ts";
import { lacking } from "./entries.ts";
import { freezes, readsImages, withoutAdapter } from "./images.ts";
import type { Given, Table } from "./table.ts";
import { valueText } from "./written.ts";

const FREEZE = { freeze_vit: true, freeze_aligner: true, freeze_llm: false };

/** What stays of a model with images: tower and aligner, unless it is said (get_multimodal_target_regex, train_args.py). */
const frozen = (given: Given) =>
  !readsImages(given, "model_name_or_path", [...Object.keys(FREEZE), "max_pixels"]) ? null : {
    tower: given.value("freeze_vit") === true,
    merger: given.value("freeze_aligner") === true,
    text: given.value("freeze_llm") === true,
  };

/** The parts count for all-linear alone: other names are taken as they stand. */
const targetsAll = (given: Given) => /^all[-_]linear$/.test(valueText(given.value("target_modules") ?? "all-linear"));

/** ms-swift's own defaults. */
export const SWIFT_LORA: AdapterNames = {
  rank: ["lora_rank", 8],
  alpha: ["lora_alpha", 32],
  dropout: ["lora_dropout", 0.05],
  targets: ["target_modules", "all_linear"],
  saved: "modules_to_save",
  rslora: "use_rslora",
  init: "init_weights",
  kept: (given) => {
    const stays = frozen(given);
    return stays === null || !targetsAll(given) ? null : withoutAdapter(stays);
  },
};

/** Options of images: which parts train, how boxes and sizes are written. */
export const SWIFT_IMAGES: Table = {
  ...freezes({
    freeze_vit: { parts: ["tower"], fallback: FREEZE.freeze_vit },
    freeze_aligner: { parts: ["merger"], fallback: FREEZE.freeze_aligner },
    freeze_llm: { parts: ["text"], fallback: FREEZE.freeze_llm },
  }, {
    frozen,
    hasAdapter: (given) => given.value("train_type") === "lora",
    lora: (given) => loraOf(given, SWIFT_LORA),
    ignored: (given) => targetsAll(given) ? null : "target_modules names where adapters stand, there and here",
  }),
  norm_bbox: lacking("answers are as the file has them; box_unit of load_prompts converts their boxes", {
    at: [null, "none"],
    text: "boxes as the file has them",
  }),
  image_max_token_num: lacking("write max_pixels of load_model: 784 for each token of Qwen2-VL", {
    at: [null],
    text: "max_pixels bounds an image",
  }),
};
