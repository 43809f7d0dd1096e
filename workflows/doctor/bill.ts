/** What was lost as GPU hours and money, where the number of GPUs and their price are known. @module */
import type { Cost } from "../../steps/diagnoses/cost/cost.ts";

/** What a person says of the machine; null where nothing is said. */
export interface Machine {
  readonly gpus: number | null;
  /** Price of one GPU for an hour. */
  readonly hourCost: number | null;
  /** As it was written beside the price. */
  readonly currency: string | null;
}

interface Bill {
  readonly gpu_hours: number | null;
  readonly money: number | null;
  readonly currency: string | null;
}

/** GPU hours and money of what was lost; null where a factor is not known. */
export function billOf(cost: Cost, machine: Machine | undefined): Bill {
  const gpus = machine?.gpus ?? cost.gpus;
  const gpu_hours = cost.hours === null || gpus === null ? null : cost.hours * gpus;
  const money = gpu_hours === null || machine?.hourCost == null ? null : gpu_hours * machine.hourCost;
  return { gpu_hours, money, currency: money === null ? null : machine?.currency ?? null };
}

/** A price as a person writes it, `2.5`, `2.5EUR` or `$2.5`; null where it is none. */
export function priceOf(text: string): { readonly hourCost: number; readonly currency: string | null } | null {
  const [, before = "", number, after = ""] = /^\s*(\p{Sc}|[A-Z]{3})?\s*(\d+(?:\.\d+)?|\.\d+)\s*(\p{Sc}|[A-Z]{3})?\s*$/u
    .exec(text) ?? [];
  if (number === undefined || (before !== "" && after !== "")) return null;
  return { hourCost: Number(number), currency: before || after || null };
}
