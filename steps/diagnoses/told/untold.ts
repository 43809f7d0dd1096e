/** What keeps a run that people tell of from being called healthy: complaints that no number answers, or nothing printed. @module */
import { cutAtWord } from "../../../data/cut_at_word.ts";
import type { PredicateName } from "../../../data/adapters/post/words/predicates.ts";
import { SUBJECTS } from "../../../data/adapters/post/words/subjects.ts";
import type { SubjectName } from "../../../data/adapters/post/words/subjects.ts";
import { isPreference, isReinforcement } from "../view/groups.ts";
import type { RunView } from "../view/run_view.ts";
import type { SaidOf } from "../view/said_of.ts";
import { type SymptomName, SYMPTOMS, symptomsOf } from "./symptoms.ts";
import {
  explained,
  heldOutGain,
  heldOutStill,
  isAsked,
  isFlawless,
  knowsByHeart,
  neverPaid,
  shownHealth,
} from "./shown_health.ts";
import { ENOUGH } from "../../../data/adapters/run/told_records.ts";
import { printedRecords } from "./told_finding.ts";

const EARNED: readonly SubjectName[] = [
  "reward",
  "accuracy_reward",
  "iou_reward",
  "format_reward",
  "accuracy",
  "evaluation",
];
const TEXTS: readonly PredicateName[] = [
  "garbled",
  "token_zero",
  "repeats",
  "empty",
  "identical",
  "same_everywhere",
  "truncated",
  "cheats",
];
/** What is complained of, by what is said. */
const BAD: Partial<Readonly<Record<PredicateName, readonly SubjectName[]>>> = {
  zero: [...EARNED, "grad_norm", "kl", "advantage", "learning_rate", "parameters"],
  not_finite: [
    "loss",
    "policy_loss",
    "value_loss",
    "grad_norm",
    "kl",
    "entropy",
    "reward",
    "logprobs",
    "parameters",
    "training",
    "eval_loss",
    "policy",
  ],
  constant: [...EARNED, "loss", "grad_norm", "adapter", "parameters", "learning_rate"],
  slows: ["training", "step_time", "policy"],
  killed: ["training", "policy", "completions"],
  overflows: ["training", "policy", "completions"],
  low: ["gold"],
  forgets: ["policy", "evaluation", "training", "completions"],
  worsens: [...EARNED, "completions", "policy", "eval_loss", "training"],
  falls: [...EARNED, "entropy", "completion_length"],
  collapses: [...EARNED, "entropy", "completion_length", "training", "policy", "loss", "completions"],
  explodes: ["reward", "loss", "kl", "grad_norm", "completion_length", "entropy", "ratio", "value_loss"],
  rises: ["loss", "eval_loss", "kl"],
  hangs: ["training"],
  differs: ["logprobs", "ratio"],
};
/** What serves the goal, and what is said of it: where the goal gets better held out, such a complaint is answered. */
const MEANS: Partial<Readonly<Record<SubjectName, readonly PredicateName[]>>> = {
  loss: ["constant", "rises"],
  kl: ["zero", "rises", "explodes"],
  entropy: ["falls", "collapses", "explodes"],
  grad_norm: ["constant", "explodes"],
  completion_length: ["falls", "collapses", "explodes"],
  completions: ["identical"],
  learning_rate: ["zero", "constant"],
  training: ["overflows", "slows"],
};
/** Printed records of what is complained of that answer the complaint. */
const ANSWERS = 3;
/** Epochs, and the share of its loss, after which a run may know its rows by heart. */
const MANY_EPOCHS = 4, LEARNED = 0.2;
const isSupervised = (view: RunView) => view.algorithm === "sft" && !view.has("reward");
/** What people say of a run that learns. */
const HEALTH: readonly SymptomName[] = ["reward_rises", "goal_rises", "loss_falls", "margin_rises"];

/** What no run that is told in words alone is called healthy beside. */
const BAD_SIGNS = [
  "chosen_lost",
  "reward_falls",
  "goal_falls",
  "eval_loss_rises",
  "garbled",
  "repeats",
  "token_zero",
  "empty",
  "cheats",
  "loss_not_finite",
  "gradient_not_finite",
] as const satisfies readonly SymptomName[];

/** What ends a run. */
const BREAKS: ReadonlySet<PredicateName> = new Set<PredicateName>(["explodes", "not_finite", "collapses"]);
const SEQUEL =
  /^\W*(?:(?:and|but|und|aber|et|mais|y|pero|e|mas|и|а|но)\s)?(?:then|finally|later|eventually|afterwards|in the end|dann|schließlich|später|puis|ensuite|finalement|luego|después|al final|depois|no fim|потом|затем|в конце)(?!\p{L})|^\W*(?:然后|最后|后来|随后|之后|最终|接着|その後|最終的に|그\s?(?:뒤|후)|나중에|결국)/iu;

/** True of what came later than the records that are printed: "and then becomes huge". */
function isSequel({ text, from }: SaidOf, view: RunView): boolean {
  const last = view.stepsPrinted ? view.trainSteps.at(-1) ?? Infinity : Infinity;
  return SEQUEL.test(text) || from !== null && from > last;
}

/** Complaints that no printed number answers. */
export function openComplaints(view: RunView): readonly SaidOf[] {
  return view.claims.filter((claim) => {
    const { counts, subject, predicate } = claim;
    if (!counts) return false;
    const name = subject as SubjectName, said = predicate as PredicateName;
    const isBad = BAD[said]?.includes(name) ?? false,
      isText = TEXTS.includes(said) && ["completions", "training", "policy"].includes(name);
    if (!isBad && !isText) return false;
    // The reward that pairs imply begins at 0.
    if (name === "reward" && isPreference(view)) return false;
    const { column } = SUBJECTS[name];
    if (column === null) return true;
    // What is shown is the beginning, and what is told came behind it.
    if (BREAKS.has(said) && isSequel(claim, view)) return true;
    const cells = view.column(column);
    // A rate that prints one value, as is said, is no answer.
    if (name === "learning_rate" && said === "constant") return new Set(view.finite(column)).size <= 1;
    return cells.filter((value, record) => value !== null && !view.isTold(column, record)).length < ANSWERS;
  });
}

/** True of a complaint that what gets better held out answers, or the numbers of one record that learns. */
function isAnswered(complaint: SaidOf, view: RunView): boolean {
  if (isAsked(complaint) && !complaint.throughout && explained(view) !== null) return true;
  const answered = MEANS[complaint.subject as SubjectName] ?? [];
  return answered.includes(complaint.predicate as PredicateName) && heldOutGain(view) !== null;
}

/** Why a run that people tell of cannot be called healthy; null where it can, or where a log tells of it. */
export function untold(view: RunView): string | null {
  if (!view.isPost) return null;
  const broken = view.messages.find(({ kind }) => kind === "broken_run");
  if (broken !== undefined) {
    return `line ${broken.line} tells of a run that is broken: "${cutAtWord(broken.text, 80)}"`;
  }
  const complaint = openComplaints(view).find((one) => !isAnswered(one, view));
  if (complaint !== undefined) {
    return `line ${complaint.line} says "${cutAtWord(complaint.text.trim(), 80)}", and no number tells why`;
  }
  const served = view.messages.find(({ kind }) => kind === "served_otherwise");
  if (served !== undefined) {
    return `line ${served.line} says "${cutAtWord(served.text, 80)}": what answers may not be what was trained`;
  }
  const unread = view.messages.find(({ kind }) => kind === "unread_column");
  if (unread !== undefined) return `${unread.text} of the table on line ${unread.line} was not read`;
  const epochs = view.finite("epoch").at(-1) ?? 0, loss = view.finite("loss");
  if (epochs >= MANY_EPOCHS && isSupervised(view) && view.evaluated.length === 0 && loss.at(-1)! < LEARNED * loss[0]!) {
    return `after ${Math.round(epochs)} epochs the loss is ${
      loss.at(-1)
    }, and no held-out loss tells what of it is memory`;
  }
  if (knowsByHeart(view)) return "the training pairs are known by heart, and no held-out number tells what is learned";
  if (isFlawless(view)) {
    return "held-out pairs are told apart without a flaw: too few of them, or told apart by what is easy";
  }
  const unpaid = neverPaid(view), printed = printedRecords(view);
  if (printed >= ENOUGH) return null;
  if (unpaid !== null) return unpaid;
  const doubt = view.messages.find(({ kind }) => kind === "doubt");
  const notUnderstood = doubt && `line ${doubt.line} says "${cutAtWord(doubt.text, 80)}", which is not understood`;
  // A few records of training say nothing of what somebody tells of the answers.
  if (printed > 0 && notUnderstood !== undefined && heldOutGain(view) === null) return notUnderstood;
  if (printed === 0) {
    const still = heldOutGain(view) === null ? heldOutStill(view) : null;
    if (still !== null) return still;
    const bad = BAD_SIGNS.find((name) => symptomsOf(view).has(name));
    if (bad !== undefined) return `${SYMPTOMS[bad].about}, and nothing that is told says why`;
    if (notUnderstood !== undefined) return notUnderstood;
  }
  if (shownHealth(view).length > 0) return null;
  if (printed > 0) {
    return `nothing on ${printed === 1 ? "the one record" : `the ${printed} records`} proves that the run learns`;
  }
  const symptoms = symptomsOf(view);
  // The loss of a run on rewards says nothing of what it learns.
  const isTold = HEALTH.some((name) => symptoms.has(name) && !(name === "loss_falls" && isReinforcement(view)));
  return isTold ? null : "the text tells too little to call the run healthy";
}
