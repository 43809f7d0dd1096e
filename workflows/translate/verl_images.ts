/** verl's adapter and images: their column, and what of a model that reads them trains. @module */
import { adapterEntries, type AdapterNames, loraOf } from "./adapters.ts";
import { computed, each, lacking, number } from "./entries.ts";
import { freezes, imageColumn, readsImages, withoutAdapter } from "./images.ts";
import type { Given, Made, Table } from "./table.ts";
import { isRecord } from "./written.ts";

const M = "actor_rollout_ref.model.";
const FREEZE = "actor_rollout_ref.actor.freeze_vision_tower";

/** All that is called visual stays, the merger with it (fsdp_workers.py). */
const frozen = (given: Given) => {
  const isFrozen = given.value(FREEZE) === true;
  return { tower: isFrozen, merger: isFrozen };
};

const LORA: AdapterNames = {
  rank: [`${M}lora_rank`, 8],
  alpha: [`${M}lora_alpha`, 16],
  targets: [`${M}target_modules`, "all_linear"],
  excluded: `${M}exclude_modules`,
  kept: (given) => withoutAdapter(frozen(given)),
};

const hasAdapter = (given: Given) => given.number(`${M}lora_rank`, 0) > 0;

/** Further arguments of the model's processor. */
const SIZES = "data.mm_processor_kwargs";

const SIZE_TABLE: Table = {
  [`${SIZES}.min_pixels`]: number("load_model.min_pixels"),
  [`${SIZES}.max_pixels`]: number("load_model.max_pixels"),
};

const OTHER: Made = { lacks: "of what a processor takes, min_pixels and max_pixels of load_model are here" };

/** Options of both. */
export const VERL_IMAGES: Table = {
  "data.image_key": imageColumn("images", (given) => readsImages(given, `${M}path`, [])),
  ...each(
    "data.video_key data.audio_key",
    lacking("there are no videos or sounds in prompts", { at: ["videos", "audios"], text: "no effect on texts" }),
  ),
  [SIZES]: computed(null, (value, given) => {
    if (!isRecord(value) || Object.keys(value).length === 0) return { equal: "as the model's folder says" };
    const made = Object.entries(value).map(([name, size]) =>
      SIZE_TABLE[`${SIZES}.${name}`]?.make(size, given) ?? OTHER
    );
    return made.find((one) => "lacks" in one) ??
      { set: Object.assign({}, ...made.map((one) => "set" in one && one.set)) };
  }),
  ...SIZE_TABLE,
  [`${SIZES}.*`]: { asText: true, make: () => OTHER },
  ...adapterEntries(LORA, hasAdapter),
  ...freezes({ [FREEZE]: { parts: ["tower", "merger"], fallback: false } }, {
    frozen,
    hasAdapter,
    lora: (given) => loraOf(given, LORA),
    note: "verl's newer engine, under verl/workers/engine, does not read it",
  }),
};
