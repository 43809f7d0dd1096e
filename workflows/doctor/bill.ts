/** What was lost as GPU hours and money, where the number of GPUs and their price are known. @module */
import type { Examined } from "./examined.ts";
import { type Cost, OF_TOKENS } from "../../steps/diagnoses/cost/cost.ts";

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

/** What a price that was given waits for: the hours lost, or the number of GPUs; nothing where it is told, or none was given. */
export function unbilled({ diagnosis: { cost, verdict }, machine }: Pick<Examined, "diagnosis" | "machine">): string[] {
  if (machine?.hourCost == null || verdict !== "faulty") return [];
  if (cost === undefined) return ["records of the run, which say how long it took"];
  const noGpus = machine.gpus === null && cost.gpus === null ? ["the number of GPUs (--gpus N)"] : [];
  if (cost.hours !== null) return noGpus;
  if (cost.waste === "none") return ["a loss in hours: what was found costs nothing that a log shows"];
  return [...cost.missing.filter((text) => !text.startsWith(OF_TOKENS)), ...noGpus];
}

/** Money as it is written: a sign before the number, a code behind it; cents of what is less than a hundred. */
export function moneyText(money: number, currency: string | null): string {
  const amount = money < 100 ? money.toFixed(2) : String(Math.round(money));
  if (currency === null) return `${amount} at that price`;
  return /^\p{Sc}$/u.test(currency) ? `${currency}${amount}` : `${amount} ${currency}`;
}

/** A price as a person writes it, `2.5`, `2.5EUR` or `$2.5`; null where it is none. */
export function priceOf(text: string): { readonly hourCost: number; readonly currency: string | null } | null {
  const [, before = "", number, after = ""] = /^\s*(\p{Sc}|[A-Z]{3})?\s*(\d+(?:\.\d+)?|\.\d+)\s*(\p{Sc}|[A-Z]{3})?\s*$/u
    .exec(text) ?? [];
  if (number === undefined || (before !== "" && after !== "")) return null;
  return { hourCost: Number(number), currency: before || after || null };
}
