/** The rows of the table `preferences` as tokens, with what cannot be learned from named and refused. @module */
import { columnArray } from "../../data/tables/mod.ts";
import type { Policy } from "../resources/policy.ts";
import type { StepContext } from "../step.ts";
import { cutRow, type Limits, requireText, RowProblems } from "../supervised/row_limits.ts";

/** One row: two completions of a pair (chosen, rejected), or one that is labelled. */
export interface Example {
  /** Place in the table, from 0. */
  readonly row: number;
  readonly prompt: Int32Array;
  readonly completions: readonly Int32Array[];
  /** 1 = desirable, 0 = not; null for a pair. */
  readonly label: 0 | 1 | null;
  /** Where rows may be cut off: the completions before, and how many tokens fit after this prompt. */
  readonly uncut?: { readonly completions: readonly Int32Array[]; readonly room: number };
}

export interface ExampleOptions extends Limits {
  /** Pairs are wanted, else labelled completions. */
  readonly pairs: boolean;
  /** Refuse a set of one class, and pairs that are equal. */
  readonly checkData: boolean;
  /** What they are read for, as an error says it. */
  readonly what?: string;
}

/** Said of preferences of the other form than what trains on them wants. */
export function otherForm(pairs: boolean, where: string): string {
  return pairs
    ? `Cannot train on pairs: ${where} holds labelled completions; load a set of pairs, or train with loss kto`
    : `Cannot train on labelled completions: ${where} holds pairs; train with loss dpo, or set form: unpaired of load_preferences`;
}

/**
 * The rows of a split. Throws RangeError for a table of the other form, a completion without text, a prompt that leaves no
 * room, ids that the model has not; and where data are checked for equal pairs and a missing class.
 */
export function readExamples(context: StepContext, policy: Policy, split: string, options: ExampleOptions): Example[] {
  const table = context.table("preferences"), { pairs } = options;
  const wanted = pairs ? ["chosen", "rejected"] : ["completion"];
  if (wanted.some((name) => !table.column(name))) {
    throw new RangeError(otherForm(pairs, 'table "preferences"'));
  }
  const texts = (name: string) => columnArray(table, name) as ArrayLike<string>;
  const prompts = texts("prompt"), splits = texts("split"), completions = wanted.map(texts);
  const labels = pairs ? null : columnArray(table, "label") as ArrayLike<boolean>;
  const lines = table.column("line") ? columnArray(table, "line") as ArrayLike<number> : null;
  const what = options.what ?? "train on preferences";
  const problems = lines === null
    ? new RowProblems(what, 'table "preferences"')
    : new RowProblems(what, "their file", "line");
  const examples: Example[] = [];
  for (let row = 0; row < table.numRows(); row++) {
    if (splits[row] !== split) continue;
    const prompt = policy.encodePrompt(prompts[row]!, 0), place = lines === null ? row : lines[row]!;
    requireText(problems, place, completions.map((column) => column[row]));
    const ids = completions.map((column) => policy.encodeCompletion(prompts[row]!, column[row] ?? ""));
    const { completions: cut, room } = cutRow(policy, options, { prompt, completions: ids }, problems, place);
    if (options.checkData && pairs && sameTokens(cut[0]!, cut[1]!)) {
      const after = sameTokens(ids[0]!, ids[1]!) ? "" : " after they are cut to max_length";
      problems.add(place, `pairs have equal completions${after}: ${EQUAL_PAIRS}`);
    }
    const label = labels === null ? null : labels[row] ? 1 : 0;
    examples.push({ row, prompt, completions: cut, label, uncut: { completions: ids, room } });
  }
  problems.refuse();
  if (options.checkData && !pairs && examples.length > 0) refuseOneClass(examples, split);
  return examples;
}

/** What is to be done about pairs that are equal. */
export const EQUAL_PAIRS =
  "nothing to learn from, want two that differ; remove them, or set check_data: false to see what they do";

function refuseOneClass(examples: readonly Example[], split: string): void {
  const desirable = examples.filter(({ label }) => label === 1).length;
  if (desirable > 0 && desirable < examples.length) return;
  const [have, lack] = desirable > 0 ? ["desirable", "undesirable"] : ["undesirable", "desirable"];
  throw new RangeError(
    `Cannot train on preferences: all ${examples.length} completions of split "${split}" are ${have}, want ${lack} ones ` +
      "as well; look at the label column, or set check_data: false to see what it does",
  );
}

export const sameTokens = (a: Int32Array, b: Int32Array): boolean =>
  a.length === b.length && a.every((id, i) => id === b[i]);
