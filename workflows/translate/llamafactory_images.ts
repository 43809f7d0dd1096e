/** LLaMA-Factory's images: their sizes and folder, and what of a model that reads them stays as it is. @module */
import { alike, computed, each, lacking } from "./entries.ts";
import { type AdapterNames, loraOf } from "./adapters.ts";
import { freezes, type Frozen, readsImages, scaledBefore, withoutAdapter } from "./images.ts";
import type { Given, Table } from "./table.ts";
import { valueText } from "./written.ts";

/** Options that are for models with images alone. */
const SIGNS = [
  "image_max_pixels",
  "image_min_pixels",
  "freeze_vision_tower",
  "freeze_multi_modal_projector",
  "train_mm_proj_only",
];

const hasImages = (given: Given) => readsImages(given, "model_name_or_path", SIGNS);

/**
 * Tower and projector stay unless it is said (finetuning_args.py); null for a model that reads words alone.
 * `train_mm_proj_only` leaves the projector alone to train (get_forbidden_modules).
 */
function frozenOf(given: Given): Frozen | null {
  if (!hasImages(given)) return null;
  if (given.value("train_mm_proj_only") === true) return { tower: true, merger: false, text: true };
  return {
    tower: given.value("freeze_vision_tower") === true,
    merger: given.value("freeze_multi_modal_projector") === true,
    text: given.value("freeze_language_model") === true,
  };
}

const targetsAll = (given: Given) => valueText(given.value("lora_target") ?? "all") === "all";

/** Modules that get no adapter. */
export function llamafactoryKept(given: Given): string | null {
  const stays = frozenOf(given);
  // The names of linear layers that "all" finds are none of the merger's (find_all_linear_modules).
  return stays === null ? null : withoutAdapter(targetsAll(given) ? { ...stays, merger: true } : stays);
}

/** Options of what stays; `names` are those of its adapter. */
export function llamafactoryFreezing(names: AdapterNames): Table {
  const table = freezes({
    freeze_vision_tower: { parts: ["tower"], fallback: true },
    freeze_multi_modal_projector: { parts: ["merger"], fallback: true },
    freeze_language_model: { parts: ["text"], fallback: false },
    train_mm_proj_only: { parts: ["tower", "text"], fallback: false },
  }, {
    frozen: frozenOf,
    hasAdapter: (given) => given.value("finetuning_type") === "lora",
    lora: (given) => loraOf(given, names),
    ignored: (given, parts) =>
      parts.includes("merger") && given.value("freeze_multi_modal_projector") === false && targetsAll(given)
        ? "lora_target all puts no adapter on the merger, there and here"
        : null,
  });
  const only = table["train_mm_proj_only"]!;
  return {
    ...table,
    train_mm_proj_only: {
      ...only,
      make: (value, given) => value === false ? { equal: "the options of each part decide" } : only.make(value, given),
    },
  };
}

export const LLAMAFACTORY_IMAGES: Table = {
  ...scaledBefore({ least: ["image_min_pixels", 32 * 32], most: ["image_max_pixels", 768 * 768] }, hasImages),
  image_do_pan_and_scan: alike("of Gemma 3 alone"),
  crop_to_patches: alike("of InternVL alone"),
  ...each(
    "video_max_pixels video_min_pixels video_fps video_maxlen use_audio_in_video audio_sampling_rate",
    lacking("there are no videos or sounds in prompts", {
      at: [256 * 256, 16 * 16, 2, 128, false, 16000],
      text: "no effect on texts and images",
    }),
  ),
};

/** The folder that paths of images begin in; that of the data sets where nothing is said. */
export function mediaFolder(source: "load_prompts" | "load_preferences"): Table {
  const entry = source === "load_preferences"
    ? lacking("preferences hold texts alone", { at: [null], text: "no images" })
    : computed(
      undefined,
      (value) =>
        typeof value === "string"
          ? { set: { "load_prompts.image_folder": /^\.{0,2}\//.test(value) ? value : `./${value}` } }
          : { equal: "paths of images begin where the data file lies" },
    );
  return { media_dir: { ...entry, also: ["image_dir"] } };
}
