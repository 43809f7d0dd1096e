/** Kinds of slow death by preferences. @module */
import { type Draw, preferences, SWAPPED } from "./documents.ts";
import { FALLS, type Kind } from "./kind.ts";
import { behind, confirmed, type Died, either, fell, stays } from "./truth.ts";

const dpo = (train: object, data?: object) => (draw: Draw) =>
  preferences(draw, { train: { loss: "dpo", ...train }, ...(data === undefined ? {} : { data: { ...data } }) });
/** Sigmoid alone lets the likelihood of both fall; with it the twin learns. */
const DPO_TWIN = dpo({ dpo_loss: ["sigmoid", "sft"], loss_weights: [1, 0.3] });
const kto = (train: object) => (draw: Draw) => preferences(draw, { train: { loss: "kto", ...train } });
const KTO_TWIN = kto({ beta: 0.5, desirable_weight: 3 });

/** A kind of preferences. */
const pairs = (
  [cause, ...also]: readonly [string, ...string[]],
  why: string,
  document: Kind["document"],
  died: Died,
  twin: Kind["twin"] = DPO_TWIN,
): Kind => ({ cause, also, why, document, twin, from: 1, died });

export const PREFERENCE_KINDS = {
  dpo_displacement: pairs(
    ["likelihood_displacement", "preference_margin_blowup"],
    "the margin grows while both likelihoods fall",
    dpo({ learning_rate: 3e-4 }),
    confirmed(fell(3, ({ column }) => column("logps/chosen")), FALLS),
  ),
  dpo_margin: pairs(
    ["preference_margin_blowup", "likelihood_displacement", "overfitting"],
    "a high rate drives the margin up without bound",
    dpo({ beta: 1, learning_rate: 1e-3 }),
    confirmed(stays("rewards/margins", (value) => value > 15, 0.9), either(FALLS, behind(0.1))),
  ),
  dpo_few_pairs: pairs(
    ["overfitting", "likelihood_displacement", "preference_margin_blowup", "flipped_preference_labels"],
    "a few pairs, some of them the wrong way round, for many epochs",
    dpo({ learning_rate: 5e-4 }, { ...SWAPPED, limit: 120, splits: { train: 0.5, validation: 0.4, held_out: 0.1 } }),
    confirmed(stays("rewards/accuracies", (value) => value > 0.9, 0.8), either(FALLS, behind(0.1))),
  ),
  dpo_swapped: pairs(
    ["flipped_preference_labels", "overfitting"],
    "nearly half of the pairs are the wrong way round",
    dpo({ learning_rate: 3e-4, dpo_loss: ["sigmoid", "sft"], loss_weights: [1, 0.3] }, SWAPPED),
    confirmed(stays("eval_rewards/accuracies", (value) => value < 0.7, 1), either(FALLS, behind(0.1))),
  ),
  kto_both_down: pairs(
    ["likelihood_displacement", "reward_collapse"],
    "the likelihood of wanted and unwanted answers falls",
    kto({ learning_rate: 2e-4, undesirable_weight: 2 }),
    confirmed(fell(0.1, ({ column }) => column("rewards/chosen")), FALLS),
    KTO_TWIN,
  ),
} as const satisfies Readonly<Record<string, Kind>>;
