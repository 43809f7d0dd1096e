/** Which layers of a config.json have a window, and which a rotary embedding. @module */
import type { Family } from "./families.ts";
import type { LayerKind } from "./features.ts";
import { flag, type Json, refuse, shown, size } from "./config_json.ts";

const KINDS: readonly unknown[] = ["full_attention", "sliding_attention"];

/** One per layer; `json` holds the family's defaults. */
export function layerKinds(json: Json, family: Family, layers: number): readonly LayerKind[] {
  const rotates = rotatingLayers(json, family, layers);
  const slides = slidingLayers({ ...json, no_rope_layers: rotates.map(Number) }, family, layers);
  const window = slides.includes(true) ? size(json, "sliding_window") : null;
  return slides.map((sliding, layer) => ({
    window: sliding ? window : null,
    rope: !rotates[layer] ? null : sliding && family.rope.local ? "local" : "global",
  }));
}

function slidingLayers(json: Json, family: Family, layers: number): boolean[] {
  const switched = !family.options.includes("use_sliding_window") || flag(json, "use_sliding_window");
  const types = family.options.includes("layer_types") ? json.layer_types ?? null : null;
  if (types === null) {
    return Array.from({ length: layers }, (_, layer) => switched && (family.slides?.(json, layer) ?? false));
  }
  if (!Array.isArray(types) || types.length !== layers) {
    refuse(`"layer_types" is ${Array.isArray(types) ? `a list of ${types.length}` : shown(types)}`, `${layers} names`);
  }
  const other = types.find((type) => !KINDS.includes(type));
  if (other !== undefined) {
    refuse(`"layer_types" has ${shown(other)}, which is not supported`, KINDS.map(shown).join(" or "));
  }
  if (!switched && types.includes("sliding_attention")) {
    refuse('"layer_types" has "sliding_attention" and "use_sliding_window" is false', "true, or only full_attention");
  }
  return types.map((type) => type === "sliding_attention");
}

/** `no_rope_layers` holds 1 where a layer rotates, in spite of its name (transformers models/smollm3). */
function rotatingLayers(json: Json, family: Family, layers: number): boolean[] {
  if (!family.options.includes("no_rope_layers")) return Array(layers).fill(true);
  const given = json.no_rope_layers ?? null;
  if (given === null) {
    const interval = size(json, "no_rope_layer_interval");
    return Array.from({ length: layers }, (_, layer) => (layer + 1) % interval !== 0);
  }
  if (!Array.isArray(given) || given.length !== layers) {
    refuse(
      `"no_rope_layers" is ${Array.isArray(given) ? `a list of ${given.length}` : shown(given)}`,
      `${layers} of 0 and 1`,
    );
  }
  return given.map(Boolean);
}
