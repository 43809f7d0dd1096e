/** Cause `gradient_checkpointing_cuts_gradient`: re-entrant checkpointing with frozen inputs stops backward. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { setting, settingEvidence } from "./view/settings.ts";
import { stepOf } from "./view/run_view.ts";

export default defineDiagnosis({
  codes: ["N08"],
  wastes: "all",
  severity: "fatal",
  about: "Re-entrant gradient checkpointing with frozen inputs cuts the graph: backward has nothing to differentiate.",
  reads: ["messages.no_grad_function", "settings.gradient_checkpointing"],
  decision:
    'The error "does not require grad and does not have a grad_fn". The warning "None of the inputs have requires_grad" alone proves nothing: it appears in runs that learn.',
  hint: "Use the non-re-entrant variant, or give the inputs gradients.",
  byHand: "gradient_checkpointing_kwargs={'use_reentrant': False}, or model.enable_input_require_grads().",
  lookAlikes: {
    no_trainable_parameters: "there the trainable count is 0",
    broken_gradient_path: "there backward runs and gives 0",
  },
  taughtBy: "TRL 0.15 with PEFT: element 0 of tensors does not require grad and does not have a grad_fn",
  check(view): Found | null {
    const error = message(view, /does not require grad and does not have a grad_fn/i);
    if (error === null) return null;
    const options = [setting(view, "gradient_checkpointing_reentrant"), setting(view, "gradient_checkpointing")];
    return {
      trainSteps: stepOf(error),
      message: "Backward finds nothing to differentiate: checkpointing has cut the graph",
      evidence: [messageEvidence(error), ...options.flatMap((entry) => entry === null ? [] : [settingEvidence(entry)])],
      ruledOut: { no_trainable_parameters: "no count of 0 trainable parameters is printed" },
    };
  },
});
