/** Rules on the update: step sizes and bounds that do nothing or destroy, and the reference it needs. @module */
import { CLIP } from "../../gpu/losses/presets.ts";
import { CRUSHING } from "../../steps/diagnoses/update_too_small.ts";
import { usualStepRate } from "../../data/usual_learning_rate.ts";
import { trainsAdapter } from "../../steps/options/lora.ts";
import type { Facts } from "./facts.ts";
import { at, type Report } from "./finding.ts";

const HIGH = 10; // From here a learning rate is far out: few policies stand it, and from FAR on none.
const FAR = 100;
const TRAINED: Readonly<Record<string, string>> = {
  apply_update: "policy",
  fine_tune: "policy",
  train_preferences: "policy",
  train_reward_model: "reward model",
  update_critic: "critic",
};

/** Every step that has a learning rate. */
function updaters(each: Facts["each"]) {
  return [
    ...each("apply_update"),
    ...each("fine_tune"),
    ...each("train_preferences"),
    ...each("train_reward_model"),
    ...each("update_critic"),
  ];
}

/** A learning rate of 0 trains nothing; one a hundred times the usual destroys the policy in its first updates. */
export function learningRate({ each, model }: Facts): Report[] {
  const parameters = model?.layout?.count ?? null;
  const adapted = model !== null && trainsAdapter(model.loaded.params);
  const usualOf = (step: string) => parameters === null ? null : usualStepRate(step, { parameters, adapter: adapted });
  return updaters(each).flatMap(({ step, params }): Report[] => {
    const usual = usualOf(step.uses), high = step.uses === "apply_update" ? HIGH : FAR;
    const rate = params.learning_rate, path = at(step, "learning_rate");
    if (rate === 0) {
      const message = "learning_rate is 0: no weight ever changes; set it above 0";
      return [{ severity: "error", refuses: true, message, path }];
    }
    if (usual === null || rate < high * usual * (1 - 1e-9)) return [];
    const times = Math.round(rate / usual), isFar = rate >= FAR * usual * (1 - 1e-9);
    const message = `learning_rate is ${rate}, ${times} times what is usual for a model of this size (${usual}): ` +
      `${
        isFar ? `the first updates destroy the ${TRAINED[step.uses]}` : "few policies stand it for long"
      }; start from ${usual}`;
    return [{ severity: isFar ? "error" : "warning", message, path }];
  });
}

/** A bound so small that no update is left of the gradient. */
export function gradientBound({ each }: Facts): Report[] {
  return updaters(each).flatMap(({ step, params }): Report[] => {
    if (params.max_grad_norm > CRUSHING) return [];
    const message =
      `max_grad_norm is ${params.max_grad_norm}: clipped gradients vanish beside Adam's epsilon and nothing ` +
      `is learned; the usual value is 1`;
    return [{ severity: "error", message, path: at(step, "max_grad_norm") }];
  });
}

const LARGE_EPSILON = 1e-3; // Gradients of language models have roots of second moments far below it.

/** The options that other systems call epsilon, of the steps that have one. */
const CLIPPING: Readonly<Record<string, string>> = {
  apply_update: "the range of the ratio is clip_low and clip_high",
  update_critic: "the range of the values is value_clip",
};

/** Adam's epsilon at the size of a clip range, which others call epsilon. */
export function adamEpsilon({ each }: Facts): Report[] {
  return updaters(each).flatMap(({ step, params: { optimizer, epsilon } }): Report[] => {
    if (optimizer === "sgd" || epsilon <= LARGE_EPSILON) return [];
    const clipping = CLIPPING[step.uses];
    const message =
      `epsilon is ${epsilon}: it is Adam's, added to the root of the second moment, beside which updates ` +
      `nearly vanish; the usual value is 1e-8${clipping === undefined ? "" : `, and ${clipping}`}`;
    return [{ severity: "warning", message, path: at(step, "epsilon") }];
  });
}

/** A ratio that may not move at all. */
export function clipRange({ each }: Facts): Report[] {
  return each("apply_update").flatMap(({ step, params }): Report[] => {
    if (params.clip_low !== 0 || params.clip_high !== 0) return [];
    const message =
      `clip_low and clip_high are 0: every token is clipped after the first update; the usual value is ${CLIP}`;
    return [{ severity: "error", message, path: at(step, "clip_low") }];
  });
}

/** A reference without KL costs a pass and only measures. */
export function reference({ each }: Facts): Report[] {
  const loaded = each("load_model");
  if (loaded.length !== 1) return [];
  const { step: load, params: { reference } } = loaded[0]!;
  const users = [...each("apply_update"), ...each("compute_advantages")].filter(({ params }) => params.kl_coef > 0);
  if (reference === "none" || users.length > 0 || each("sample_groups").length === 0) return [];
  const message =
    `reference is "${reference}" and every kl_coef is 0: KL is measured, not used, at one forward pass per ` +
    "train step";
  return [{ severity: "info", message, path: at(load, "reference") }];
}

/** Preferences are trained against a reference, which load_model makes only when it is asked to. */
export function missingReference({ each, before, steps }: Facts): Report[] {
  if (steps.filter(({ step }) => step.uses === "load_model").length !== each("load_model").length) return [];
  return each("train_preferences").flatMap(({ step, params: { loss, reference_free } }): Report[] => {
    const load = before("load_model", step);
    if (reference_free || load?.params.reference !== "none") return [];
    const message = `train_preferences with loss ${loss} compares with a reference and the reference is none; set ` +
      `reference: copy of load_model${loss === "dpo" ? ", or reference_free: true" : ""}`;
    return [{ severity: "error", refuses: true, message, path: at(load.step, "reference") }];
  });
}

/** Values of a critic that began at random and that no step trains say nothing; one from a folder may be kept as it is. */
export function untrainedCritic({ each, steps }: Facts): Report[] {
  const [load] = each("load_critic");
  if (load === undefined || load.params.model !== undefined) return [];
  if (steps.some(({ step }) => step.uses === "update_critic")) return [];
  return each("compute_values").map(({ step }): Report => ({
    severity: "warning",
    message: `the values come from the critic of "${load.step.id}", which begins at random and which no step trains: ` +
      "advantages are returns with its error in them; add update_critic after apply_update",
    path: at(step, "uses"),
  }));
}

/** A schedule that has ended long before the run trains at learning rate 0. */
export function schedule({ each }: Facts): Report[] {
  return each("apply_update").flatMap(({ step, params, rounds }): Report[] => {
    if (params.schedule === "constant" || params.schedule_updates === undefined) return [];
    const updates = Math.floor(rounds / step.every) * params.updates_per_rollout;
    if (2 * params.schedule_updates > updates) return [];
    const message = `schedule_updates is ${params.schedule_updates} and the run makes up to ${updates} updates: the ` +
      `learning rate is 0 for the rest; want ${updates}`;
    return [{ severity: "warning", message, path: at(step, "schedule_updates") }];
  });
}

/** Repairs begin with a finding of the step diagnose. */
export function repair({ each, plan }: Facts): Report[] {
  const updates = each("apply_update");
  if (plan.settings.repair !== "apply" || updates.length === 0) return [];
  if (each("diagnose").some(({ params }) => params.on_error === "stop")) return [];
  const message = 'repair is "apply" and no step diagnose with on_error: stop would find anything to repair; add one ' +
    "after apply_update";
  return [{ severity: "warning", message, path: ["repair"] }];
}
