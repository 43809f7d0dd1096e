/** Cause `old_logprob_nan`: log-probabilities turn NaN in mid-run; the weights follow, the sampler emits token 0. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { SMALLER_STEPS } from "./remedies/often.ts";
import {
  type FirstNonFinite,
  firstNonFinite,
  isCriticAlone,
  locatedNonFinite,
  nonFiniteEvidence,
} from "./view/non_finite.ts";
import { isReinforcement } from "./view/groups.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { isNumber, show } from "./view/numbers.ts";
import { firstAndLast, isTokenZero, quote, texts } from "./view/texts.ts";
import { type Completion, type RunView, stepOf } from "./view/run_view.ts";

export default defineDiagnosis({
  codes: ["N01", "M01"],
  wastes: "all",
  severity: "fatal",
  applies: isReinforcement,
  about:
    "Log-probabilities turned NaN in the middle of the run; the weights followed and the sampler now writes token 0.",
  reads: ["grad_norm", "kl", "entropy", "approx_kl", "policy_loss", "loss", "completions.text"],
  decision:
    "In reinforcement learning, at least one finite record (or an excerpt that starts in mid-run), then grad_norm, entropy or the policy loss NaN. Without any metric, completions of one repeated character decide. Everything after the first non-finite record is an after-effect: lengths at the cap, rewards at the floor.",
  hint:
    "Go back before the first non-finite step and replay it with every intermediate watched; compute the log-softmax in fp32, clamp the KL term, or switch the KL loss off.",
  remedy: [SMALLER_STEPS],
  byHand: "Resume from the last checkpoint before the first NaN; weights written after it are lost.",
  lookAlikes: {
    non_finite_weights: "there the first record of the run is NaN already",
    truncated_completions: "lengths jump to the cap only after the NaN",
    all_incorrect_reward_floor: "rewards fall to the floor only after the NaN",
  },
  taughtBy: 'verl and OpenRLHF: "!!!!" (token id 0), actor/pg_loss, kl_loss and grad_norm nan, length = cap, score -1',
  check(view): Found | null {
    const first = firstNonFinite(view);
    if (first === null) return byText(view) ?? byCrash(view);
    if (isCriticAlone(view, first)) return null;
    if (first.infinite || (first.finiteBefore === 0 && !first.excerpt) || isWeakSign(view, first)) return null;
    if (first.count < 2 && first.record < view.records - 2) return null;
    const at = first.record, located = locatedNonFinite(view), bang = tokenZeroOf(view);
    const before = at > 0 ? SOUND.find((name) => isNumber(view.column(name)[at - 1])) : undefined;
    return {
      trainSteps: view.stepsFrom(at),
      message: `${first.columns.join(", ")} turn NaN at train step ${view.trainSteps[at]}${
        before === undefined ? "" : ` (${before} was ${show(view.column(before)[at - 1])} before)`
      }${located === null ? "" : `; first: ${located.tensor}`}`,
      evidence: [
        ...(located === null ? [] : [located.evidence]),
        ...(before === undefined ? [] : [view.evidence(before, at - 1, "the last finite record")]),
        ...nonFiniteEvidence(view, first),
        ...(isNumber(view.column("completion_length")[at])
          ? [view.evidence("completion_length", at, "an after-effect")]
          : []),
        ...(bang === undefined ? [] : [quote(bang, "token id 0: an after-effect")]),
      ],
      ruledOut: {
        truncated_completions: "lengths reach the cap after the NaN",
        non_finite_weights: first.finiteBefore > 0
          ? `${first.finiteBefore} records before it are finite`
          : "the log starts in mid-run",
      },
    };
  },
});

/** Of these the last finite value is told. */
const SOUND = ["grad_norm", "kl", "entropy"];

function tokenZeroOf(view: RunView): Completion | undefined {
  return view.completions.find((row) => isTokenZero(row.text));
}

/** Without any metric: what a sampler emits for NaN logits. */
function byText(view: RunView): Found | null {
  const bang = tokenZeroOf(view);
  if (view.records > 0 || bang === undefined) return null;
  if (Math.max(texts(view).tokenZero, firstAndLast(view).last.tokenZero) < 0.5) return null;
  return {
    trainSteps: stepOf(bang),
    message: "Completions are one character over and over: token id 0, what a sampler emits for NaN logits",
    evidence: [quote(bang)],
    confirm: "the metrics: the first step with a NaN in kl, entropy or grad_norm names the cause",
  };
}

/** The sampler stops after records that were healthy. */
function byCrash(view: RunView): Found | null {
  const crash = message(view, /probability tensor contains either|invalid multinomial distribution/i);
  const healthy = ["loss", "grad_norm", "entropy"].some((name) => view.column(name).some(isNumber));
  if (crash === null || !healthy) return null;
  return {
    trainSteps: view.trainSteps.slice(-1),
    message: "After healthy records sampling stops on probabilities that are inf or nan",
    evidence: [messageEvidence(crash)],
  };
}

/** One weak column alone is NaN, and the gradient is there or the loss was finite again: no log-probs have turned. */
function isWeakSign(view: RunView, { record, columns, vanished }: FirstNonFinite): boolean {
  const strong = columns.some((name) => name !== "kl" && name !== "loss");
  if (strong || columns.length >= 2 || vanished.length > 0) return false;
  return isNumber(view.column("grad_norm")[record]) || view.column("loss").slice(record).some(isNumber);
}
