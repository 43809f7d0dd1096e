/** Cause `no_trainable_parameters`: an adapter is frozen or matched no module, nothing is trained. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isAfterTraining } from "./view/after_training.ts";
import { message, messageEvidence } from "./view/messages.ts";
import type { RunView } from "./view/run_view.ts";
import { ownNumber, settingEvidence } from "./view/settings.ts";
import { written } from "./view/numbers.ts";

const HARDLY_ANY = 1e-3; // Share of the parameters below which nothing that matters trains.

const FROZEN =
  "Look for what freezes the adapter after it was added: prepare_model_for_kbit_training() after get_peft_model(), an " +
  "adapter loaded without is_trainable, a requires_grad_(False) on the whole model; or target modules that match no layer.";
const THAW =
  "PeftModel.from_pretrained(model, folder, is_trainable=True); prepare_model_for_kbit_training() before get_peft_model(); " +
  "then model.print_trainable_parameters() before training.";

const ZERO =
  /trainable (?:params|parameters)\s*[:=]\s*0(?![\d.,]*[1-9])|number of trainable parameters\s*[:=]\s*0(?![\d.,]*[1-9])/i;
const UNMATCHED =
  /target modules? .{0,200}not found in the base model|no modules? (?:were|was) (?:targeted|matched)|optimizer got an empty parameter list/i;

export default defineDiagnosis({
  codes: ["C02"],
  wastes: "all",
  severity: "fatal",
  about: "Nothing is trainable: the adapter is frozen or its target modules match no layer.",
  reads: ["messages.trainable_parameters", "messages.exception", "grad_norm"],
  decision:
    written`A printed count of 0 trainable parameters (in a run of ours: less than ${HARDLY_ANY} % of them, or of its adapter) decides alone, whatever grad_norm says; so does an adapter whose target modules match nothing, or an optimizer without parameters.`,
  hint: "Check the adapter's target modules against the layer names, and that nothing freezes it after it was added.",
  remedy: [{ step: "load_model", key: "trainable", set: ["*"] }, { option: "lora_target_modules", set: "all-linear" }],
  byHand: 'Set target_modules to "all-linear" and print the count of trainable parameters before training.',
  ours: "Check the patterns of trainable in load_model against the names of the tensors.",
  lookAlikes: {
    broken_gradient_path: "there the trainable count is above 0",
    zero_reward_variance: "there groups have no spread",
  },
  taughtBy: "PEFT: trainable params: 0 || all params: 7,655,986,688 after prepare_model_for_kbit_training",
  check(view): Found | null {
    const count = view.messages.find((entry) => entry.kind === "trainable_parameters" && entry.value === 0) ??
      message(view, ZERO) ?? message(view, UNMATCHED);
    if (count === null) return nearlyFrozen(view);
    // A model that is loaded to answer has no parameter to train.
    if (view.isPost && isAfterTraining(count.text)) return null;
    const none = ZERO.test(count.text) || count.value === 0, gradient = view.column("grad_norm");
    const zero = gradient.findIndex((value) => value === 0);
    return {
      trainSteps: view.trainSteps.slice(0, 1),
      message: none ? "0 parameters are trainable" : "the adapter's target modules match no layer of the model",
      evidence: [messageEvidence(count), ...(zero >= 0 ? [view.evidence("grad_norm", zero)] : [])],
      ...(none ? { hint: FROZEN, byHand: THAW } : {}),
      ruledOut: {
        broken_gradient_path: none
          ? "the count of trainable parameters itself is 0"
          : "the run ended before anything could be trained",
      },
    };
  },
});

/** A single norm or bias: nothing a run of ours was meant to train. */
function nearlyFrozen(view: RunView): Found | null {
  const adapter = ownNumber(view, "adapter_parameters");
  const [trainable, all] = [ownNumber(view, "trainable_parameters"), adapter ?? ownNumber(view, "parameters")];
  if (trainable === null || all === null || trainable >= HARDLY_ANY * all) return null;
  return {
    trainSteps: view.trainSteps.slice(0, 1),
    message: `${trainable} of ${all} parameters ${adapter === null ? "" : "of the adapter "}are trainable`,
    evidence: view.settings.filter(({ name }) => name === "trainable_parameters").map((entry) =>
      settingEvidence(entry)
    ),
    hint: 'Check the patterns of "trainable" in load_model.',
    remedy: [{ step: "load_model", key: "trainable", set: ["*"] }],
  };
}
