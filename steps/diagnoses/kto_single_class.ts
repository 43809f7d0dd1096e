/** Cause `kto_single_class`: KTO data hold only desirable or only undesirable rows. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { AGREEING_RECORDS, isNumber, show } from "./view/numbers.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { ownNumber, settingEvidence } from "./view/settings.ts";
import { onAll } from "./view/on_records.ts";

/** Train rows of each class, as `train_preferences` counts them. */
const CLASSES: readonly string[] = ["desirable_completions", "undesirable_completions"];

export default defineDiagnosis({
  codes: ["D05", "P05"],
  wastes: "wrong",
  about: "All KTO examples have the same label: there is nothing to contrast.",
  reads: ["chosen_reward", "rejected_reward", "messages.class_imbalance", "settings.desirable_completions"],
  decision:
    "Of rewards/chosen and rewards/rejected one is absent (or NaN) on every one of at least three records while the other is there; in a run of ours, which counts the rows of each class, on one.",
  hint: "Add rows of the other class; then weigh the classes by their counts.",
  remedy: [{ option: "desirable_weight", set: 1 }],
  byHand: 'Check the label column: text labels such as "false" read as true.',
  lookAlikes: { kto_vanilla_loss_nan: "there the missing side changes from record to record" },
  taughtBy: "TRL KTO: rewards/rejected absent on all 30 records, kl 0",
  check(view): Found | null {
    if (view.algorithm !== "kto") return null;
    const there = (name: string) => view.column(name).filter(isNumber).length;
    const [chosen, rejected] = [there("chosen_reward"), there("rejected_reward")];
    const one = chosen === 0 ? rejected : rejected === 0 ? chosen : 0;
    const rows = CLASSES.map((name) => ownNumber(view, name));
    // A run of ours counts the rows of each class: where one has none, the first record tells.
    const certain = one > 0 && rows.some((count) => count === 0);
    if (!certain && one < AGREEING_RECORDS) return null;
    const [have, lack] = chosen === 0 ? ["rejected_reward", "chosen_reward"] : ["chosen_reward", "rejected_reward"];
    const at = view.column(have).findIndex(isNumber);
    const warning = message(view, /different amounts of desirable/i);
    return {
      trainSteps: view.trainSteps,
      message: `${lack} is absent ${onAll(view, one)}: every example is ${
        have === "chosen_reward" ? "desirable" : "undesirable"
      }`,
      evidence: [
        view.evidence(have, at, `${lack} is not there (${show(null)})`),
        ...view.settings.filter(({ name }) => certain && CLASSES.includes(name)).map((entry) => settingEvidence(entry)),
        ...(warning === null ? [] : [messageEvidence(warning)]),
      ],
      ruledOut: { kto_vanilla_loss_nan: "the same side is missing on every record" },
    };
  },
});
