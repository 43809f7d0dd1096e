/** Cause `irreproducible_step`: the same inputs give other bits in deterministic mode. Needs a replay; no log proves it. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { stepOf } from "./view/run_view.ts";

export default defineDiagnosis({
  codes: ["N05"],
  wastes: "none",
  severity: "fatal",
  about: "Replaying a step with the same inputs gives other bits although the run is deterministic.",
  reads: ["messages.replay_mismatch"],
  decision: "In a run of ours with deterministic: true, the replay of a step wrote a message of kind replay_mismatch.",
  hint: "Stop and repeat on another machine: correct, transient or persistent says which part is at fault.",
  byHand: "Replay twice on this machine and once on another; suspect memory if only this one differs.",
  lookAlikes: { healthy: "a device op declared as non-deterministic may differ within its tolerance" },
  taughtBy: "catalogue N05 (Megatron-LM's re-run verdicts)",
  check(view): Found | null {
    if (view.imported) return null;
    const entry = view.messages.find((line) => line.kind === "replay_mismatch") ??
      message(view, /replay.{0,60}differs? bitwise/i);
    if (entry === null || entry === undefined) return null;
    return {
      trainSteps: stepOf(entry),
      message: "The replayed step has other bits",
      evidence: [messageEvidence(entry)],
    };
  },
});
