/** How far images are computed before a graph that trains. @module */
import { partOf } from "../vision_parameters.ts";
import type { ImageStage } from "./tower.ts";

/** Up to the first part of which a parameter trains; `names` are those of what trains, or of its adapters. */
export function stageOf(names: Iterable<string>): ImageStage {
  const parts = new Set([...names].map(partOf));
  return parts.has("tower") ? "patches" : parts.has("merger") ? "states" : "features";
}
