import assert from "node:assert/strict";
import { FAMILIES, type ModelType } from "../../../gpu/models/families.ts";
import { layerKinds } from "../../../gpu/models/layer_kinds.ts";

/** Windows and ropes by layer: "w4", "-" for all tokens; upper case where the layer has no rope, l where a local one. */
function kinds(type: ModelType, given: Record<string, unknown>, layers = 4): string {
  const family = FAMILIES[type];
  const marks = { global: "g", local: "l", none: "n" };
  return layerKinds({ ...family.defaults, ...given }, family, layers)
    .map(({ window, rope }) => `${window ?? "-"}${marks[rope ?? "none"]}`).join(" ");
}

for (
  const [type, given, want] of [
    ["llama", {}, "-g -g -g -g"],
    ["qwen2", { sliding_window: 4 }, "-g -g -g -g"],
    ["qwen2", { use_sliding_window: true, sliding_window: 4, max_window_layers: 3 }, "-g -g -g 4g"],
    ["qwen2", { use_sliding_window: true, sliding_window: null, max_window_layers: 0 }, "-g -g -g -g"],
    ["mistral", { sliding_window: 7 }, "7g 7g 7g 7g"],
    ["mistral", { sliding_window: null }, "-g -g -g -g"],
    ["phi3", {}, "-g -g -g -g"],
    ["phi3", { sliding_window: 5 }, "5g 5g 5g 5g"],
    ["smollm3", {}, "-g -g -g -n"],
    ["smollm3", { no_rope_layers: [1, 0, 1, 0] }, "-g -n -g -n"],
    ["smollm3", { no_rope_layer_interval: 2, use_sliding_window: true, sliding_window: 3 }, "-g 3n -g 3n"],
    ["gemma2", { sliding_window: 4 }, "4g -g 4g -g"],
    ["gemma3_text", { sliding_window: 4, sliding_window_pattern: 3 }, "4l 4l -g 4l"],
    ["gemma3_text", { sliding_window: 4, layer_types: ["full_attention", "sliding_attention"] }, "-g 4l"],
  ] as const
) {
  Deno.test(`layerKinds() of ${type} with ${JSON.stringify(given)}: ${want}`, () => {
    assert.equal(kinds(type, given, want.split(" ").length), want);
  });
}

for (
  const [type, given, message] of [
    ["gemma2", { layer_types: ["full_attention"] }, /"layer_types" is a list of 1, want 4 names/],
    ["gemma2", { layer_types: Array(4).fill("chunked_attention") }, /"layer_types" has "chunked_attention"/],
    ["gemma2", { sliding_window: null }, /"sliding_window" is null/],
    ["qwen3", { layer_types: Array(4).fill("sliding_attention") }, /"use_sliding_window" is false/],
    ["smollm3", { no_rope_layers: [1, 1] }, /"no_rope_layers" is a list of 2, want 4/],
  ] as const
) {
  Deno.test(`layerKinds() refuses ${type} with ${JSON.stringify(given)}`, () => {
    assert.throws(() => kinds(type, given), { name: "TypeError", message });
  });
}
