/** OpenRLHF's images and adapters: what of a model that reads images trains. @module */
import { adapterEntries, type AdapterNames, loraOf } from "./adapters.ts";
import { computed, each, lacking, noNumber } from "./entries.ts";
import { freezes, imageColumn, withoutAdapter } from "./images.ts";
import type { Given, Table } from "./table.ts";

const IMAGE_KEY = "data.image_key", MOST_IMAGES = "data.max_images_per_prompt", FREEZE = "actor.freeze_visual_encoder";

const hasImages = (given: Given) => given.number(MOST_IMAGES, 0) > 0;

/** All but the language model stays: tower and merger (its help; models/actor.py). */
const frozen = (given: Given) => {
  const isFrozen = given.value(FREEZE) === true;
  return { tower: isFrozen, merger: isFrozen };
};

const adapterNames = (rank: string, alpha: string, targets: string, dropout: string): AdapterNames => ({
  rank: [rank, 8],
  alpha: [alpha, 16],
  targets: [targets, "all_linear"],
  dropout: [dropout, 0],
  kept: (given) => withoutAdapter(frozen(given)),
});

const LORA = adapterNames("ds.lora.rank", "ds.lora.alpha", "ds.lora.target_modules", "ds.lora.dropout");
const OLD_LORA = adapterNames("lora_rank", "lora_alpha", "target_modules", "lora_dropout");
const isOn = ({ rank: [rank] }: AdapterNames) => (given: Given) => given.number(rank, 0) > 0;

const freezing = freezes({ [FREEZE]: { parts: ["tower", "merger"], fallback: false } }, {
  frozen,
  hasAdapter: (given) => isOn(LORA)(given) || isOn(OLD_LORA)(given),
  lora: (given) => loraOf(given, isOn(LORA)(given) ? LORA : OLD_LORA),
});

const column = imageColumn("images", hasImages);

/** Options of prompts with images. */
export const OPENRLHF_IMAGES: Table = {
  [IMAGE_KEY]: {
    ...column,
    also: ["image_key"],
    make: (value, given) =>
      hasImages(given)
        ? column.make(value, given)
        : { equal: "without effect unless max_images_per_prompt is above 0: texts alone" },
  },
  [MOST_IMAGES]: computed(
    0,
    (value, given) =>
      typeof value !== "number"
        ? noNumber(value)
        : value === 0
        ? { equal: "texts alone" }
        : column.make(given.value(IMAGE_KEY), given),
    { also: ["max_images_per_prompt"] },
  ),
  [FREEZE]: { ...freezing[FREEZE]!, also: ["freeze_visual_encoder"] },
};

/** The same where pairs, or labelled completions, are read. */
export const TEXTS_ALONE: Table = each(
  `${IMAGE_KEY} ${MOST_IMAGES} ${FREEZE}`,
  lacking("preferences hold texts alone", { at: ["images", 0, false], text: "no images" }),
);

/** LoRA under both spellings of its options; rank 0 is none. */
export const OPENRLHF_ADAPTERS: Table = {
  ...adapterEntries(LORA, isOn(LORA)),
  ...adapterEntries(OLD_LORA, isOn(OLD_LORA)),
};
