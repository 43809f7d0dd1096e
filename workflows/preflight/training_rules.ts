/** Rules on what training steps are held by and measured on: weights of the KL, validation rows, and that one trains at all. @module */
import { STEPS } from "../../steps/mod.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Facts, Known } from "./facts.ts";
import { at, type Report } from "./finding.ts";

/** A hundred times the largest that is usual (0.1): the loss is the KL and nothing else. */
const FAR_KL = 10;
const FAR_BETA = 100; // SimPO's relatives take up to 10.
const USUAL_BETA = 0.1;

/** Weights that leave nothing of the reward, or nothing of the loss. */
export function regularization({ each }: Facts): Report[] {
  const kl = [...each("apply_update"), ...each("compute_advantages")].flatMap(({ step, params }): Report[] => {
    const weight = "kl_coef" in params ? params.kl_coef as number : 0;
    if (!(weight >= FAR_KL)) return [];
    const message = `kl_coef is ${weight}: nothing is left of the reward beside it; usual is 0 to 0.1`;
    return [{ severity: "warning", message, path: at(step, "kl_coef") }];
  });
  const beta = each("train_preferences").flatMap(({ step, params }): Report[] => {
    const { beta, loss, dpo_loss } = params, losses = loss === "dpo" ? [dpo_loss].flat() : [loss];
    const path = at(step, "beta"), needs = losses.some((name) => name !== "sft");
    if (beta === 0 && needs) {
      const message = `beta is 0: ${losses.join(" and ")} has no gradient without it; the usual value is ${USUAL_BETA}`;
      return [{ severity: "error", message, path }];
    }
    if (beta < FAR_BETA) return [];
    const message = `beta is ${beta}: the policy cannot leave the reference; the usual value is ${USUAL_BETA}`;
    return [{ severity: "warning", message, path }];
  });
  return [...kl, ...beta];
}

/** A measurement on validation rows wants some. */
export function validation({ each, before, preferences }: Facts): Report[] {
  const isWithout = (step: PlannedStep) => {
    const loaded = before("load_preferences", step);
    if (loaded === null) return false;
    const own = preferences.find((one) => one.loaded.step === loaded.step);
    return loaded.params.splits.validation === 0 || own?.problem === null && !own.splits.has("validation");
  };
  const asked = [
    ...each("train_preferences").map(({ step, params }) => ({
      step,
      key: "evaluate_every",
      on: params.evaluate_every,
    })),
    ...each("train_reward_model").map(({ step, params }) => ({
      step,
      key: "until_accuracy",
      on: params.until_accuracy,
    })),
  ];
  return asked.flatMap(({ step, key, on }): Report[] => {
    if (on === undefined || !isWithout(step)) return [];
    const message = `${key} measures on validation rows and there are none; raise splits.validation of ` +
      `load_preferences, or leave ${key} out`;
    return [{ severity: "error", refuses: true, message, path: at(step, key) }];
  });
}

/** Steps after which weights of each kind are others than those that were loaded. */
const TRAINERS: Readonly<Record<Known<"export_model">["params"]["what"], readonly string[]>> = {
  policy: ["fine_tune", "apply_update", "train_preferences"],
  critic: ["update_critic"],
  reward_model: ["train_reward_model"],
};

/** What is exported was trained, or merged; a step of one's own may have trained it. */
export function untrainedExport({ each, steps }: Facts): Report[] {
  const isOwn = steps.some(({ step }) => !Object.hasOwn(STEPS, step.uses) || step.params === null);
  const isMerged = each("load_model").some(({ params }) => params.adapter !== undefined);
  if (isOwn) return [];
  return each("export_model").flatMap(({ step, params: { what } }): Report[] => {
    const trainers = TRAINERS[what], place = steps.findIndex((visit) => visit.step === step);
    const isTrained = steps.slice(0, place).some(({ step: { uses } }) => trainers.includes(uses));
    if (isTrained || (what === "policy" && isMerged)) return [];
    const message = `no step before trains the ${what.replace("_", " ")}: what is exported is what was loaded; put ` +
      `${trainers.join(", ").replace(/, (?=[^,]*$)/, " or ")} before it`;
    return [{ severity: "warning", message, path: at(step, "what") }];
  });
}
