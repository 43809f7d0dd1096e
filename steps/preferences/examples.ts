/** The rows of the table `preferences` as tokens, with what cannot be learned from named and refused. @module */
import { columnArray } from "../../data/tables/mod.ts";
import type { Policy } from "../resources/policy.ts";
import type { StepContext } from "../step.ts";

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

export interface ExampleOptions {
  /** Pairs are wanted, else labelled completions. */
  readonly pairs: boolean;
  /** Tokens of prompt and completion together; what is beyond is cut off. Null: the model's context. */
  readonly maxLength: number | null;
  /** Refuse a set of one class, and pairs that are equal. */
  readonly checkData: boolean;
}

/**
 * The rows of a split. Throws RangeError for a table of the other form, a completion without text, a prompt that leaves no
 * room, ids that the model has not; and where data are checked for equal pairs and a missing class.
 */
export function readExamples(context: StepContext, policy: Policy, split: string, options: ExampleOptions): Example[] {
  const table = context.table("preferences"), { pairs } = options;
  const wanted = pairs ? ["chosen", "rejected"] : ["completion"];
  if (wanted.some((name) => !table.column(name))) {
    throw new RangeError(
      pairs
        ? 'Cannot train on pairs: table "preferences" holds labelled completions; set loss kto, or load a set of pairs'
        : 'Cannot train on labelled completions: table "preferences" holds pairs; set form: unpaired of load_preferences',
    );
  }
  const texts = (name: string) => columnArray(table, name) as ArrayLike<string>;
  const prompts = texts("prompt"), splits = texts("split"), completions = wanted.map(texts);
  const labels = pairs ? null : columnArray(table, "label") as ArrayLike<boolean>;
  const examples: Example[] = [], problems = new Problems();
  for (let row = 0; row < table.numRows(); row++) {
    if (splits[row] !== split) continue;
    const prompt = policy.encodePrompt(prompts[row]!, 0);
    const room = (options.maxLength ?? policy.model.config.maxPositions) - prompt.length;
    if (room < 1) problems.add(row, `prompts leave no room for a completion, want fewer than ${prompt.length} tokens`);
    const ids = completions.map((column) => {
      if (column[row] === "" || column[row] === null) problems.add(row, "completions are empty, want a text");
      return policy.encodeCompletion(prompts[row]!, column[row] ?? "");
    });
    if (options.maxLength === null && ids.some(({ length }) => length > room)) {
      problems.add(row, `rows are longer than the model's context, want max_length to cut them off`);
    }
    const least = Math.max(room, 1), cut = ids.map((list) => list.slice(0, least));
    const { vocabSize } = policy.model.config;
    if ([prompt, ...ids].some((list) => list.some((id) => id < 0 || id >= vocabSize))) {
      problems.add(row, `rows have token ids outside the model's vocabulary, want less than ${vocabSize}`);
    }
    if (options.checkData && pairs && same(cut[0]!, cut[1]!)) {
      const after = same(ids[0]!, ids[1]!) ? "" : " after they are cut to max_length";
      problems.add(row, `pairs have equal completions${after}: nothing to learn from, want two that differ`);
    }
    const label = labels === null ? null : labels[row] ? 1 : 0;
    examples.push({ row, prompt, completions: cut, label, uncut: { completions: ids, room: least } });
  }
  problems.refuse();
  if (options.checkData && !pairs && examples.length > 0) refuseOneClass(examples, split);
  return examples;
}

/** What is wrong with rows, counted by kind. */
class Problems {
  readonly #rows = new Map<string, number[]>();

  add(row: number, problem: string): void {
    const rows = this.#rows.get(problem) ?? [];
    if (rows.at(-1) !== row) rows.push(row);
    this.#rows.set(problem, rows);
  }

  /** Throws where there is any. */
  refuse(): void {
    const found = [...this.#rows].map(([problem, rows]) =>
      `${rows.length} ${problem} (row${rows.length > 1 ? "s" : ""} ${rows.slice(0, 5).join(", ")}${
        rows.length > 5 ? ", …" : ""
      } of table "preferences")`
    );
    if (found.length > 0) throw new RangeError(`Cannot train on preferences: ${found.join("; ")}`);
  }
}

function refuseOneClass(examples: readonly Example[], split: string): void {
  const desirable = examples.filter(({ label }) => label === 1).length;
  if (desirable > 0 && desirable < examples.length) return;
  const [have, lack] = desirable > 0 ? ["desirable", "undesirable"] : ["undesirable", "desirable"];
  throw new RangeError(
    `Cannot train on preferences: all ${examples.length} completions of split "${split}" are ${have}, want ${lack} ones ` +
      "as well; look at the label column, or set check_data: false to see what it does",
  );
}

const same = (a: Int32Array, b: Int32Array) => a.length === b.length && a.every((id, i) => id === b[i]);
