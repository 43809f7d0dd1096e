/** Cause `flat_reward_no_learning`: everything looks healthy and the reward has no trend. @module */
import { NO_SPREAD } from "../../data/statistics/mod.ts";
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { errorOf } from "./view/course.ts";
import { isReinforcement } from "./view/groups.ts";
import { mean, median, show, written } from "./view/numbers.ts";
import { since, topOf, truths } from "./view/progress.ts";
import { levelOf } from "./view/rewards.ts";
import { spreadSummary } from "./view/spread.ts";
import { startsInTheMiddle } from "./view/start.ts";
import { trainsSteps } from "./view/learning_rate.ts";
import { differenceError, wanderOf } from "./view/wander.ts";

/** Updates after which something should have moved, and those from which on the reward may show by itself that none has. */
const HUNDREDS = 200;
export const HUNDRED = 100;
const RECORDS = 40, OWN_RECORDS = 100; // Records, and those of a run of ours, which prints each update.
const STILL = 1e-5, FAR = 0.5; // Nats per token: below, the policy has not moved; above, that alone is the fault.
const SOLVED = 0.9; // Height on the scale of a reward that leaves little to gain.
/** Nats per token: a policy that is so far away writes other completions, some tens of tokens long, than it began with. */
const GOES = 0.01;
/** The parts whose means are compared. */
const QUARTERS = [0, 1, 2, 3];
const WIDEST = 0.12; // Share of the scale that the reward may have gained over the run, or lost, unseen.
const QUARTERS_APART = 4, NO_SLOPE = 2.5; // Standard errors within which quarters, and thirds, are the same.
const BOUND = 2; // Standard errors between which the gain is believed to lie.
const THIRDS_TO_RUN = 3 / 2; // From the middle of the first third to that of the last are two thirds of the run.

const UNPAID =
  "The policy moves and the reward does not follow: larger steps do not help. Score right and wrong answers by hand with the " +
  "reward function: one that hardly tells them apart teaches nothing. Else give partial credit, or larger groups.";

export default defineDiagnosis({
  codes: ["S01", "R05", "G04"],
  wastes: "all",
  severity: "warning",
  applies: isReinforcement,
  about: "All health metrics are fine but the reward has not moved in hundreds of steps.",
  reads: ["reward", "kl", "zero_spread_fraction", "reward_std", "grad_norm"],
  decision: [
    written`At least ${HUNDREDS} updates on at least ${RECORDS} records (from ${HUNDRED} on where the reward alone shows it); no quarter's mean differs from another's by more than ${QUARTERS_APART} standard errors.`,
    written`The gain is that of the last third over the first, drawn out to the whole run; its standard error is that of noise with the memory that the reward shows. It is within ${NO_SLOPE} standard errors of 0 and, with ${BOUND} of them, at most ${WIDEST} % of the reward's scale; without them where a held-out score or a goal is flat.`,
    written`The KL is above ${STILL} and below ${FAR} (or not printed); groups have spread; the reward is between the ends, and no held-out score or goal rises by ${QUARTERS_APART} standard errors.`,
    written`From a KL of ${GOES} on larger steps are no remedy: the policy moves, and what it is paid for says nothing.`,
    "In a log that begins in mid-run the verdict is open: the reward may have risen before.",
  ],
  hint:
    "The step is too small for the signal: raise the batch or the group size, a learning rate below the usual one, or give partial credit.",
  remedy: [{ step: "apply_update", key: "learning_rate", mul: 3, usual: true, max: 1e-3 }],
  lookAlikes: {
    update_too_small: "there the KL is at rounding level",
    zero_reward_variance: "there groups have no spread",
    kl_explosion: "there the policy runs far from its reference",
  },
  taughtBy: "TRL Wordle: 400 steps, quarter means -0.229, -0.265, -0.246, -0.229, KL below 0.01",
  check(view): Found | CannotTell | null {
    const values = view.finite("reward");
    if (values.length < RECORDS || trainsSteps(view) < HUNDRED || !view.imported && values.length < OWN_RECORDS) {
      return null;
    }
    const { share, spread, flat } = spreadSummary(view);
    if ((share !== null && share > NO_SPREAD.groups) || flat.length > spread.length + 0.5 * values.length) return null;
    const kl = view.finite("kl");
    const late = kl.length === 0 ? null : median(kl.slice(-Math.ceil(kl.length / 4)));
    if (late !== null && (late <= STILL || late > FAR)) return null;
    if (levelOf(view, median(values)) !== "between" || mean(values) > SOLVED * topOf(values)) return null;
    const quarter = Math.floor(values.length / 4);
    const quarters = QUARTERS.map((index) => values.slice(index * quarter, (index + 1) * quarter));
    const means = quarters.map(mean);
    const first = view.trainSteps[0]!, judges = truths(view), { gain, error, apart } = gainOf(values);
    // What scatters too widely to be shown flat is no witness, unless a held-out score or a goal is flat over a long run.
    const isTold = trainsSteps(view) >= HUNDREDS && judges.some((truth) => since(truth, first).direction === "flat");
    if (gain + (isTold ? 0 : BOUND * error) > WIDEST * topOf(values) || gain > NO_SLOPE * error) return null;
    if (Math.max(...means) - Math.min(...means) > QUARTERS_APART * apart) return null;
    if (judges.some((truth) => since(truth, first).by > QUARTERS_APART * errorOf(truth.course))) return null;
    if (startsInTheMiddle(view)) {
      return {
        missing: [`the records before train step ${first}`],
        because: `the reward has no trend from train step ${first} on: whether it rose before is not to be seen`,
      };
    }
    return {
      trainSteps: [first, view.trainSteps.at(-1)!],
      message: `No trend in ${trainsSteps(view)} updates: quarter means of the reward ${means.map(show).join(", ")}${
        late === null ? "" : `, KL ${show(late)}`
      }`,
      evidence: [
        view.evidence("reward", 0),
        view.evidence("reward", view.records - 1),
        ...(late === null ? [] : [view.evidence("kl", view.records - 1)]),
      ],
      ...(late !== null && late >= GOES ? { hint: UNPAID, remedy: [] } : {}),
      ruledOut: { zero_reward_variance: "groups have spread" },
    };
  },
});

/** How far the reward has moved over the run, up or down, the standard error of that, and of the distance of two quarters. */
function gainOf(values: readonly number[]) {
  const third = Math.floor(values.length / 3), quarter = Math.floor(values.length / 4), wander = wanderOf(values);
  const by = mean(values.slice(-third)) - mean(values.slice(0, third));
  return {
    gain: THIRDS_TO_RUN * Math.abs(by),
    error: THIRDS_TO_RUN * differenceError(wander, third, third, values.length - 2 * third),
    apart: differenceError(wander, quarter, quarter, values.length - 2 * quarter),
  };
}
