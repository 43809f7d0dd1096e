/**
 * Which statements of people the doctor takes for the symptom that they speak of, and which for one that they do not.
 *
 *     deno task bench phrases [--half train|test|all] [--missed SYMPTOM]
 *
 * Of tests/posts/phrases.jsonl, by halves that a hash of the text chooses: words are learnt from the first, the second says
 * how far they reach. Recall is of the statements that tell a symptom; the false share of those that seem to (`not_`).
 * --missed lists the statements of a symptom that are missed, and those that are taken for it.
 * @module
 */
import { Intake } from "../../data/adapters/intake/intake.ts";
import { PostReader } from "../../data/adapters/post/document.ts";
import { finish } from "../../data/adapters/run/finish.ts";
import { type SymptomName, SYMPTOMS, symptomsOf } from "../../steps/diagnoses/told/symptoms.ts";
import { tableView } from "../../steps/diagnoses/view/table_view.ts";
import { among, benchArguments, typed } from "./arguments.ts";

export interface Phrase {
  /** The symptom, with `not_` before it where the statement only seems to tell it. */
  readonly symptom: string;
  readonly lang: string;
  readonly text: string;
}

export type Half = "train" | "test";

/** What says the same as far as the causes go. */
const ALIKE: Partial<Readonly<Record<SymptomName, readonly SymptomName[]>>> = {
  reward_collapses: ["reward_falls"],
  reward_falls: ["reward_collapses", "goal_falls"],
  goal_falls: ["reward_falls", "reward_collapses"],
  goal_flat: ["reward_flat", "goal_at_floor"],
  goal_rises: ["reward_rises"],
  reward_rises: ["goal_rises"],
  answers_right: ["readable"],
  goal_at_floor: ["reward_zero", "goal_flat"],
  overflows: ["overflow_at_floor"],
  overflow_at_floor: ["overflows"],
  gradient_spikes: ["gradient_large"],
  gradient_large: ["gradient_spikes"],
  pairs_learned: ["margin_rises", "reward_rises", "goal_rises"],
  killed: ["hangs"],
  reward_zero: ["reward_flat", "reward_code_constant"],
  spread_zero: ["masked"],
  eval_loss_rises: ["memorised"],
};

export interface Heard {
  readonly phrase: Phrase;
  readonly symptom: SymptomName;
  /** It tells the symptom. */
  readonly tells: boolean;
  /** It was taken for the symptom. */
  readonly taken: boolean;
}

export const phrases = (): Phrase[] =>
  Deno.readTextFileSync(new URL("../posts/phrases.jsonl", import.meta.url)).split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** The half that a statement lies in, by a hash of its text. */
export function halfOf({ text }: Phrase): Half {
  let hash = 7;
  for (const character of text) hash = (hash * 31 + character.codePointAt(0)!) >>> 0;
  return hash % 10 < 5 ? "train" : "test";
}

/** Reads a statement as one of a post about training. Throws RangeError for one of a symptom that is none. */
export function hear(phrase: Phrase): Heard {
  const tells = !phrase.symptom.startsWith("not_"), symptom = phrase.symptom.replace(/^not_/, "");
  if (!isSymptom(symptom)) throw new RangeError(`Cannot judge a statement of "${symptom}": it is no symptom`);
  const intake = new Intake();
  intake.openSource("post.md", "post", phrase.text.length);
  intake.namesTraining = true; // The post around it does.
  const reader = new PostReader(intake);
  reader.take({ text: phrase.text, number: 1, ended: true });
  reader.end();
  const seen = symptomsOf(tableView(finish("post.md", intake)[0]!.rows));
  const taken = seen.has(symptom) || tells && (ALIKE[symptom] ?? []).some((name) => seen.has(name));
  return { phrase, symptom, tells, taken };
}

const isSymptom = (name: string): name is SymptomName => Object.hasOwn(SYMPTOMS, name);

export interface Share {
  readonly taken: number;
  readonly of: number;
}

/** Of statements that tell a symptom the share that is taken for it, or of those that seem to. */
export function shareOf(heard: readonly Heard[], tells: boolean): Share {
  const own = heard.filter((one) => one.tells === tells);
  return { taken: own.filter(({ taken }) => taken).length, of: own.length };
}

const shown = ({ taken, of }: Share) => of === 0 ? "-" : `${taken}/${of} ${Math.round(100 * taken / of)} %`;

/** A line for each symptom, worst first, then by language, then all. */
export function reportPhrases(heard: readonly Heard[]): string {
  const rows = [...Map.groupBy(heard, ({ symptom }) => symptom)].map(([name, own]) => {
    const recall = shareOf(own, true);
    return { rank: recall.taken / recall.of, cells: [name, shown(recall), shown(shareOf(own, false))] };
  }).sort((a, b) => a.rank - b.rank);
  const tongues = [...Map.groupBy(heard, ({ phrase }) => phrase.lang)].map((
    [name, own],
  ) => [name, shown(shareOf(own, true)), shown(shareOf(own, false))]);
  const all = ["all", shown(shareOf(heard, true)), shown(shareOf(heard, false))];
  return [["symptom", "recall", "false"], ...rows.map(({ cells }) => cells), ["language"], ...tongues, all]
    .map(([name = "", ...cells]) => `${name.padEnd(22)}${cells.map((cell) => cell.padStart(16)).join("")}`).join("\n");
}

if (import.meta.main) {
  const { half, missed } = typed(() => {
    const given = benchArguments(Deno.args, { half: "all", missed: "" });
    among("--half", given.half, ["train", "test", "all"]);
    among("--missed", given.missed, Object.keys(SYMPTOMS));
    return given;
  });
  const heard = phrases().filter((phrase) => half === "all" || halfOf(phrase) === half).map(hear);
  if (missed === "") console.log(reportPhrases(heard));
  for (const { phrase, symptom, tells, taken } of heard) {
    if (symptom === missed && tells !== taken) {
      console.log(`${tells ? "missed" : "false "} ${phrase.lang} ${phrase.text}`);
    }
  }
}
