/** What to do about a rate of 0 where the configuration has one above 0: setting a rate again repairs nothing. @module */
import type { RunView } from "../view/run_view.ts";
import { settingNumber } from "../view/settings.ts";

const LOOK =
  "The configured rate is above 0: look at the schedule and its warm-up (how many steps they were given, whether the " +
  "scheduler steps at all), and print the rate with all its digits.";

/** Advice where a rate above 0 is configured; none where the rule's own holds. */
export const ofSchedule = (view: RunView): { readonly hint?: string; readonly remedy?: readonly [] } =>
  (settingNumber(view, "learning_rate") ?? 0) > 0 ? { hint: LOOK, remedy: [] } : {};
