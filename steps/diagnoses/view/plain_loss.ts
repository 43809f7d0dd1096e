/** Logs whose loss is 0 on policy but for its KL, by the names that their systems give it. @module */
import type { RunView } from "./run_view.ts";
import { setting } from "./settings.ts";

/** TRL's loss that takes the mean of a completion over its own tokens: what is short weighs more per token. */
export const EACH_OVER_ITS_OWN = "grpo";

/** True if a log's loss takes the mean of a group's advantages, each over its own completion: on policy that is 0. */
export function cancelsInLoss(view: RunView): boolean {
  return view.algorithm === "grpo" && setting(view, "loss")?.value === EACH_OVER_ITS_OWN;
}
