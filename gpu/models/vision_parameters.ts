/** The parameters of a vision tower: their names in a checkpoint and their shapes. @module */
import type { LayoutRow } from "../weights/layout.ts";
import { patchWidth, type VisionConfig } from "./vision_config.ts";

/** How the names of a tower and its merger begin. */
export const VISUAL = "visual.", MERGER = "visual.merger.";

/** How the packed names of both begin. */
const PACKED = "vision.";

/** Whether a packed tensor is one of theirs. */
export function isVision(packed: string): boolean {
  return packed.startsWith(PACKED);
}

/** Whether a parameter, or the adapter of one, is the tower's, its merger's, or the text model's. */
export function partOf(name: string): "tower" | "merger" | "text" {
  return name.startsWith(MERGER) ? "merger" : name.startsWith(VISUAL) ? "tower" : "text";
}

/** Rows of the layout, matrices with their biases; `hiddenSize` is the text model's D. */
export function visionRows(vision: VisionConfig, hiddenSize: number): LayoutRow[] {
  const { embedDim: e, mlpWidth: f, depth, norm: kind, gated, channels, temporalPatchSize, patchSize, mergeSize } =
    vision;
  const merged = mergeSize ** 2 * e, patch = [e, channels, temporalPatchSize, patchSize, patchSize];
  const product = (packed: string, name: string, out: number, inner: number): LayoutRow[] => [
    [packed, [`${name}.weight`, [out, inner]]],
    [`${packed}_bias`, [`${name}.bias`, [out]]],
  ];
  const norm = (packed: string, name: string): LayoutRow[] => [
    [packed, [`${name}.weight`, [e]]],
    ...(kind === "layer" ? [[`${packed}_bias`, [`${name}.bias`, [e]]] as LayoutRow] : []),
  ];
  const mlp = gated
    ? [["gate", "mlp.gate_proj", f, e], ["up", "mlp.up_proj", f, e], ["down", "mlp.down_proj", e, f]] as const
    : [["fc1", "mlp.fc1", f, e], ["fc2", "mlp.fc2", e, f]] as const;
  const block = (number: number): LayoutRow[] => {
    const at = `${VISUAL}blocks.${number}.`, packed = `${PACKED}${number}.`;
    return [
      ...norm(`${packed}norm1`, `${at}norm1`),
      ...product(`${packed}qkv`, `${at}attn.qkv`, 3 * e, e),
      ...product(`${packed}proj`, `${at}attn.proj`, e, e),
      ...norm(`${packed}norm2`, `${at}norm2`),
      ...mlp.flatMap(([name, theirs, out, inner]) => product(packed + name, at + theirs, out, inner)),
    ];
  };
  return [
    // A convolution whose steps are as large as its kernel: a product, once each patch is a row.
    ["vision.patch_embed", [`${VISUAL}patch_embed.proj.weight`, [e, patchWidth(vision)], patch]],
    ...Array.from({ length: depth }, (_, number) => block(number)).flat(),
    ...norm("vision.merger.norm", `${MERGER}ln_q`),
    ...product("vision.merger.fc1", `${MERGER}mlp.0`, merged, merged),
    ...product("vision.merger.fc2", `${MERGER}mlp.2`, hiddenSize, merged),
  ];
}
