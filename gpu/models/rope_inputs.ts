/** The rotary tables of a graph: one for all layers, or a second for those with a window. @module */
import type { Dim, DType, Graph, Value } from "../onnx/graph.ts";
import { type ModelConfig, rotaryDim } from "./config.ts";
import type { LayerKind } from "./features.ts";

/** cos and sin [positions, rotaryDim / 2]. */
export interface RopeTable {
  readonly cos: Value;
  readonly sin: Value;
}

type RopeName = NonNullable<LayerKind["rope"]>;

/** Names of the inputs of a table. */
export function ropeInputNames(name: RopeName): { readonly cos: string; readonly sin: string } {
  return name === "global" ? { cos: "cos", sin: "sin" } : { cos: `cos.${name}`, sin: `sin.${name}` };
}

/** The tables that layers use. */
export function ropesInUse({ layerKinds }: Pick<ModelConfig, "layerKinds">): ReadonlySet<RopeName> {
  return new Set(layerKinds.flatMap(({ rope }) => rope ?? []));
}

/** Declares the inputs; gives the table of a layer, null where it has none. */
export function ropeInputs(
  graph: Graph,
  config: ModelConfig,
  positions: Dim,
  dtype: DType = "float32",
): (layer: number) => RopeTable | null {
  const type = { dtype, shape: [positions, rotaryDim(config) / 2] };
  const tables = new Map([...ropesInUse(config)].map((name) => {
    const { cos, sin } = ropeInputNames(name);
    return [name, { cos: graph.input(cos, type), sin: graph.input(sin, type) }] as const;
  }));
  return (layer) => {
    const { rope } = config.layerKinds[layer]!;
    return rope && tables.get(rope)!;
  };
}

/** Rotates the first dimensions of heads x [B, H, T, headDim] by their positions int64 [B, T]; the rest stays. */
export function rotate(x: Value, positions: Value, { cos, sin }: RopeTable): Value {
  const headDim = Number(x.shape.at(-1)), rotated = 2 * Number(cos.shape[1]);
  if (rotated === headDim) return x.rotary(positions, cos, sin);
  const [first, rest] = x.split(-1, [rotated, headDim - rotated]);
  return first!.rotary(positions, cos, sin).concat([rest!], -1);
}
