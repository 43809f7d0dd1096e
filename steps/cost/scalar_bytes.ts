/** How much memory a critic or reward model takes beside the policy: a body of its own, or an adapter upon a base. @module */
import { adapterOf } from "../../gpu/weights/adapter.ts";
import { parameterLayout } from "../../gpu/models/parameters.ts";
import { adapterPlan, type LoraOptions, scalarOptions } from "../options/lora.ts";
import type { CostFacts } from "./cost.ts";
import { frozenBytes, trainedBytes } from "./memory.ts";

interface ScalarParams {
  readonly lora?: LoraOptions | undefined;
  readonly model?: string | undefined;
}

/**
 * A base beneath the policy's adapter is there already; `loaded` is how the policy was loaded. Of an adapter in a folder,
 * whose size nobody knows yet, the base alone.
 */
export function scalarBytes(
  { lora, model }: ScalarParams,
  { config, parameters }: Pick<CostFacts, "config" | "parameters">,
  loaded: Readonly<Record<string, unknown>> | null,
): number {
  if (lora === undefined) return trainedBytes(parameters);
  const shared = loaded !== null && loaded["lora"] !== undefined && (model === undefined || model === loaded["model"]);
  return (shared ? 0 : frozenBytes(parameters)) +
    trainedBytes(lora.from === undefined ? trainedCount(config, lora) : 0);
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
