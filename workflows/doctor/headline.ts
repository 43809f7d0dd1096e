/** The first sentence of every report, for a tired person: since when, why, how much was lost, what to change. @module */
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import { told } from "../../steps/diagnoses/differential/told.ts";
import { type Cause, DIAGNOSES } from "../../steps/diagnoses/mod.ts";
import { LIKE_TRL } from "../../data/options.ts";
import { percent } from "../../steps/diagnoses/view/numbers.ts";
import { costText } from "./cost_text.ts";
import { type Examined, stepWord } from "./examined.ts";
import { asClause, plainFigures } from "./plain_figures.ts";

/** Algorithms that train on what is given: their train steps are counted, not rollouts. */
const ON_GIVEN_TEXTS = ["sft", "dpo", "kto", "reward_model"];
const CHANGES = 3; // Options that one sentence holds.
const END = 0.005; // Share below which nothing is left of the run.
const EARLY = 0.95; // Share of the run that leaves no checkpoint before.
const WHOLE = 0.995; // Share from which a fault is there from the start.

/** The head of a report of one run. */
export function headline(examined: Examined): string {
  const { verdict, findings, reasons } = examined.diagnosis;
  if (verdict === "faulty" && findings[0] !== undefined) {
    return [happened(examined, findings[0]), changeText(examined, findings[0])].join(" ");
  }
  const reason = reasons[0] === undefined ? "" : sentence(plainFigures(reasons[0]));
  const likely = verdict === "insufficient" ? told(examined.diagnosis).possible[0] : undefined;
  if (likely === undefined) return reasons[0] ?? "";
  return `${reason} It may be ${likely.cause} (${percent(rounded(likely.probability))}).`;
}

/** Since when a finding holds, what it is, and what it has cost: a sentence or two. */
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
  const what = since === null || examined.records < 2
    ? sentence(plainFigures(finding.message))
    : sentence(plainFigures(`${whenText(examined, since, share, isLast)}${asClause(without(finding.message, since))}`));
  return lost === null ? what : `${what} ${sentence(lost)}`;
}

/** "Since train step 180 (the last 45 % of the train steps), "; "at" the last one, behind which there is nothing. */
function whenText(examined: Examined, since: number, share: number | null, isLast: boolean): string {
  const word = stepWord(examined);
  if (isLast) return `at ${word} ${since}, `;
  if (share !== null && share > WHOLE) return `from the first ${word} on, `;
  return `since ${word} ${since}${
    share === null || share < END ? "" : ` (the last ${percent(rounded(share))} of the ${word}s)`
  }, `;
}

const WORD = "(?:train step|record)";

/** A message without the train step that stands before it. */
function without(message: string, since: number): string {
  return message
    .replace(new RegExp(`(^| )since ${WORD} ${since}(?: \\([^)]*of the run\\))?(?= |:|,|;|$)`, "i"), "$1")
    .replace(new RegExp(` (?:at ${WORD} ${since}|\\(${WORD} ${since}\\))(?= |:|,|;|$)`), "")
    .replace(new RegExp(`,? from ${WORD} ${since} on(?=,| |:|;|$)`), "")
    .replace(/ {2,}/g, " ").replace(/ ([:,;])/g, "$1").trim();
}

const rounded = (share: number) => Math.round(100 * share) / 100;

/** With a capital, unless a name as code writes it stands first, and a full stop. */
function sentence(text: string): string {
  const begun = /^[a-z]+(?:[ ,:;]|$)/.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text;
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** What to change: options of the run's system, keys of our workflow, or what a person does. */
function changeText(examined: Examined, finding: Finding): string {
  const { system, diagnosis } = examined;
  const changes = changesOf(finding, system);
  if (changes.length === 0) return sentence(finding.hint);
  const shown = changes.slice(0, CHANGES).join(", "), { cost } = diagnosis;
  if (!spoils(finding.cause) || cost?.since == null || cost.share_of_run === null) return `Change: ${shown}.`;
  return cost.share_of_run > EARLY
    ? `Start again with ${shown}.`
    : `Go back to a checkpoint before ${stepWord(examined)} ${cost.since} and change: ${shown}${
      keepsRate(shown, system) ? " (load it as the model: a resume brings the old rate back)" : ""
    }.`;
}

/** Trainers of Hugging Face restore optimizer and scheduler with a checkpoint, and with them the rate of before. */
const keepsRate = (shown: string, system: string | null) =>
  (system === "trl" || LIKE_TRL.has(system ?? "")) && /learning_rate/.test(shown);

/** What is trained is spoilt: a change alone does not help. */
const spoils = (cause: string) => Object.hasOwn(DIAGNOSES, cause) && "spoils" in DIAGNOSES[cause as Cause];

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
