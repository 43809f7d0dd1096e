/** Cause `mode_collapse`: the policy gives the same output to every prompt. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { MORE_KL, SMALLER_STEPS } from "./remedies/often.ts";
import { courseOf, extreme } from "./view/course.ts";
import { isReinforcement } from "./view/groups.ts";
import { finiteOf, isNumber, percent, recordsOf, ROUNDING, show, written } from "./view/numbers.ts";
import { goldOf, holdsGold } from "./view/gold.ts";
import { endsAtTop } from "./view/progress.ts";
import { constantOf, levelOf } from "./view/rewards.ts";
import { firstAndLast, manySince, quote } from "./view/texts.ts";
import type { Completion, RunView } from "./view/run_view.ts";
import { ARRIVED, isUnmoved, showsArrival } from "./view/start.ts";

const MOST = 0.8; // Share of the completions of different prompts that one text makes.
const POOLED = 0.6, PROMPTS = 4; // The same over the last third of the printed train steps, and different prompts that have it.
const HALF = 0.5; // Share that one text makes where the others have begun to follow.
const GONE = 0.25, TIED = 0.8; // Of its highest level, the entropy that is left; the share of groups that then tie.
const STUB = 2; // Tokens of a stub: of so few there are few texts.
const LAST = 8, RECORDS = 5; // Records at the end that are looked at, and those that must be there.
const THREE_DIGITS = 5e-4; // Part by which rewards of three printed digits may differ; of rewards that are not 0.

export default defineDiagnosis({
  codes: ["R09", "E01"],
  wastes: "all",
  applies: (view) => isReinforcement(view) && !isUnmoved(view),
  about: "The policy gives (nearly) the same output to every prompt.",
  reads: ["completions.text", "completions.prompt", "reward", "completion_length_min", "completion_length_max"],
  decision:
    written`In the last printed train step one text makes at least ${MOST} % of the completions of four or more different prompts (over the last third of the printed train steps ${POOLED} %, and less than half at first), and is not the right answer to ${MOST} % of them; or on five records the mean reward is the same to three digits at a value that is no end of the scale while shortest = mean = longest completion, the same on all of them. Where no completion is printed, ${GONE} % of the highest entropy is left and ${TIED} % of the groups tie that did not at first, the verdict is open. Silent as long as no gradient has reached the policy: then it arrived like this.`,
  spoils: true,
  hint: "Go back to a checkpoint before the collapse, lower the learning rate, switch the KL on.",
  remedy: [SMALLER_STEPS, ...MORE_KL],
  lookAlikes: {
    constant_reward: "there the texts differ",
    greedy_sampling: "there texts are the same inside a group only",
    all_correct_saturated: "there the text is the right answer to all of them",
  },
  taughtBy: "PPO with a reward model: one score to three digits on different batches",
  check(view): Found | CannotTell | null {
    const { last, first, steps } = firstAndLast(view);
    // Of one or two tokens there are few texts: a short cap alone makes them alike.
    const stubs = view.completions.filter((row) => row.tokens !== null && row.tokens <= STUB);
    const cut = stubs.filter((row) => row.truncated === true);
    if (stubs.length > 0 && stubs.length === view.completions.length && cut.length > 0.5 * stubs.length) return null;
    if (last.samePrompts !== null && last.samePrompts >= MOST && last.empty < 0.5 && last.tokenZero < 0.5) {
      const { trainStep: now } = view.completions.at(-1)!;
      const rows = view.completions.filter(({ trainStep }) => trainStep === now), common = mostCommon(rows);
      if (common === null || isRight(common.rows)) return null;
      const most = common.row.text.trim();
      const arrived = steps > 1 && (first.samePrompts ?? 0) >= MOST && showsArrival(view);
      return {
        trainSteps: manySince(view, HALF, ({ text }) => text.trim() === most),
        message: `One text is ${percent(last.samePrompts)} of the completions of ${last.prompts} different prompts${
          steps > 1 && first.samePrompts !== null ? ` (at first ${percent(first.samePrompts)})` : ""
        }`,
        evidence: [quote(common.row)],
        ruledOut: { greedy_sampling: "different prompts get the same text" },
        ...(arrived ? ARRIVED : {}),
      };
    }
    const late = acrossSteps(view);
    if (late !== null || view.completions.length > 0) return late;
    if (isMute(view)) {
      return {
        missing: ["completions of two prompts"],
        because: "the entropy is gone and groups tie: whether all prompts get one text is not to be seen",
      };
    }
    const reward = view.column("reward");
    const tail = recordsOf(reward).slice(-LAST);
    if (tail.length < RECORDS) return null;
    const values = tail.map((record) => reward[record]!);
    const centre = values[0]!;
    const same = values.every((value) => isSame(value, centre));
    if (!same || levelOf(view, centre) !== "between") return null;
    const lengths = LENGTHS.map((name) => finiteOf(tail.map((record) => view.column(name)[record] ?? null)));
    const one = lengths.every((list) => list.length > 0) && constantOf(lengths.flat()) !== null;
    if (!one) return null;
    return {
      trainSteps: view.stepsFrom(sameFrom(view, centre, lengths[1]![0]!)),
      message: `The mean reward is ${show(centre)} and every completion has ${
        show(lengths[1]![0])
      } tokens, on different batches`,
      evidence: [view.evidence("reward", tail[0]!), view.evidence("completion_length_max", tail[0]!)],
      confirm: "print completions of two prompts",
    };
  },
});

/** Over a long run: most of the entropy is gone, nearly all groups tie, and they did not at first. */
function isMute(view: RunView): boolean {
  const [entropy, ties] = ["entropy", "zero_spread_fraction"].map((name) => view.isWhole ? courseOf(view, name) : null);
  return entropy != null && ties != null && entropy.now <= GONE * extreme(entropy).value &&
    ties.now >= TIED && ties.start < TIED && !endsAtTop(view);
}

const LENGTHS = ["completion_length_min", "completion_length", "completion_length_max"];

const isSame = (value: number, other: number) =>
  Math.abs(value - other) <= THREE_DIGITS * Math.max(ROUNDING, Math.abs(other));

/** The record from which on every reward and every length is that one. */
function sameFrom(view: RunView, reward: number, length: number): number {
  const isOther = (value: number | null | undefined, one: number) => isNumber(value) && !isSame(value, one);
  return 1 +
    view.trainSteps.findLastIndex((_, record) =>
      isOther(view.column("reward")[record], reward) ||
      LENGTHS.some((name) => isOther(view.column(name)[record], length))
    );
}

/** Few prompts a train step: over the last third of the printed ones one text answers most of them, and at first none did. */
function acrossSteps(view: RunView): Found | null {
  const steps = [...new Set(view.completions.flatMap(({ trainStep }) => trainStep ?? []))].sort((a, b) => a - b);
  const third = Math.floor(steps.length / 3), since = steps.at(-third), until = steps[third - 1];
  if (third === 0 || since === undefined || until === undefined) return null;
  const early = mostCommon(view.completions.filter(({ trainStep }) => trainStep !== null && trainStep <= until));
  const late = mostCommon(view.completions.filter(({ trainStep }) => trainStep !== null && trainStep >= since));
  if (late === null || early === null || late.prompts < PROMPTS || late.share < POOLED || early.share >= 0.5) {
    return null;
  }
  if (isRight(late.rows)) return null;
  return {
    trainSteps: view.trainSteps.filter((step) => step >= late.row.trainStep!),
    message: `One text is ${percent(late.share)} of the completions from train step ${since} on, for ${late.prompts} ` +
      `different prompts (at first ${percent(early.share)})`,
    evidence: [quote(late.row)],
    ruledOut: { greedy_sampling: "different prompts get the same text" },
  };
}

/** True where one text is what these prompts ask for: yes/no questions, few classes. */
function isRight(rows: readonly Completion[]): boolean {
  const judged = rows.filter(({ correct }) => typeof correct === "boolean");
  if (judged.length > 0) return judged.filter(({ correct }) => correct).length >= MOST * judged.length;
  // Without a verifier's word a text that holds every answer there is would be right as well: it must be one answer.
  const right = [...Map.groupBy(rows.filter((row) => holdsGold(row) === true), (row) => goldOf(row)).values()];
  return Math.max(0, ...right.map(({ length }) => length)) >= MOST * rows.length;
}

/** The text that most rows have: its share of them, its different prompts, the first of the rows with it, and all. */
function mostCommon(rows: readonly Completion[]) {
  const [own] = [...Map.groupBy(rows.filter(({ prompt }) => prompt !== null), ({ text }) => text.trim()).values()]
    .toSorted((a, b) => b.length - a.length);
  if (own === undefined) return null;
  return {
    share: own.length / rows.length,
    prompts: new Set(own.map(({ prompt }) => prompt)).size,
    row: own[0]!,
    rows: own,
  };
}
