/** How much memory a critic or reward model takes beside the policy: a body of its own, or an adapter upon a base. @module */
import { adapterOf } from "../../gpu/weights/adapter.ts";
import { parameterLayout } from "../../gpu/models/parameters.ts";
import { adapterPlan } from "../options/adapter_plan.ts";
import { type AdapterParams, type LoraOptions, scalarOptions, trainsAdapter } from "../options/lora.ts";
import type { CostFacts } from "./cost.ts";
import { frozenBytes, trainedBytes } from "./memory.ts";

interface ScalarParams extends AdapterParams {
  readonly model?: string | undefined;
}

/**
 * A base beneath the policy's adapter is there already; `loaded` is how the policy was loaded. Of an adapter in a folder,
 * whose size nobody knows yet, the base alone.
 */
export function scalarBytes(
  given: ScalarParams,
  { config, parameters }: Pick<CostFacts, "config" | "parameters">,
  loaded: Readonly<Record<string, unknown>> | null,
): number {
  if (!trainsAdapter(given)) return trainedBytes(parameters);
  const { lora, model } = given, isBeneath = model === undefined || model === loaded?.["model"];
  const shared = loaded !== null && trainsAdapter(loaded as AdapterParams) && isBeneath;
  return (shared ? 0 : frozenBytes(parameters)) + trainedBytes(lora === undefined ? 0 : trainedCount(config, lora));
}

function trainedCount(config: CostFacts["config"], lora: LoraOptions): number {
  const layout = parameterLayout({ ...config, head: "scalar" });
  try {
    return adapterOf(layout, adapterPlan(layout, scalarOptions(lora))).layout.count;
  } catch (error) {
    // Modules that match nothing are told by a rule of their own.
    if (error instanceof RangeError) return 0;
    throw error;
  }
}
