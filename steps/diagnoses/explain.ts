/** The rules as pages: one by cause or code, and all of them. @module */
import { closestString } from "@deno/std/text/closest_string.js";
import { LEAST, LEVEL, MOVED } from "../../data/adapters/post/numbers/number_claims.ts";
import type { SubjectName } from "../../data/adapters/post/words/subjects.ts";
import { type Cause, DIAGNOSES } from "./mod.ts";
import { DECISION_ORDER, ORDER } from "./decide.ts";
import type { Diagnosis } from "./diagnosis.ts";
import { WASTES } from "./cost/waste.ts";
import { falseAlarmText } from "./differential/false_alarms.ts";
import { type LookName, LOOKS } from "./differential/looks.ts";
import { SIGNS } from "./differential/signs.ts";
import { optionRule, REMEDY_SYSTEMS } from "./remedies/options.ts";
import { COMPLAINTS } from "./told/complaints.ts";
import { patternsOf } from "./told/patterns.ts";
import type { Symptom } from "./told/symptom.ts";
import { type SymptomName, SYMPTOMS } from "./told/symptoms.ts";
import { written } from "./view/numbers.ts";
import { changeText } from "./remedies/value.ts";

const SEVERITY_WORDS = {
  fatal: "fatal: stop now",
  error: "error: repair or stop",
  warning: "warning",
  info: "a note, never an alarm",
} as const;

/** Markdown page of one cause. */
export function page(cause: Cause): string {
  const rule: Diagnosis = DIAGNOSES[cause];
  const effects = ORDER[cause];
  const options = REMEDY_SYSTEMS.flatMap((system) => {
    const list = rule.remedy.flatMap((patch) => optionRule(patch, system) ?? []);
    return list.length === 0 ? [] : [`- ${system}: ${list.map((text) => `\`${text}\``).join(", ")}`];
  });
  const own = rule.remedy.flatMap((patch) =>
    "step" in patch ? [`- \`${patch.step}\`: \`${patch.key}\` ${changeText(patch)}`] : []
  );
  const lines = [
    `## ${cause}`,
    "",
    rule.about,
    "",
    `Codes ${rule.codes.join(", ")} · ${SEVERITY_WORDS[rule.severity]}`,
    "",
    ...(typeof rule.decision === "string"
      ? [`**Decision.** ${rule.decision}`]
      : ["**Decision**", ...rule.decision.map((branch) => `- ${branch}`)]),
    "",
    ...inPosts(cause),
    `**Reads** ${rule.reads.map((name) => `\`${name}\``).join(", ")}`,
    "",
    `**What to do.** ${rule.hint}`,
    ...(rule.byHand === undefined ? [] : [rule.byHand]),
    ...(rule.ours === undefined ? [] : [`In our runs: ${rule.ours}`]),
    ...(own.length === 0 ? [] : ["", "In our workflow:", ...own]),
    ...(options.length === 0 ? [] : ["", "Elsewhere:", ...options]),
    "",
    "**What decides**",
    ...Object.entries(SIGNS[cause]).map(([look, sign]) => `- ${LOOKS[look as LookName].about}: it is this if ${sign}`),
    "",
    `**What it costs** is counted as: ${costRule(cause)}.`,
    "",
    `**False alarms** on healthy runs, with an upper bound of 95 %: ${falseAlarmText(cause)}.`,
    "",
    "**Look-alikes**",
    ...Object.entries(rule.lookAlikes).map(([other, why]) => `- \`${other}\`: ${why}`),
    ...(effects.length === 0 ? [] : ["", `**Explains** ${effects.map((effect) => `\`${effect}\``).join(", ")}`]),
    "",
    `Taught by ${rule.taughtBy}.`,
  ];
  return `${lines.join("\n")}\n`;
}

/** What of a post names the cause: symptoms that people tell of, or that few numbers show. */
function inPosts(cause: Cause): string[] {
  const patterns = patternsOf(cause), complaints = COMPLAINTS.filter((one) => one.cause === cause);
  if (patterns.length + complaints.length === 0) return [];
  const about = (names: readonly SymptomName[]) => names.map((name) => SYMPTOMS[name].about).join(", or ");
  const rows = patterns.map(({ all, none = [], options }) =>
    `- ${all.map((wanted) => about([wanted].flat())).join("; and ")}${
      options === undefined ? "" : "; and the options say so"
    }${none.length === 0 ? "" : ` (unless ${about(none)})`}`
  );
  const plain = complaints.map(({ message, none = [] }) =>
    `- nothing else says why, and the author complains firmly: ${message[0]!.toLowerCase()}${message.slice(1)}${
      none.length === 0 ? "" : ` (unless ${about(none)})`
    }`
  );
  const seen = new Set(patterns.flatMap(({ all }) => all.flat())), shown = bordersOf((name) => seen.has(name));
  return [
    "**In a post**, or of few records",
    ...rows,
    ...plain,
    ...(shown.length === 0 ? [] : ["", "Numbers show it from here on:", ...shown]),
    "",
  ];
}

/** From which numbers on symptoms are there without a word. */
const bordersOf = (test: (name: SymptomName) => boolean): string[] =>
  (Object.entries(SYMPTOMS) as [SymptomName, Symptom][]).flatMap(([name, { about, border }]) =>
    border !== undefined && test(name) ? [`- ${about}: ${border}`] : []
  );

/** All borders of what is told, those of patterns that must not be there among them. */
function toldBorders(): string[] {
  const subjects = [...new Set([...Object.keys(LEAST), ...Object.keys(LEVEL)])] as SubjectName[];
  const rows = subjects.map((subject) => {
    const [up, down] = LEAST[subject] ?? [1 + MOVED, 1 + MOVED], level = LEVEL[subject];
    return `- ${subject.replaceAll("_", " ")}: ${written`${up}`} times what it was${
      level === undefined ? "" : written`, to ${level} or more`
    }; ${Number.isFinite(down) ? written`or a fall to 1/${down}` : "a fall says nothing"}`;
  });
  return [
    "## In a post: from which number on",
    "",
    "What patterns see of few records, in a log or a table, without a word:",
    ...bordersOf(() => true),
    "",
    'What the author says counts where no number says otherwise. Two numbers of a sentence ("from 0.1 to 3") say it too:',
    ...rows,
    written`- any other metric: ${MOVED} % more or less than it was`,
    "",
  ];
}

/** What is counted as lost from its onset on. */
function costRule(cause: Cause): string {
  const words = WASTES[DIAGNOSES[cause].wastes];
  return words === null ? "nothing that a log shows" : `${words.of} that ${words.said}`;
}

/**
 * The page of a cause, or of every cause a catalogue code decides.
 *
 * Throws RangeError for a name that is neither, with the closest one.
 */
export function explain(causeOrCode: string): string {
  if (Object.hasOwn(DIAGNOSES, causeOrCode)) return page(causeOrCode as Cause);
  const byCode = DECISION_ORDER.filter((cause) => DIAGNOSES[cause].codes.includes(causeOrCode.toUpperCase()));
  if (byCode.length > 0) return byCode.map(page).join("\n");
  const names = [...DECISION_ORDER, ...new Set(DECISION_ORDER.flatMap((cause) => DIAGNOSES[cause].codes))];
  const near = closestString(causeOrCode, names) as string;
  throw new RangeError(`Cannot explain "${causeOrCode}": it is no cause and no code; did you mean "${near}"?`);
}

/** Markdown of all rules in the order of decisions: generated, never edited. */
export function rulesPage(): string {
  const table = DECISION_ORDER.map((cause, index) =>
    `| ${index + 1} | [${cause}](#${cause}) | ${DIAGNOSES[cause].codes.join(", ")} | ${DIAGNOSES[cause].severity} | ${
      DIAGNOSES[cause].about
    } |`
  );
  return [
    "# What the doctor knows",
    "",
    "Generated from `steps/diagnoses`. The order is the order of decisions: a cause explains what stands below it.",
    "",
    "| | cause | codes | severity | what is wrong |",
    "| --- | --- | --- | --- | --- |",
    ...table,
    "",
    ...DECISION_ORDER.map(page),
    ...toldBorders(),
  ].join("\n");
}
