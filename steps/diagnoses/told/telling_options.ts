/** Options that make a symptom a cause: near-greedy sampling, half precision, a weight of 0, rates far from the usual. @module */
import { isBreakingRate, isIdleRate } from "../../../data/usual_learning_rate.ts";
import { trainingOf } from "../view/learning_rate.ts";
import { isNearGreedyOption, NEAR_GREEDY } from "../view/near_greedy.ts";
import type { RunView, Setting } from "../view/run_view.ts";
import { asNumber, setting, settingFlag, settingNumber } from "../view/settings.ts";

export function nearGreedy(view: RunView): readonly Setting[] | null {
  const cold = view.settings.filter(({ option, value }) => {
    const number = asNumber(value);
    return isNearGreedyOption(option) && number !== null && NEAR_GREEDY[option](number);
  });
  return cold.length === 0 ? null : cold.slice(0, 2);
}

export function half(view: RunView): readonly Setting[] | null {
  const found = view.settings.filter(({ name, value }) =>
    /(?:^|[._])fp16$/.test(name) && value !== false ||
    /dtype|precision|mixed/.test(name) && /fp16|(?<!b)float16|half|^f16/i.test(String(value))
  );
  return found.length === 0 ? null : found.slice(0, 1);
}

/** Gradient checkpointing, where it is on. */
export function checkpointing(view: RunView): readonly Setting[] | null {
  const asked = setting(view, "gradient_checkpointing");
  return asked === null || settingFlag(view, "gradient_checkpointing") === false ? null : [asked];
}

/** A weight of the KL of 0 in preferences. */
export const zeroBeta = (view: RunView): readonly Setting[] | null => {
  const found = setting(view, "kl_coef");
  return found !== null && asNumber(found.value) === 0 ? [found] : null;
};

/** A rate from which this kind of training breaks as a rule. */
export function highRate(view: RunView): readonly Setting[] | null {
  const found = setting(view, "learning_rate"), rate = settingNumber(view, "learning_rate");
  return found !== null && rate !== null && isBreakingRate(rate, trainingOf(view)) ? [found] : null;
}

/** A rate at which nothing moves in a run of a usual length. */
export function tinyRate(view: RunView): readonly Setting[] | null {
  const found = setting(view, "learning_rate"), rate = settingNumber(view, "learning_rate");
  const training = { ...trainingOf(view), supervised: false }; // On given texts less moves the loss.
  return found !== null && rate !== null && isIdleRate(rate, training) ? [found] : null;
}

/** KTO's plain mean over each class. */
export function vanillaLoss(view: RunView): readonly Setting[] | null {
  const asked = setting(view, "kto_vanilla_loss");
  return asked === null || settingFlag(view, "kto_vanilla_loss") === false ? null : [asked];
}
