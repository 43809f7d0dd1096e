/**
 * What is seen of a run that is told in few words or few records: each symptom once, by what people say and by numbers.
 *
 * A symptom is there where the author claims it, or where the few numbers that are printed or told show it. @module
 */
import type { Evidence } from "../view/evidence.ts";
import { type Cells, isNumber } from "../view/numbers.ts";
import type { RunView, SaidOf } from "../view/run_view.ts";
import { messageEvidence } from "../view/messages.ts";
import { quote, texts } from "../view/texts.ts";
import { claimed, claimEvidence, type Saying } from "./claimed.ts";
import { UPDATE_SYMPTOMS } from "./update_symptoms.ts";

export interface Symptom {
  readonly about: string;
  readonly says?: readonly Saying[];
  /** What takes it back where it is said behind it: a reward that rose at first and fell then has not risen. */
  readonly undone?: readonly Saying[];
  /** The numbers that show it, or texts; null where none do. */
  readonly shows?: (view: RunView) => readonly Evidence[] | null;
}

const each = <S extends string, P extends string>(subjects: readonly S[], predicates: readonly P[]) =>
  subjects.flatMap((subject) => predicates.map((predicate) => `${subject}.${predicate}` as const));

const PAID = ["reward", "accuracy_reward", "iou_reward", "accuracy"] as const;
const TEXT = ["completions", "policy"] as const;
const GOALS = [...PAID, "evaluation"] as const;

type Look = (view: RunView) => readonly Evidence[] | null;
type Test = (first: number, last: number, all: readonly number[]) => boolean;

/** First and last number of some cells, and whether all of them stand as asked. */
function course(
  cells: Cells,
  least: number,
  test: Test,
  evidence: (record: number) => Evidence,
): readonly Evidence[] | null {
  const known = cells.flatMap((value, record) => isNumber(value) ? [record] : []);
  if (known.length < least) return null;
  const [first, last] = [known[0]!, known.at(-1)!], values = known.map((record) => cells[record]!);
  return test(cells[first]!, cells[last]!, values) ? [evidence(first), evidence(last)] : null;
}

/** The same of a column of the records. */
const ends = (name: string, test: Test, least = 2): Look => (view) =>
  course(view.column(name), least, test, (record) => view.evidence(name, record));

/** The same of any column whose name passes. */
const endsOf = (names: RegExp, test: Test, least = 2): Look => (view) =>
  [...view.columns.keys()].filter((name) => names.test(name)).map((name) => ends(name, test, least)(view))
    .find((found) => found !== null) ?? null;

/** The same of the scores that evaluations print, losses apart. */
const scored = (test: Test, least = 2): Look => (view) =>
  view.evaluated.filter((name) => !/loss/.test(name)).map((name) =>
    course(view.evaluation(name), least, test, (record) => view.evaluationEvidence(name, record))
  ).find((found) => found !== null) ?? null;

/** The same of the loss that they print. */
const scoredLoss = (test: Test): Look => (view) =>
  course(view.evaluation("loss"), 2, test, (record) => view.evaluationEvidence("loss", record));

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
const RUNNING = 3; // Rises in a row that no noise makes.
/** Rises in a row at the end. */
function risesRunning(values: readonly number[]): number {
  const stop = values.findLastIndex((value, i) => i > 0 && !(value > values[i - 1]!));
  return values.length - 1 - Math.max(0, stop);
}

/** Values that do not get anywhere: within a tenth of their size, and no further at the end than at the beginning. */
const isFlat: Test = (first, last, values) =>
  spread(values) <= 2 * FLAT * Math.max(Math.abs(first), 0.1) &&
  Math.abs(last - first) <= FLAT * Math.max(Math.abs(first), 0.1);
const fellFar: Test = (_, last, values) => Math.max(...values) > 0 && last < FALLEN * Math.max(...values);

/** Every number of a column stands as asked, and there are enough of them. */
function all(name: string, least: number, test: (value: number) => boolean) {
  return (view: RunView): readonly Evidence[] | null => {
    const cells = view.column(name), known = cells.flatMap((value, record) => isNumber(value) ? [record] : []);
    return known.length >= least && known.every((record) => test(cells[record]!))
      ? [view.evidence(name, known[0]!)]
      : null;
  };
}

/** The first cell of a column that is not finite. */
function notFinite(...names: readonly string[]) {
  return (view: RunView): readonly Evidence[] | null => {
    for (const name of names) {
      const at = view.column(name).findIndex((value) => value !== null && !Number.isFinite(value));
      if (at >= 0) return [view.evidence(name, at)];
    }
    return null;
  };
}

function anyOf(...looks: readonly ((view: RunView) => readonly Evidence[] | null)[]) {
  return (view: RunView) => looks.map((look) => look(view)).find((found) => found !== null) ?? null;
}

/** Completions that are printed and pass a share. */
function printedTexts(test: (facts: ReturnType<typeof texts>) => boolean) {
  return (view: RunView): readonly Evidence[] | null =>
    view.completions.length > 0 && test(texts(view)) ? view.completions.slice(0, 2).map((row) => quote(row)) : null;
}

/** Before anything was learned. */
const EARLY =
  /\b(?:first|initial|before any|step (?:0|1)(?!\d)|untrained|very beginning|from the start)\b|第一次|第一步|首次|还没更新|一开始|最初|初回|처음|premi[eè]re?|erste[nrs]?|primer[ao]?|primeir[ao]|перв\p{L}+/iu;

/** A phrase three times on end, or a character ten times, at the end of a text. */
const PHRASE = /([^\s.\-_=*#].{3,160}?)\1{2,}|([^\s.\-_=*#])\2{9,}/su, TAIL = 900;

/** A loss or a KL that is this many times what it was, and above a level that noise does not reach. */
const GROWN = 20, KL_LEVEL = 0.2;
const TIED = 0.8; // Share of groups without spread.
const FLAT = 0.1, FEW_FLAT = 3;
const OFF_POLICY = 0.1; // Of a ratio from 1, or nats between two log-probs of one token.
const FALLEN = 0.5; // Of the best, below which a score has fallen for good.

export const SYMPTOMS = {
  ...UPDATE_SYMPTOMS,
  loss_zero: { about: "the loss is 0", says: ["loss.zero", "policy_loss.zero"], shows: all("loss", 1, (v) => v === 0) },
  loss_not_finite: {
    about: "the loss is NaN",
    says: ["loss.not_finite", "policy_loss.not_finite"],
    shows: notFinite("loss", "policy_loss"),
  },
  loss_rises: {
    about: "the loss rises",
    says: each(["loss"], ["rises", "explodes", "collapses"]),
    shows: ends("loss", (first, last) => first > 0 && last > 2 * first && last - first > 0.5),
  },
  loss_falls: {
    about: "the loss falls",
    says: ["loss.falls"],
    undone: each(["loss"], ["rises", "explodes"]),
    shows: ends("loss", (first, last) => last < 0.7 * first && first > 0),
  },
  loss_flat: { about: "the loss does not move", says: ["loss.constant"] },
  gradient_zero: { about: "the gradient is 0", says: ["grad_norm.zero"], shows: all("grad_norm", 1, (v) => v === 0) },
  gradient_not_finite: { about: "the gradient is NaN", says: ["grad_norm.not_finite"], shows: notFinite("grad_norm") },
  gradient_large: {
    about: "the gradient explodes",
    says: each(["grad_norm"], ["explodes", "rises", "high", "noisy"]),
    shows: ends("grad_norm", (first, last) => last > 100 && last > GROWN * first),
  },
  kl_zero: { about: "the KL is 0", says: ["kl.zero"], shows: all("kl", 3, (v) => v === 0) },
  kl_not_finite: {
    about: "the KL is NaN",
    says: ["kl.not_finite"],
    shows: notFinite("kl", "kl_sequence", "approx_kl"),
  },
  kl_grows: {
    about: "the KL grows without end",
    says: each(["kl"], ["rises", "explodes", "high", "collapses"]),
    shows: ends("kl", (first, last) => last > KL_LEVEL && last > GROWN * Math.max(first, 1e-4)),
  },
  kl_moves: { about: "the KL is above 0", shows: ends("kl", (_, last) => last > 1e-3, 1) },
  spread_there: {
    about: "groups have spread",
    shows: anyOf(
      ends("group_reward_std", (_, __, values) => Math.min(...values) > 0, 1),
      ends("zero_spread_fraction", (_, __, values) => Math.max(...values) < 0.8, 1),
    ),
  },
  reward_between: {
    about: "the reward lies between its ends",
    shows: anyOf(
      ends("reward", (_, __, values) => values.every((v) => v > 0.02 && v < 0.98), 1),
      endsOf(/^reward\./, (_, __, values) => values.every((v) => v > 0.02 && v < 0.98), 1),
    ),
  },
  masked: {
    about: "loss, gradient and entropy are exactly 0",
    shows: (view) =>
      all("loss", 1, (v) => v === 0)(view) && all("grad_norm", 1, (v) => v === 0)(view) &&
      all("entropy", 1, (v) => v === 0)(view),
  },
  nan_from_start: {
    about: "the first record is NaN already",
    shows: (view) => {
      const name = ["grad_norm", "loss"].find((one) => Number.isNaN(view.column(one)[0]) && !view.isTold(one, 0));
      return name === undefined ? null : [view.evidence(name, 0)];
    },
  },
  reward_code_constant: {
    about: "the reward function gives one value",
    shows: (view) => {
      const found = view.messages.find(({ kind }) => kind === "constant_reward_function");
      return found === undefined ? null : [messageEvidence(found)];
    },
  },
  kl_negative: { about: "the KL is negative", says: ["kl.negative"] },
  reward_zero: {
    about: "the reward is 0",
    says: each(PAID, ["zero"]),
    shows: all("reward", 3, (v) => v === 0),
  },
  reward_flat: {
    about: "the reward does not move",
    says: each(GOALS, ["constant", "noisy", "garbled"]),
    shows: ends("reward", isFlat, FEW_FLAT),
  },
  reward_falls: {
    about: "the reward falls",
    says: each(PAID, ["falls", "collapses", "worsens"]),
    shows: anyOf(ends("reward", fellFar), endsOf(/^reward\.(?!format)/, fellFar)),
  },
  reward_collapses: {
    about: "the reward falls far below its best",
    says: each(PAID, ["collapses"]),
    shows: anyOf(
      ends("reward", fellFar),
      endsOf(/^reward\.(?!format)/, fellFar),
      (view) => {
        const said = claimed(view, each(PAID, ["falls", "worsens"])).filter(({ value, throughout }) =>
          value === 0 || throughout
        );
        return said.length > 0 ? said.slice(0, 2).map(claimEvidence) : null;
      },
    ),
  },
  reward_rises: {
    about: "the reward rises",
    says: each(PAID, ["rises"]),
    undone: each(PAID, ["falls", "collapses", "worsens"]),
    shows: ends("reward", (first, last) => last > first + 0.05 * Math.max(Math.abs(first), 1)),
  },
  reward_not_finite: {
    about: "the reward is NaN",
    says: [...each(PAID, ["not_finite"]), "reward_model.not_finite"],
    shows: notFinite("reward"),
  },
  spread_zero: {
    about: "the rewards of a group are equal",
    says: ["group_reward_std.zero", "advantage.zero", "zero_spread.high", "zero_spread.rises"],
    shows: anyOf(all("zero_spread_fraction", 1, (v) => v >= TIED), all("group_reward_std", 1, (v) => v === 0)),
  },
  goal_falls: {
    about: "the held-out score falls",
    says: each(["evaluation", "accuracy"], ["falls", "collapses", "worsens"]),
    shows: scored((first, last, values) => last < first - 0.1 * Math.abs(first) || last < 0.7 * Math.max(...values)),
  },
  goal_flat: {
    about: "the held-out score does not move",
    says: each(["evaluation", "accuracy"], ["constant"]),
    shows: scored(isFlat, FEW_FLAT),
  },
  goal_rises: {
    about: "the held-out score rises",
    says: each(["evaluation", "accuracy"], ["rises"]),
    undone: each(["evaluation", "accuracy"], ["falls", "collapses", "worsens"]),
    shows: scored((first, last) => last > first + 0.1 * Math.max(Math.abs(first), 0.05)),
  },
  eval_loss_rises: {
    about: "the held-out loss rises",
    says: each(["eval_loss"], ["rises", "explodes", "worsens"]),
    shows: scoredLoss((_, last, values) => last > 1.15 * Math.min(...values) && last - Math.min(...values) > 0.02),
  },
  eval_loss_nan: {
    about: "the held-out loss is NaN",
    says: ["eval_loss.not_finite"],
    shows: (view) => {
      const at = view.evaluation("loss").findIndex((value) => Number.isNaN(value));
      return at < 0 ? null : [view.evaluationEvidence("loss", at)];
    },
  },
  gradient_spikes: {
    about: "single gradients stand far above the rest",
    says: each(["grad_norm"], ["noisy"]),
    shows: ends("grad_norm", (_, __, values) => {
      const usual = Math.min(...values);
      return values.filter((value) => value > 10 * usual && value > 3).length >= 2;
    }, 4),
  },
  clipped: {
    about: "most tokens are clipped",
    says: each(["clip_fraction"], ["rises", "high", "explodes"]),
    shows: ends("clip_fraction", (_, last) => last > 0.2, 1),
  },
  goal_at_floor: {
    about: "the goal stays at its floor",
    says: each(["accuracy", "accuracy_reward", "evaluation"], ["zero", "constant", "low"]),
    shows: endsOf(/^reward\.(?:acc|correct|answer)/i, (_, __, values) => Math.max(...values) <= 0.05, FEW_FLAT),
  },
  entropy_falls: {
    about: "the entropy falls to almost nothing",
    says: each(["entropy"], ["falls", "collapses", "zero", "low"]),
    shows: ends("entropy", (first, last) => last < 0.15 * first && first > 0),
  },
  entropy_rises: { about: "the entropy rises", says: each(["entropy"], ["rises", "explodes"]) },
  length_grows: {
    about: "completions get longer and longer",
    says: each(["completion_length"], ["rises", "explodes", "high"]),
    undone: each(["completion_length"], ["falls", "collapses", "constant"]),
    shows: ends("completion_length", (first, last) => last > 2 * first),
  },
  length_shrinks: {
    about: "completions get shorter and shorter",
    says: each(["completion_length"], ["falls", "collapses", "low"]),
    undone: each(["completion_length"], ["rises", "explodes", "constant"]),
    shows: ends("completion_length", (first, last) => last < 0.25 * first),
  },
  truncated: {
    about: "completions are cut at the length cap",
    says: [...each(["completions", "completion_length"], ["truncated"]), "truncation.high", "truncation.rises"],
    shows: all("truncated_fraction", 1, (v) => v >= 0.9),
  },
  identical: { about: "the completions of a group are the same", says: each(TEXT, ["identical"]) },
  policy_still: { about: "the policy does not move", says: ["policy.constant", "parameters.constant"] },
  same_everywhere: {
    about: "every prompt gets the same completion",
    says: each(["completions", "policy", "training"], ["same_everywhere"]),
  },
  garbled: {
    about: "the completions are noise",
    says: each(TEXT, ["garbled"]),
    shows: printedTexts(({ noise, mixed }) => noise > 0.18 || mixed >= 0.5),
  },
  garbled_early: {
    about: "the first completions are noise already",
    shows: (view) => {
      const said = claimed(view, each(TEXT, ["garbled"])).filter(({ text }) => EARLY.test(text));
      return said.length === 0 ? null : said.slice(0, 2).map(claimEvidence);
    },
  },
  token_zero: {
    about: "the completions are one character over and over",
    says: each(TEXT, ["token_zero"]),
    shows: printedTexts(({ tokenZero }) => tokenZero >= 0.5),
  },
  repeats: {
    about: "the completions repeat without end",
    says: each(TEXT, ["repeats"]),
    shows: (view) => {
      const rows = view.completions.filter(({ text }) => PHRASE.test(text.slice(-TAIL)));
      return rows.length > 0 && 2 * rows.length >= view.completions.length
        ? rows.slice(0, 2).map((row) => quote(row))
        : null;
    },
  },
  empty: { about: "the completions are empty", says: each(TEXT, ["empty"]) },
  readable: { about: "the completions are readable", says: each(TEXT, ["readable", "correct", "wrong"]) },
  answers_right: { about: "answers are right", says: ["completions.correct"] },
  entropy_gone: { about: "the entropy is next to nothing", shows: all("entropy", 1, (v) => v <= 0.02) },
  logprobs_not_finite: { about: "log-probs are NaN", says: ["logprobs.not_finite"] },
  weights_not_finite: { about: "weights are NaN", says: ["parameters.not_finite"] },
  logprobs_differ: {
    about: "sampled and recomputed log-probs differ",
    shows: anyOf(
      ends("ratio_mean", (first) => Math.abs(first - 1) > OFF_POLICY, 1),
      ends("sampler_logprob_gap_mean", (_, __, values) => Math.min(...values) > OFF_POLICY, 1),
    ),
    says: ["logprobs.differs", "ratio.differs", "ratio.explodes", "ratio.high", "kl.differs", "logprobs.high"],
  },
  chosen_falls: {
    about: "the chosen side falls",
    says: each(["chosen"], ["falls", "collapses", "negative"]),
    shows: anyOf(
      ends("chosen_reward", (first, last) => last < first && last < -1),
      ends("chosen_logprob", (first, last) => last < first - 20),
    ),
  },
  rejected_falls: {
    about: "the rejected side falls",
    says: each(["rejected"], ["falls", "collapses", "negative"]),
    shows: anyOf(
      ends("rejected_reward", (first, last) => last < first && last < -1),
      ends("rejected_logprob", (first, last) => last < first - 20 && last < 1.15 * first),
    ),
  },
  pairs_perfect: {
    about: "pairs are told apart perfectly, and the margin goes on",
    shows: (view) =>
      ends("preference_accuracy", (_, last) => last >= 0.99)(view) &&
      ends("reward_margin", (_, last) => last > 20)(view),
  },
  margin_rises: {
    about: "the margin rises",
    shows: ends("reward_margin", (first, last) => last > first + 2 || last > 2 && last > 1.15 * first),
    says: each(["margin", "preference_accuracy", "accuracy"], ["rises", "explodes", "high"]),
  },
  no_parameters: { about: "no parameter is trained", says: ["parameters.zero"] },
  adapter_unchanged: {
    about: "the saved weights are those that the run began with",
    says: [...each(["adapter"], ["identical", "constant", "zero", "empty"]), "parameters.constant"],
  },
  cheats: {
    about: "the policy uses a shortcut",
    says: each([
      "completions",
      "policy",
      "reward",
      "training",
      "accuracy",
      "accuracy_reward",
      "format_reward",
      "evaluation",
    ], [
      "cheats",
    ]),
  },
  hangs: { about: "the run hangs", says: each(["training", "completions", "policy"], ["hangs"]) },
} as const satisfies Record<string, Symptom>;

export type SymptomName = keyof typeof SYMPTOMS;

/** What is said and not taken back further on. */
function standing(said: readonly SaidOf[], undone: readonly SaidOf[], view: RunView): readonly SaidOf[] {
  const last = Math.max(-1, ...undone.map((claim) => view.claims.indexOf(claim)));
  return said.filter((claim) => view.claims.indexOf(claim) > last);
}

/** The symptoms of a run with what shows each: numbers where there are some, else claims. */
export function symptomsOf(view: RunView): ReadonlyMap<SymptomName, readonly Evidence[]> {
  return view.memo("symptoms", () => {
    const found = new Map<SymptomName, readonly Evidence[]>();
    for (const [name, symptom] of Object.entries(SYMPTOMS) as [SymptomName, Symptom][]) {
      const shown = symptom.shows?.(view) ?? null;
      const said = standing(claimed(view, symptom.says ?? []), claimed(view, symptom.undone ?? []), view);
      if (shown === null && said.length === 0) continue;
      found.set(name, [...(shown ?? []), ...said.slice(0, 2).map(claimEvidence)]);
    }
    return found;
  });
}
