/** The options of `train_preferences` that make its loss, and what is wrong with them together. @module */
import { z } from "zod";
import { type DpoLoss, dpoProblems } from "../../gpu/losses/dpo.ts";
import { KTO_FORMS, type KtoLoss } from "../../gpu/losses/kto.ts";
import { UNSAFE } from "../../gpu/losses/kto_vanilla.ts";
import type { Loss } from "../../gpu/losses/mod.ts";
import { type DivergenceName, DIVERGENCES } from "../../gpu/losses/preferences/divergences.ts";
import { DPO_LOSSES, dpoLoss, type DpoLossName } from "../../gpu/losses/preferences/dpo_losses.ts";
import { withoutEffect } from "../options/without_effect.ts";

const names = <Name extends string>(table: Readonly<Record<Name, unknown>>) => Object.keys(table) as [Name, ...Name[]];
const DPO_LOSS = z.enum(names(DPO_LOSSES));

const KTO_OPTIONS = {
  desirable_weight: z.number().min(0).default(1).describe("weight of desirable completions (kto, apo_zero_unpaired)"),
  undesirable_weight: z.number().min(0).default(1).describe("weight of the others"),
};
const VANILLA_OPTIONS = {
  detach_kl: z.boolean().default(false).describe("kto_vanilla: keep the gradient out of its KL; OpenRLHF does not"),
  unsafe: z.boolean().default(false).describe("kto_vanilla: train with it although it diverges"),
};
const DPO_OPTIONS = {
  dpo_loss: z.union([DPO_LOSS, z.array(DPO_LOSS).min(1)]).default("sigmoid").describe(
    "dpo: what it makes of a pair's log-ratios; a list is a weighted sum",
  ),
  loss_weights: z.array(z.number()).optional().describe("dpo: weight of each in the list; 1 if absent"),
  label_smoothing: z.number().min(0).lt(1).default(0).describe(
    "dpo: ε, the share of pairs thought to be the wrong way round; sigmoid ignores it, see sigmoid_smoothed",
  ),
  ld_alpha: z.number().min(0).max(1).optional().describe("dpo: weight of tokens beyond the pair's shorter completion"),
  f_divergence: z.enum(names(DIVERGENCES)).default("reverse_kl").describe("dpo: what stands for the log-ratio"),
  f_divergence_alpha: z.number().default(0.5).describe("dpo: α of alpha_divergence"),
  discopop_tau: z.number().positive().default(0.05).describe("dpo: temperature of discopop's gate"),
  use_weighting: z.boolean().default(false).describe("dpo: weigh a pair by its likelihood under the policy (WPO)"),
  reference_free: z.boolean().default(false).describe("dpo: no reference, its log-probs count as 0"),
};

export const LOSS_OPTIONS = {
  loss: z.enum(["dpo", ...names(KTO_FORMS), "kto_vanilla"]).describe(
    "dpo trains on pairs; kto, apo_zero_unpaired and the unsafe kto_vanilla on labelled completions",
  ),
  beta: z.number().min(0).default(0.1).describe("how strongly the policy is held to the reference"),
  ...DPO_OPTIONS,
  ...KTO_OPTIONS,
  ...VANILLA_OPTIONS,
};

const SHAPE = z.strictObject(LOSS_OPTIONS);
export type LossOptions = z.output<typeof SHAPE>;

/** Whether the loss is of pairs. */
export function isOfPairs({ loss }: Pick<LossOptions, "loss">): boolean {
  return loss === "dpo";
}

const listed = ({ dpo_loss }: Pick<LossOptions, "dpo_loss">): readonly DpoLossName[] =>
  typeof dpo_loss === "string" ? [dpo_loss] : dpo_loss;

/** The loss that the options make. */
export function lossOf(given: LossOptions): Loss {
  const { loss, beta } = given;
  if (loss === "dpo") return dpoLossOf(given);
  if (loss === "kto_vanilla") return { objective: "kto_vanilla", beta, detach: given.detach_kl };
  return {
    objective: "kto",
    form: loss,
    beta,
    desirableWeight: given.desirable_weight,
    undesirableWeight: given.undesirable_weight,
  } satisfies KtoLoss;
}

function dpoLossOf(given: LossOptions): DpoLoss {
  return {
    objective: "dpo",
    losses: listed(given).map((name, i) => ({ name, weight: given.loss_weights?.[i] ?? 1 })),
    beta: given.beta,
    labelSmoothing: given.label_smoothing,
    ldAlpha: given.ld_alpha ?? null,
    divergence: given.f_divergence as DivergenceName,
    divergenceAlpha: given.f_divergence_alpha,
    discopopTau: given.discopop_tau,
    weighting: given.use_weighting,
    referenceFree: given.reference_free,
  };
}

/** The loss of options as they are written, with the defaults; throws a TypeError for one that a plan would refuse. */
export function preferenceLoss(written: Readonly<Record<string, unknown>>): Loss {
  const { data, error } = SHAPE.safeParse(written);
  const [first] = error?.issues ?? [];
  if (first) throw new TypeError(`Cannot use option "${first.path.join(".")}" of train_preferences: ${first.message}`);
  return lossOf(data!);
}

const everyOption = (given: LossOptions) => ({ ld_alpha: undefined, loss_weights: undefined, ...given });

/** What cannot work, and what would change nothing. */
export function lossProblems(given: LossOptions): string[] {
  const { loss } = given, idle: [readonly (keyof LossOptions)[], string][] = [];
  const keys = (options: object) => Object.keys(options) as (keyof LossOptions)[];
  if (loss !== "dpo") idle.push([keys(DPO_OPTIONS), `loss is ${loss}, want dpo`]);
  if (loss === "dpo" || loss === "kto_vanilla") idle.push([keys(KTO_OPTIONS), `loss is ${loss}, want kto`]);
  if (loss !== "kto_vanilla") idle.push([keys(VANILLA_OPTIONS), `loss is ${loss}, want kto_vanilla`]);
  const problems = idle.flatMap(([options, why]) => withoutEffect(everyOption(given), LOSS_OPTIONS, options, why));
  if ((loss === "kto" || loss === "apo_zero_unpaired") && given.desirable_weight + given.undesirable_weight === 0) {
    problems.push(`Cannot train with loss ${loss}: desirable_weight and undesirable_weight are 0, want one above 0`);
  }
  if (loss === "kto_vanilla" && !given.unsafe) {
    problems.push(`Cannot train with loss kto_vanilla: ${UNSAFE}; use loss kto, or set unsafe: true to watch it`);
  }
  return loss === "dpo" ? [...problems, ...pairProblems(given)] : problems;
}

function pairProblems(given: LossOptions): string[] {
  const losses = listed(given), problems = dpoProblems(dpoLossOf(given));
  const none = (option: keyof LossOptions, why: string) =>
    problems.push(...withoutEffect(everyOption(given), LOSS_OPTIONS, [option], why));
  if (given.loss_weights !== undefined && given.loss_weights.length !== losses.length) {
    problems.push(
      `Cannot weigh ${losses.length} losses: loss_weights has ${given.loss_weights.length} values, want one per dpo_loss`,
    );
  }
  if (given.loss_weights?.some((weight) => weight < 0) || given.loss_weights?.every((weight) => weight === 0)) {
    problems.push(
      `Cannot weigh losses by [${given.loss_weights.join(", ")}]: want no weight below 0, and one above it`,
    );
  }
  if (losses.every((name) => dpoLoss(name).smoothing === undefined)) {
    none("label_smoothing", `dpo_loss ${losses.join(", ")} does not read it, want sigmoid_smoothed or robust`);
  }
  if (!losses.includes("discopop")) none("discopop_tau", "dpo_loss is not discopop");
  if (given.f_divergence !== "alpha_divergence") none("f_divergence_alpha", "f_divergence is not alpha_divergence");
  return problems;
}

/** What of these options the table `settings` says, under the names that rules look for. */
export function lossSettings(given: LossOptions): Readonly<Record<string, number | string | boolean>> {
  const { loss, beta, desirable_weight, undesirable_weight } = given;
  return {
    algorithm: loss === "dpo" ? "dpo" : "kto",
    loss: loss === "dpo" ? listed(given).join("+") : loss,
    kl_coef: beta,
    ...(loss === "kto_vanilla" ? { kto_vanilla_loss: true } : {}),
    ...(loss === "kto" ? { desirable_weight, undesirable_weight } : {}),
  };
}
