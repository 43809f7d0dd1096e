/** verl's adapter and images: their column, and what of a model that reads them trains. @module */
import { adapterEntries, type AdapterNames, loraOf } from "./adapters.ts";
import { each, lacking } from "./entries.ts";
import { freezes, imageColumn, readsImages, withoutAdapter } from "./images.ts";
import type { Given, Table } from "./table.ts";

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

/** Options of both. */
export const VERL_IMAGES: Table = {
  "data.image_key": imageColumn("images", (given) => readsImages(given, `${M}path`, [])),
  ...each(
    "data.video_key data.audio_key",
    lacking("there are no videos or sounds in prompts", { at: ["videos", "audios"], text: "no effect on texts" }),
  ),
  ...adapterEntries(LORA, hasAdapter),
  ...freezes({ [FREEZE]: { parts: ["tower", "merger"], fallback: false } }, {
    frozen,
    hasAdapter,
    lora: (given) => loraOf(given, LORA),
    note: "verl's newer engine, under verl/workers/engine, does not read it",
  }),
};
