/** Cause `repeated_token_degeneration`: one token or phrase repeats without end. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { MORE_KL, SMALLER_STEPS } from "./remedies/often.ts";
import { isPreference, isReinforcement } from "./view/groups.ts";
import { mean, percent, TELLING_COMPLETIONS, written } from "./view/numbers.ts";
import { PRINTED_STEPS, thirdsOf } from "./view/copying.ts";
import { firstAndLast, isLooping, isTokenZero, LONGEST_PERIOD, manySince, quote } from "./view/texts.ts";
import type { RunView } from "./view/run_view.ts";
import { ARRIVED, isUnmoved, showsArrival } from "./view/start.ts";

const LOOPING = 0.2, MOST = 0.6; // Share of the completions, at least two of them; of a few, most.
/** Of a share that grows: the least one of the last third of the printed train steps, and standard errors of its growth. */
const GROWN = 0.1, SURE = 3;

export default defineDiagnosis({
  codes: ["T01", "H01", "E01"],
  wastes: "all",
  // What a policy of pairs writes, a post quotes.
  applies: (view) => (isReinforcement(view) || view.isPost && isPreference(view)) && !isUnmoved(view),
  about: "Completions repeat one token or phrase without end.",
  reads: ["completions.text", "completion_length", "truncated_fraction"],
  decision:
    written`In the last printed train step more than ${LOOPING} % of the completions (and at least two) repeat with one period of at most ${LONGEST_PERIOD} characters over their second half; a single printed completion that does so counts when nothing else is printed. A warning from ${GROWN} % on, of the completions of the last third of at least ${PRINTED_STEPS} printed train steps, on two of these at least and ${SURE} binomial standard errors above the first third. Silent as long as no gradient has reached the policy: then it arrived like this.`,
  spoils: true,
  hint: "Go back to a checkpoint that writes, lower the learning rate, keep a KL to the reference.",
  remedy: [SMALLER_STEPS, ...MORE_KL],
  lookAlikes: {
    old_logprob_nan: "there it is token id 0 with NaN metrics",
    mode_collapse: "there the text is normal and the same for all prompts",
  },
  taughtBy: "TRL: <think><think><think> up to the cap with finite metrics",
  check(view): Found | null {
    if (view.completions.length === 0) return null;
    const { last: facts, first, steps } = firstAndLast(view);
    const enough = facts.count >= TELLING_COMPLETIONS
      ? facts.looping > LOOPING && facts.looping * facts.count >= 2
      : facts.looping > MOST;
    if (!enough && !(facts.tokenZero > 0.5)) return growing(view);
    const example = view.completions.findLast(({ text }) => repeats(text));
    if (example === undefined) return null;
    const arrived = steps > 1 && Math.max(first.looping, first.tokenZero) >= 0.5 && showsArrival(view);
    return {
      trainSteps: manySince(view, LOOPING, ({ text }) => repeats(text)),
      message: `${percent(Math.max(facts.looping, facts.tokenZero))} of the completions repeat without end${
        steps > 1 ? ` (at first ${percent(first.looping)})` : ""
      }`,
      evidence: [quote(example)],
      ruledOut: facts.tokenZero < 0.5 ? { old_logprob_nan: "the repeated text is not token 0" } : {},
      ...(arrived ? ARRIVED : {}),
    };
  },
});

const repeats = (text: string) => isLooping(text) || isTokenZero(text);

/** More and more of them repeat, before it is many at once: one in ten is on its way. */
function growing(view: RunView): Found | null {
  const thirds = thirdsOf(view.completions, ({ text }) => repeats(text) ? 1 : 0);
  if (thirds === null) return null;
  const [first, last] = [mean(thirds.first), mean(thirds.last)], rows = view.completions.length / 3;
  const middle = (first + last) / 2, error = Math.sqrt(2 * middle * (1 - middle) / rows);
  const isSpread = thirds.last.filter((share) => share > 0).length > 1;
  if (last < GROWN || !isSpread || last - first <= SURE * error) return null;
  const example = view.completions.findLast(({ text, trainStep }) =>
    trainStep !== null && trainStep >= thirds.since && repeats(text)
  );
  if (example === undefined) return null;
  return {
    severity: "warning",
    trainSteps: view.trainSteps.filter((step) => step >= thirds.since),
    message: `At risk: ${percent(last)} of the completions from train step ${thirds.since} on repeat without end, ${
      percent(first)
    } of the first ones`,
    evidence: [quote(example)],
    ruledOut: { mode_collapse: "the others end by themselves" },
  };
}
