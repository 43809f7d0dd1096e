/** Cause `reward_parser_mismatch`: the answer is right but the parser or the comparison rejects it. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import type { Evidence } from "./view/evidence.ts";
import {
  AGREEING_RECORDS,
  deviation,
  finiteOf,
  isNumber,
  mean,
  percent,
  ROUNDING,
  show,
  written,
} from "./view/numbers.ts";
import { constantOf, levelOf, rewardFunctions } from "./view/rewards.ts";
import { isNotCancelling, spreadSummary } from "./view/spread.ts";
import { goldAmongZero, goldOf } from "./view/gold.ts";
import { NOISY_TEXT, quote, texts } from "./view/texts.ts";
import { readerOf } from "./view/readers.ts";
import { truncation } from "./view/truncation.ts";
import { type RunView, stepOf } from "./view/run_view.ts";
import { onThese } from "./view/on_records.ts";

/** Completions whose gold answer is known, the share that holds it, and the share that scores all the same. */
const KNOWN = 4, HOLD_GOLD = 0.2, SCORED = 0.05;
const MOVED = 0.02; // A goal above this has moved.
/** A format reward beside which a goal of 0 is the parser's; less is enough after the second number of records. */
const FORMATTED = 0.8, LATE_RECORDS = 10;
/** Records on which the goal is 0 in a log that says nothing of spread, and in a run of ours. */
const BLIND_RECORDS = 5, OWN_RECORDS = 20;
const MANY_KNOWN = 8, HARDLY_ANY = 0.05; // Completions of which hardly any holds the gold answer: then they are wrong.
const SUMS = 16; // Sums of prompts that answers can be compared with.
/** Right and wrong completions each whose rewards are compared, and the standard errors between them. */
const EACH = 8, SURE = 4;
/** Names of rewards whose fallback value can be told. */
const ANSWERS = /acc|correct|answer|exact|match|verif|math/i;

export default defineDiagnosis({
  codes: ["R08", "R00"],
  wastes: "wrong",
  applies: isNotCancelling,
  about: "Right answers are rejected: the parser, the pattern or the comparison of the reward does not fit the text.",
  reads: ["reward.<goal>", "reward.<format>", "evaluations", "completions.text", "completions.answer"],
  decision:
    written`A goal reward is 0 for completions of which at least ${HOLD_GOLD} % hold the gold answer; or exactly 0 on at least three records while the format reward is at least ${FORMATTED} (0.5 from ten records); or the printed answers are not those of the prompts' own sums while completions hold these; or, in a run of ours, wrong completions are rewarded above right ones by four standard errors; or stuck on one value that is neither floor nor maximum, on two records or on training and evaluation, while other rewards move. In a run of ours another built-in verifier is named where it accepts what is rejected: at least a fifth of it, and half of what holds the gold answer.`,
  hint: "Run the reward on the gold answer itself: it must give the maximum. Then on one printed completion.",
  byHand:
    "Fix the parser: test it on the gold answer, with newlines, spaces, boxes and units as the model writes them.",
  lookAlikes: {
    all_incorrect_reward_floor: "there no completion holds the gold answer",
    constant_reward: "there the whole reward ignores the text",
  },
  taughtBy: "TRL: accuracy_reward exactly 0.5 on training and evaluation, the fallback of a failing parser",
  check(view): Found | null {
    const functions = rewardFunctions(view);
    const cut = truncation(view);
    const gold = goldAmongZero(view);
    const moved = functions.some((entry) =>
      entry.kind === "goal" && entry.values.some((value) => value > MOVED) && entry.constant === null
    );
    const total = view.finite("reward");
    const totalMoves = functions.length === 0 && total.some((value) => levelOf(view, value) !== "floor");
    const unpaid = !moved && !totalMoves && gold.scored < SCORED * Math.max(1, gold.known);
    return (unpaid ? rejected(view, gold) : null) ?? wrongLabels(view) ?? againstVerifier(view) ?? fallback(view) ??
      zeroBesideFormat(view, cut?.median ?? 0, gold);
  },
});

/** Completions without a reward hold the gold answer, or another verifier accepts them. */
function rejected(view: RunView, gold: ReturnType<typeof goldAmongZero>): Found | null {
  const holds = gold.known >= KNOWN && gold.share >= HOLD_GOLD;
  const reader = readerOf(view);
  if (!holds && reader === null) return null;
  const row = holds ? gold.example! : reader!.example;
  const first = view.column("reward").findIndex(isNumber);
  const said = [
    ...(holds ? [`${percent(gold.share)} of ${gold.known} completions with reward 0 hold the right answer`] : []),
    ...(reader === null ? [] : [
      `the verifier ${reader.name} accepts ${percent(reader.share)} of ${reader.known} that ${view.verifier} rejects`,
    ]),
  ].join("; ");
  return {
    trainSteps: stepOf(row),
    message: `${said[0]!.toUpperCase()}${said.slice(1)}`,
    evidence: [
      quote(row, `answer ${row.answer ?? "of the sum"}; reward ${show(row.reward)}`),
      ...(first >= 0 ? [view.evidence("reward", first)] : []),
    ],
    ruledOut: { all_incorrect_reward_floor: "the printed answers are right" },
    ...(reader === null ? {} : {
      hint: `Set verifier: ${reader.name} in load_prompts: it reads the completions as they are written.`,
      byHand: `Or have the prompts ask for what the verifier ${view.verifier} reads.`,
      remedy: [{ step: "load_prompts", key: "verifier", set: reader.name }],
    }),
  };
}

function fallback(view: RunView): Found | null {
  const functions = rewardFunctions(view);
  for (const entry of functions) {
    const value = entry.constant;
    if (entry.kind !== "goal" || value === null || !ANSWERS.test(entry.name)) {
      continue;
    }
    if (value <= 0 || value >= 1) continue;
    const held = constantOf(finiteOf(view.evaluation(entry.column)));
    const both = held !== null && Math.abs(held - value) < ROUNDING;
    if (entry.values.length < (both ? 1 : 2)) continue;
    const others = functions.some((other) => other !== entry && other.constant === null);
    const first = entry.cells.findIndex((cell) => cell !== null);
    if (!others && !both) continue;
    return {
      trainSteps: view.trainSteps,
      message: `${entry.name} is ${show(value)} to all digits ${onThese(view, entry.values.length)}${
        both ? " and on evaluation" : ""
      }: the fallback value of a parser that fails`,
      evidence: [view.evidence(entry.column, first)],
      ruledOut: { all_incorrect_reward_floor: `${show(value)} is no floor` },
      confirm: "run the reward function on a gold answer",
    };
  }
  return null;
}

function zeroBesideFormat(view: RunView, cut: number, gold: ReturnType<typeof goldAmongZero>): Found | null {
  const functions = rewardFunctions(view);
  const goal = functions.find((entry) =>
    entry.kind === "goal" && entry.constant === 0 && !/iou|box|coord/i.test(entry.name)
  );
  // In a few early records the answers may really be wrong: then the format must be all but learned.
  const high = goal !== undefined && goal.values.length >= LATE_RECORDS ? 0.5 : FORMATTED;
  const format = functions.find((entry) => entry.kind === "format" && mean(entry.values) >= high);
  if (goal === undefined || format === undefined || goal.values.length < AGREEING_RECORDS || cut > 0.5) return null;
  if (!view.imported && goal.values.length < OWN_RECORDS) return null;
  if (gold.known >= MANY_KNOWN && gold.share < HARDLY_ANY) return null;
  if (texts(view).noise > NOISY_TEXT || spreadSummary(view).share === null && goal.values.length < BLIND_RECORDS) {
    return null;
  }
  const first = goal.cells.findIndex((cell) => cell !== null);
  const evidence: Evidence[] = [view.evidence(goal.column, first), view.evidence(format.column, first)];
  return {
    trainSteps: view.trainSteps,
    message: `${goal.name} is exactly 0 ${onThese(view, goal.values.length)} while ${format.name} is ${
      show(mean(format.values))
    }`,
    evidence: [...evidence, ...view.completions.slice(0, 1).map((row) => quote(row))],
    confirm: "print one completion with its gold answer: are they the same?",
  };
}

/** The answers beside the prompts are not theirs: shifted, shuffled or written in a way no completion has. */
function wrongLabels(view: RunView): Found | null {
  const sums = view.completions.flatMap((row) => {
    const sum = row.answer === null ? null : goldOf({ ...row, answer: null });
    return sum === null ? [] : [{ row, sum, right: row.text.trim() === sum, labelled: row.answer!.trim() === sum }];
  });
  const off = sums.filter(({ labelled }) => !labelled);
  const rejected = off.filter(({ right }) => right);
  if (sums.length < SUMS || off.length < 0.5 * sums.length || rejected.length < HOLD_GOLD * off.length) return null;
  const { row, sum } = rejected[0]!;
  return {
    trainSteps: stepOf(row),
    message: `${percent(off.length / sums.length)} of the answers are not those of their prompts, and ${
      percent(rejected.length / off.length)
    } of these completions hold the right one`,
    evidence: [quote(row, `prompt ${JSON.stringify(row.prompt)}, answer ${JSON.stringify(row.answer)}, want ${sum}`)],
    hint: "Look at the answers in the data: shifted rows, another format, another file.",
    ruledOut: { all_incorrect_reward_floor: "the completions are right" },
  };
}

/** Rewards that prefer what the task's verifier rejects: a sign, or a comparison the wrong way round. */
function againstVerifier(view: RunView): Found | null {
  const known = view.completions.filter((row) => typeof row.correct === "boolean" && isNumber(row.reward));
  const of = (correct: boolean) => known.filter((row) => row.correct === correct).map((row) => row.reward!);
  const [right, wrong] = [of(true), of(false)];
  if (view.imported || right.length < EACH || wrong.length < EACH) return null;
  const error = Math.sqrt(deviation(right) ** 2 / right.length + deviation(wrong) ** 2 / wrong.length);
  const by = mean(right) - mean(wrong);
  if (by > -SURE * error || by > -ROUNDING) return null;
  // Where the total moves with length or style as well, the reward may prefer them on purpose: a clear sign is wanted.
  if (Math.max(...right) > Math.min(...wrong)) return null;
  const example = known.find((row) => row.correct === true)!;
  return {
    trainSteps: view.trainSteps.slice(-1),
    message: `Right completions get ${show(mean(right))}, wrong ones ${
      show(mean(wrong))
    }: the reward has the wrong sign`,
    evidence: [quote(example, `right, reward ${show(example.reward)}`)],
    hint: "Flip the sign of the reward, or the comparison in it.",
  };
}
