/**
 * The entropy of the policy at temperature 1 before a rollout's updates: from a pass over all of it, or where none is due
 * from the updates' own, each before its update.
 * @module
 */
import type { ColumnTable } from "arquero";
import { columnArray, tableOf } from "../../data/tables/mod.ts";
import { logprobTemperature, PLAIN_SAMPLING } from "../options/sampling_settings.ts";
import type { Policy } from "../resources/policy.ts";
import type { StepContext } from "../step.ts";
import { type BeforeOptions, dropsOut, readsPolicy } from "./before_updates.ts";
import type { Rollout } from "./rollout.ts";
import type { UpdateRow } from "./update.ts";

interface EntropyReading {
  /** Whether a pass before the updates says it. */
  readonly isRead: boolean;
  /** What the pass for old log-probs is asked besides: at temperature 1 it says the entropy too. */
  readonly beside: readonly "entropy"[];
  /** What that pass said. */
  entropies?: readonly Float32Array[] | undefined;
}

/** Which pass says the entropy of a rollout. */
export function readsEntropy(given: BeforeOptions, { temperature }: Rollout, policy: Policy): EntropyReading {
  const atOne = temperature === 1;
  return { isRead: !atOne || readsPolicy(given, dropsOut(policy)), beside: atOne ? ["entropy"] : [] };
}

/** The same before a run, by what the steps that sample and that load the model were asked. */
export function writesEntropy(
  given: BeforeOptions,
  sampled: Readonly<Record<string, unknown>> | null,
  loaded: Readonly<Record<string, unknown>> | null,
): boolean {
  const temperature = (sampled?.["temperature"] ?? PLAIN_SAMPLING.temperature) as number;
  const { dropout = 0 } = (loaded?.["lora"] ?? {}) as { readonly dropout?: number };
  return logprobTemperature({ temperature }) !== 1 || readsPolicy(given, dropout > 0);
}

/** Writes each completion's mean entropy, nats per token that counts, where a resumed step finds it. */
export async function keepEntropy(
  context: StepContext,
  rollout: Rollout,
  { entropies }: EntropyReading,
  { promptsPerPass }: { readonly promptsPerPass?: number },
): Promise<void> {
  const { model } = context.resource("policy"), { completionMask: mask, lengths } = rollout;
  const options = { temperature: 1, statistics: ["entropy"], ...(promptsPerPass ? { promptsPerPass } : {}) } as const;
  const rows = entropies ?? (await model.logprobs(rollout, options)).statistics.get("entropy")!;
  const entropy = rows.map((row, i) =>
    lengths[i]! > 0 ? row.reduce((sum, value, t) => sum + (mask[i]![t] ? value : 0), 0) / lengths[i]! : null
  );
  context.write({ completions: context.table("completions").assign(tableOf("completions", { entropy })) });
}

/** Mean of what `keepEntropy` wrote over the tokens that count, nats per token; null where a checkpoint is without it. */
export function keptEntropy(
  completions: ColumnTable,
  { lengths, tokens }: Pick<Rollout, "lengths" | "tokens">,
): number | null {
  if (!completions.column("entropy")) return null;
  const means = columnArray(completions, "entropy") as ArrayLike<number | null>;
  return lengths.reduce((sum, length, i) => sum + (length > 0 ? length * means[i]! : 0), 0) / Math.max(tokens, 1);
}

/** Mean entropy before the first update of each of `minibatches` slices; null where none has a number. */
export function entropyOfUpdates(rows: readonly Pick<UpdateRow, "entropy">[], minibatches: number): number | null {
  const values = rows.slice(0, minibatches).map(({ entropy }) => entropy).filter((value) => typeof value === "number");
  return values.length > 0 ? values.reduce((a, b) => a + b, 0) / values.length : null;
}
