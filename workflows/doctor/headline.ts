/** The first sentence of every report, for a tired person: what, since when, how much was lost, what to change. @module */
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import { told } from "./told.ts";
import { type Cause, DIAGNOSES } from "../../steps/diagnoses/mod.ts";
import { isTrl } from "../../data/options.ts";
import { FROM_START } from "../../steps/diagnoses/view/onset.ts";
import { percent } from "../../steps/diagnoses/view/numbers.ts";
import { costText } from "./cost_text.ts";
import { type Examined, otherReasons } from "./examined.ts";
import { stepWord } from "../../notebooks/pages/where.ts";
import { asClause, firstClause, plainFigures } from "./plain_figures.ts";

/** Algorithms that train on what is given: their train steps are counted, not rollouts. */
const ON_GIVEN_TEXTS = ["sft", "dpo", "kto", "reward_model"];
/** Causes that say what is lost to the person, best first: the others say why. */
const HARMS = ["reward_collapse", "all_incorrect_reward_floor"];
const CHANGES = 3; // Options that one sentence holds.
const END = 0.005; // Share below which nothing is left of the run; as little before it is no share to be said.

/** The head of a report of one run. */
export function headline(examined: Examined): string {
  const { verdict, findings, reasons } = examined.diagnosis;
  if (verdict === "faulty" && findings[0] !== undefined) {
    return [happened(examined, findings[0]), harmText(examined), changeText(examined, findings[0])].filter(Boolean)
      .join(" ");
  }
  const reason = reasons[0] === undefined ? "" : sentence(plainFigures(reasons[0]));
  const likely = verdict === "insufficient" ? told(examined.diagnosis).possible[0] : undefined;
  if (likely === undefined) return reasons[0] ?? "";
  const named = `${likely.cause} (${percent(rounded(likely.probability))})`;
  // What the reason says already is not said again: it has its probability alone.
  if (!new RegExp(`\\b${likely.cause}\\b`).test(reason)) return `${reason} It may be ${named}.`;
  return reason.replace(new RegExp(`(?<=\\bmay be )${likely.cause}\\b`, "i"), named);
}

/** Reasons that the first sentence does not say. */
export function reasonsBeside(examined: Examined, head: string): string[] {
  const said = head.toLowerCase(), { verdict, reasons } = examined.diagnosis;
  const isSaid = (reason: string) =>
    said.includes(plainFigures(reason).toLowerCase()) ||
    verdict === "insufficient" && head !== "" && reason === reasons[0];
  return otherReasons(examined).filter((reason) => !isSaid(reason));
}

/** What a finding is, since when it shows, and what it has cost: a sentence or two. */
export function happened(examined: Examined, finding: Finding): string {
  const { cost, findings } = examined.diagnosis, isFirst = findings[0]?.cause === finding.cause;
  const own = isFirst ? cost : undefined, since = own?.since ?? finding.train_steps[0] ?? null;
  const share = own?.share_of_run ?? null;
  const isLast = finding.train_steps.length === 1 && (share === null || share < END);
  const lost = own === undefined || examined.records < 2 ? null : costText(own, {
    machine: examined.machine,
    samples: !ON_GIVEN_TEXTS.includes(examined.algorithm ?? ""),
    isWarning: finding.severity === "warning",
  });
  const isDated = since === null || examined.records < 2 || saysWhen(finding.message, since);
  const what = isDated
    ? finding.message
    : `${withoutStop(finding.message)}; ${whenText(examined, since, share, isLast)}`;
  return [plainFigures(what), ...lost === null ? [] : [lost]].map((text) => sentence(text, functionNames(examined)))
    .join(" ");
}

/** What the person's own reward functions are called. */
function functionNames({ series }: Pick<Examined, "series">): ReadonlySet<string> {
  return new Set([...series.keys()].flatMap((column) => /^reward(?:_std)?\.(.+)$/.exec(column)?.[1] ?? []));
}

/** A message that has a train step of its own to say since when, or the same one: nothing is said about it again. */
function saysWhen(message: string, since: number): boolean {
  return /\b(?:since|from) (?:train step|record) \d/i.test(message) ||
    new RegExp(`\\b(?:train step|record) ${since}(?![\\d.]*\\d)`, "i").test(message);
}

const withoutStop = (text: string) => text.replace(/\.$/, "");

/** "it shows since train step 180 (the last 45 % of the train steps)"; "at" the last one, behind which there is nothing. */
function whenText(examined: Examined, since: number, share: number | null, isLast: boolean): string {
  const word = stepWord(examined);
  if (isLast) return `it shows at ${word} ${since}`;
  if (share === 1) return `it shows from the first ${word} on`;
  return `it shows since ${word} ${since}${
    share === null || share < END || share > 1 - END ? "" : ` (the last ${percent(rounded(share))} of the ${word}s)`
  }`;
}

const rounded = (share: number) => Math.round(100 * share) / 100;

/** With a capital, unless a name as code writes it or one of `names` stands first, and a full stop. */
function sentence(text: string, names: ReadonlySet<string> = new Set()): string {
  const word = /^[a-z]+(?=[ ,:;]|$)/.exec(text)?.[0];
  const begun = word !== undefined && !names.has(word) ? text[0]!.toUpperCase() + text.slice(1) : text;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** What the person loses, where another finding than the first says it: its first clause. */
function harmText({ diagnosis: { findings, afterEffects } }: Examined): string {
  const [first, ...others] = findings;
  if (HARMS.includes(first!.cause)) return "";
  const harm = HARMS.flatMap((harm) => [...afterEffects, ...others].filter(({ cause }) => cause === harm))[0];
  if (harm === undefined) return "";
  const clause = asClause(firstClause(harm)), fallen = /^(.+?) (?:fell|goes down) from /.exec(clause)?.[1];
  const isTold = fallen !== undefined && tellsFall(first!.message, fallen);
  return isTold ? "" : sentence(`Besides, ${clause}`);
}

/** True if a message says already that a signal falls: its name is the same in every rule. */
const tellsFall = (message: string, name: string) =>
  ["fell", "falls", "goes down"].some((word) => message.toLowerCase().includes(`${name.toLowerCase()} ${word} `));

/** What to change: options of the run's system, keys of our workflow, or what a person does. */
function changeText(examined: Examined, finding: Finding): string {
  const { system, diagnosis } = examined;
  const changes = changesOf(finding, system);
  if (changes.length === 0) return sentence(finding.hint);
  const shown = changes.slice(0, CHANGES).join(", "), { cost } = diagnosis;
  if (!spoils(finding.cause) || cost?.since == null || cost.share_of_run === null) {
    return `${firstByHand(finding)}Change: ${shown}.`;
  }
  const onset = earliestOnset(examined, cost.since);
  return Math.max(cost.share_of_run, shareFrom(examined, onset)) > FROM_START
    ? `Start again with ${shown}.`
    : `Go back to a checkpoint before ${stepWord(examined)} ${onset} and change: ${shown}${
      keepsRate(shown, system) ? " (load it as the model: a resume brings the old rate back)" : ""
    }.`;
}

/** What teaches something else than the task no option puts right: what a person does about it comes first. */
function firstByHand({ cause, hint, remedy: { by_hand }, wastes }: Finding): string {
  const isWrong = (wastes ?? wasteOf(cause)) === "wrong";
  return isWrong && by_hand !== undefined && by_hand !== hint ? `${sentence(by_hand)} ` : "";
}

/** Where the first of the trends began that spoil what is trained, or teach something else: a checkpoint behind it has part of what is wrong. */
function earliestOnset({ diagnosis: { findings, afterEffects } }: Examined, since: number): number {
  // What only stands still has spoilt nothing: a checkpoint of it is as good as one of before.
  const spoilt = [...findings, ...afterEffects].filter(({ cause, severity, wastes }) =>
    severity !== "info" && (spoils(cause) || (wastes ?? wasteOf(cause)) === "wrong")
  );
  return Math.min(since, ...spoilt.flatMap(({ began }) => began ?? []));
}

/** Share of the records from a train step on; 0 where no metric is known. */
function shareFrom({ series }: Examined, trainStep: number): number {
  const [{ trainSteps } = { trainSteps: [] }] = series.values();
  return trainSteps.length === 0 ? 0 : trainSteps.filter((step) => step >= trainStep).length / trainSteps.length;
}

/** Trainers of Hugging Face restore optimizer and scheduler with a checkpoint, and with them the rate of before. */
const keepsRate = (shown: string, system: string | null) => isTrl(system) && /learning_rate/.test(shown);

/** What is trained is spoilt: a change alone does not help. */
const spoils = (cause: string) => Object.hasOwn(DIAGNOSES, cause) && "spoils" in DIAGNOSES[cause as Cause];

const wasteOf = (cause: string) => Object.hasOwn(DIAGNOSES, cause) ? DIAGNOSES[cause as Cause].wastes : null;

/** Changes without the system's name; of an unknown system none, its options are not known. */
function changesOf({ remedy: { options, patches } }: Finding, system: string | null): string[] {
  if (options.length > 0) {
    const prefix = `${system}: `;
    if (system === null) return [];
    return options.map((option) => option.startsWith(prefix) ? option.slice(prefix.length) : option);
  }
  return patches.flatMap(({ key, step, value = null }) =>
    value === null
      ? []
      : [`${key}: ${typeof value === "number" || typeof value === "string" ? value : JSON.stringify(value)} in ${step}`]
  );
}
