/** The graph that computes one image, and what it takes of memory. @module */
import { Graph } from "../../onnx/graph.ts";
import { runBytes } from "../../onnx/liveness.ts";
import { GraphWeights } from "../../weights/graph_weights.ts";
import type { ModelConfig } from "../config.ts";
import type { GraphOptions } from "../model.ts";
import { parameterLayout } from "../parameters.ts";
import type { VisionConfig } from "../vision_config.ts";
import { merged, towerStates } from "./tower.ts";

/** From patches to the tower's states, and from those to features. */
export type EncoderPart = "tower" | "merger";

/** Output image_rows float32: of the tower [patches, E], of the merger [patches / merge², D]. */
export function encoderGraph(options: GraphOptions, part: EncoderPart, patches: number, vision: VisionConfig): Graph {
  const graph = new Graph(options), weights = new GraphWeights(graph, options);
  const shape = { count: 1, patches, stage: "patches" } as const;
  graph.output(
    "image_rows",
    part === "tower" ? towerStates(graph, shape, weights, vision) : merged(
      graph.input("image_states", { dtype: "float32", shape: [patches, vision.embedDim] }),
      weights,
      vision,
    ),
  );
  return graph;
}

const known = new Map<string, number>();

/** Bytes of values that computing an image of so many patches holds at its most; 0 for a model without a tower. */
export function encodingBytes(config: ModelConfig, patches: number): number {
  const { vision } = config;
  if (vision === null) return 0;
  const key = JSON.stringify([vision, config.hiddenSize, patches]), before = known.get(key);
  if (before !== undefined) return before;
  const options = { config, layout: parameterLayout(config), adapter: null, bits: null, provider: "cpu" } as const;
  const bytes = runBytes(encoderGraph(options, "tower", patches, vision)).arena;
  known.set(key, bytes);
  return bytes;
}
