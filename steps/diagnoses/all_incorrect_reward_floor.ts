/** Cause `all_incorrect_reward_floor`: every completion is wrong, so every reward is the floor. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { type Flatness, flatness, levelOf, rewardFunctions } from "./view/rewards.ts";
import { isNotCancelling } from "./view/spread.ts";
import { percent, recordsOf, show, written } from "./view/numbers.ts";
import { courseOf, crossing, levelsSince } from "./view/course.ts";
import { heightOf } from "./view/progress.ts";
import { goldAmongZero } from "./view/gold.ts";
import { quote } from "./view/texts.ts";
import type { RunView } from "./view/run_view.ts";
import { onAll, onSome, onThese } from "./view/on_records.ts";

const MOST = 0.9; // Share of the records with a reward that must be flat at the floor.
/** Of a long run: share of groups that tie, with its slack; height on the reward's scale; share of the run. */
const MOST_TIE = 0.94, SLACK = 0.12, AT_FLOOR = 0.07, LONG = 0.35;
/** An epoch, or a train step, by which a policy is no longer untrained: from there one record is a fault. */
const LATE_EPOCH = 0.1, LATE_STEP = 10;
/** Records at the floor that a log must show, and a run of ours; and those that make a dead end; with a third of all. */
const LEAST = 2, OWN_RECORDS = 10, TAIL = 10;
const LEVELS = 12, HARDLY = 0.01; // Stretches of a long run, and a mean reward of next to nothing where one is right.
const SEEN = 50; // Records without a right completion beside a form that is learned.

export default defineDiagnosis({
  codes: ["R02", "R04"],
  wastes: "flat",
  applies: isNotCancelling,
  about: "Every completion is wrong and gets the lowest reward: there is nothing to reinforce.",
  reads: ["reward", "reward_std", "zero_spread_fraction", "truncated_fraction", "completions"],
  decision:
    written`All groups are flat at the floor (0 or a negative whole number) on at least ${LEAST} records (${OWN_RECORDS} in a run of ours, which is open before) and ${MOST} % of the records with a reward, or on the last ${TAIL} and a third of all; a single record counts after train step ${LATE_STEP} or ${LATE_EPOCH} epochs. Over a long run also where for ${LONG} % of it ${MOST_TIE} % of the groups tie and the reward ends within ${AT_FLOOR} % of its scale above the floor. Where ties are not printed also where the reward never averages more than ${HARDLY}, and single ones reach a half and more. Or where beside functions of form alone every goal is 0 on ${SEEN} records and more. Four printed records with completions that never hold the gold answer count too.`,
  hint: "Start from easier prompts or a supervised warm start, or give partial credit.",
  byHand: "Give easier prompts, a warm start, or a reward with partial credit.",
  lookAlikes: {
    reward_parser_mismatch: "there a printed completion holds the right answer",
    truncated_completions: "there most completions reach the cap",
    garbled_generation: "there the text is noise",
  },
  taughtBy: "TRL: a recall reward of exactly -1.0, deviation 0, lengths free, grad_norm 4e-5 (KL pull only)",
  check(view): Found | CannotTell | null {
    const flat = flatness(view), slow = slowly(view) ?? neverRight(view) ?? hardlyEver(view);
    if (slow !== null) return slow;
    if (flat === null || !((flat.level === "floor" && flat.share >= MOST) || endsAtFloor(view, flat))) return null;
    // A single early record is an untrained policy, not a fault.
    const epoch = view.column("epoch")[0] ?? 0;
    const late = epoch > LATE_EPOCH || (view.stepsPrinted && (view.trainSteps[0] ?? 0) > LATE_STEP);
    if (view.records > 0 && flat.records.length < LEAST && !late) return null;
    if (!view.imported && flat.records.length < OWN_RECORDS) {
      if (flat.share < 1 || flat.records.length === 0) return null;
      return {
        missing: ["more train steps"],
        because:
          `every reward is ${floorOf(view, flat, deadRecords(view, flat))}, the floor, ${
            onAll(view, flat.records.length)
          }: nothing has been ` +
          "learned from yet",
      };
    }
    const gold = goldAmongZero(view), dead = deadRecords(view, flat);
    return {
      trainSteps: view.stepsAt(dead),
      message: `Every reward is ${floorOf(view, flat, dead)}, the floor, ${
        dead.length === 0
          ? "on all printed records"
          : dead.length === flat.rewarded
          ? onThese(view, dead.length)
          : onSome(view, dead.length, flat.rewarded)
      }`,
      evidence: [
        ...dead.slice(0, 1).map((record) => view.evidence("reward", record)),
        ...view.completions.slice(0, 1).map((row) => quote(row, "reward at the floor")),
      ],
      ruledOut: gold.known > 0
        ? { reward_parser_mismatch: `${percent(gold.share)} of ${gold.known} completions hold the gold answer` }
        : {},
      ...(gold.known === 0
        ? {
          confirm:
            "print one completion: if the right answer is in it, the parser is at fault (reward_parser_mismatch)",
        }
        : {}),
    };
  },
});

/** Over a long run: for much of it nearly every group ties at the floor, a lucky one now and then. */
function slowly(view: RunView): Found | null {
  const tied = courseOf(view, "zero_spread_fraction"), reward = courseOf(view, "reward");
  if (!view.imported || tied === null || reward === null || tied.end < MOST_TIE || heightOf(reward) > AT_FLOOR) {
    return null;
  }
  const left = crossing(tied, MOST_TIE - SLACK);
  if (left < 0 || levelsSince(tied, left) < LONG * tied.levels.length) return null;
  const at = tied.levels[left]!.from;
  return {
    trainSteps: view.stepsFrom(at),
    trend: true,
    message: `Since train step ${view.trainSteps[at]} nearly every completion is wrong: the reward ends at ${
      show(reward.end)
    }, in ${percent(tied.end)} of the groups all completions get the same`,
    evidence: [
      view.evidence("zero_spread_fraction", at),
      view.evidence("reward", at),
      view.evidence("reward", reward.records.at(-1)!),
    ],
    ruledOut: { zero_reward_variance: "the groups tie at the floor" },
  };
}

/** Over a long run: the form is learned and no completion has ever been right, so that nothing but form is paid. */
function neverRight(view: RunView): Found | null {
  const functions = rewardFunctions(view), goals = functions.filter(({ kind }) => kind === "goal");
  const forms = functions.filter(({ kind }) => kind === "format");
  if (!view.imported || goals.length === 0 || forms.length === 0 || goals.length + forms.length < functions.length) {
    return null;
  }
  if (goals[0]!.values.length < SEEN || goals.some(({ values }) => values.some((value) => value !== 0))) return null;
  const known = recordsOf(view.column(goals[0]!.column));
  return {
    trainSteps: view.stepsAt(known),
    trend: true,
    message: `${goals[0]!.name} is 0 ${onAll(view, known.length)}: only ${forms[0]!.name} is ever paid`,
    evidence: [
      view.evidence(goals[0]!.column, known[0]!),
      view.evidence(goals[0]!.column, known.at(-1)!),
      view.evidence(forms[0]!.column, recordsOf(view.column(forms[0]!.column)).at(-1)!),
    ],
    confirm: "print one completion: if the right answer is in it, the parser is at fault (reward_parser_mismatch)",
  };
}

/** Over a long run without a share of ties: a reward that is a share is next to nothing from its first level to its last. */
function hardlyEver(view: RunView): Found | null {
  const reward = view.has("zero_spread_fraction") ? null : courseOf(view, "reward");
  if (!view.imported || reward === null || reward.levels.length < LEVELS) return null;
  const most = Math.max(...reward.levels.map(({ value }) => value)), top = Math.max(...view.finite("reward_max"));
  if (reward.values.some((value) => value < 0) || most > HARDLY || !(top >= 0.5)) return null;
  return {
    trainSteps: view.stepsFrom(0),
    trend: true,
    message: `Hardly a completion is ever right: the mean reward is at most ${show(most)} of ${
      show(top)
    } over the whole run`,
    evidence: [reward.records[0]!, reward.records.at(-1)!].map((record) => view.evidence("reward", record)),
  };
}

/** Records whose every group is flat at the floor. */
function deadRecords(view: RunView, flat: Flatness): readonly number[] {
  const reward = view.column("reward");
  return flat.records.filter((record) => levelOf(view, reward[record]!) === "floor");
}

/** The floor, or from where to where where records have several, such as -1 and 0. */
function floorOf(view: RunView, flat: Flatness, dead: readonly number[]): string {
  const values = dead.map((record) => view.column("reward")[record]!);
  const [least, most] = values.length === 0 ? [flat.reward, flat.reward] : [Math.min(...values), Math.max(...values)];
  return show(least) === show(most) ? show(least) : `${show(least)} to ${show(most)}`;
}

/** True if the last ten records or more, and a third of all, are flat at the floor: the run is dead, whatever came before. */
function endsAtFloor(view: RunView, flat: Flatness): boolean {
  const reward = view.column("reward");
  const rewarded = recordsOf(reward);
  const dead = new Set(deadRecords(view, flat));
  const alive = rewarded.findLastIndex((record) => !dead.has(record));
  const tail = rewarded.length - 1 - alive;
  return tail >= TAIL && tail >= rewarded.length / 3;
}
