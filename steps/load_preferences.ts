/** The step `load_preferences`: pairs or labelled completions from a file, or made by a task. @module */
import { z } from "zod";
import { filePreferences } from "../data/preferences/file_preferences.ts";
import { generatePreferences } from "../data/preferences/generate_preferences.ts";
import { type Preferences, unpaired } from "../data/preferences/preference.ts";
import { tableOfRows } from "../data/tables/mod.ts";
import { type TaskName, TASKS } from "../data/tasks/mod.ts";
import { type FileRows, readRows } from "../data/tasks/rows/read_rows.ts";
import { hashOrder, type Split, splitOf } from "../data/datasets/split.ts";
import { ENCODINGS } from "../data/datasets/text_encoding.ts";
import { dataPath } from "./options/data_source.ts";
import { splitProblem, splits } from "./options/split_params.ts";
import { sourceIssues, taskOptions } from "./options/task_options.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { defineStep } from "./step.ts";

const column = (name: string, about: string) =>
  z.string().min(1).default(name).describe(`file: the column that holds ${about}`);

const FILE_OPTIONS = {
  prompt_column: column("prompt", "the prompt; without it the common beginning of chosen and rejected is the prompt"),
  chosen_column: column("chosen", "the preferred completion"),
  rejected_column: column("rejected", "the other one"),
  completion_column: column("completion", "a completion that is labelled"),
  label_column: column("label", "whether that is desirable: true or false"),
  encoding: z.enum(ENCODINGS).optional().describe("file: of a text that is not UTF-8"),
  config: z.string().min(1).optional().describe("file: of a folder with several data sets: which"),
  take: z.partialRecord(z.enum(["train", "validation", "held_out"]), z.string().min(1)).optional().describe(
    "file: of a folder, the splits to read, e.g. { train: train_prefs }; rows are then split by their prompts",
  ),
};

const BASE = z.object({
  task: z.enum(Object.keys(TASKS) as [TaskName, ...TaskName[]]).optional().describe(
    "a built-in task whose answers are chosen and wrong ones rejected; its own parameters stand beside it, e.g. digits",
  ),
  file: z.string().min(1).optional().describe(
    "a .jsonl, .json, .csv, .parquet or .arrow file (texts also .gz) or a folder of such, relative to the workflow file; or " +
      "hf:datasets/ORG/NAME, as pull fetched it",
  ),
  form: z.enum(["pairs", "unpaired"]).optional().describe(
    "pairs for DPO, labelled completions for KTO; a file's own if absent, pairs for a task; pairs can be unpaired",
  ),
  ...FILE_OPTIONS,
  order: z.enum(["hash", "file"]).default("hash").describe(
    "of rows: by a hash of their texts, or as the file has them; neighbours give KTO its mismatched pairs",
  ),
  limit: z.int().min(1).optional().describe("at most so many rows, all splits together, in that order"),
  splits,
});

const params = BASE.catchall(z.json()).superRefine((given, context) => {
  const issue = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  const problem = splitProblem(given.splits);
  if (problem !== null) issue(["splits"], problem);
  sourceIssues(given, BASE.shape, issue);
});

type Params = z.output<typeof params>;

const PAIRS = { only: "where rows are pairs", when: ({ form }: Params) => form !== "unpaired" } as const;
const UNPAIRED = {
  only: "where rows are labelled completions",
  when: ({ form, file }: Params) => form === "unpaired" || (form === undefined && file !== undefined),
} as const;

/** All rows of a prompt lie in one split, decided by a hash of the prompt; a task's in that of `load_prompts`. */
export const loadPreferences = defineStep({
  about: "Load pairs of completions or labelled ones, of a file or made by a task, and split them",
  params,
  reads: {},
  writes: {
    preferences: [
      "preference_id",
      "prompt",
      "split",
      { column: "chosen", ...PAIRS },
      { column: "rejected", ...PAIRS },
      { column: "completion", ...UNPAIRED },
      { column: "label", ...UNPAIRED },
      { column: "line", only: "of a file", when: ({ file }: Params) => file !== undefined },
    ],
  },
  setup: true,
  outputs: z.object({
    rows: z.int().describe("pairs or completions in all splits"),
    train: z.int().describe("rows to train on"),
    validation: z.int().describe("rows for evaluations during training"),
    held_out: z.int().describe("rows that nothing trains on or looks at"),
    desirable: z.int().nullable().describe("completions that are desirable; null for pairs"),
  }),
  check(given) {
    if (given.task === undefined) return [];
    const names = Object.keys(FILE_OPTIONS) as (keyof typeof FILE_OPTIONS)[];
    const why = `the preferences are a task's, "${given.task}", want a file`;
    return withoutEffect(
      { encoding: undefined, config: undefined, take: undefined, ...given },
      FILE_OPTIONS,
      names,
      why,
    );
  },
  async run(given, context) {
    const { preferences, splitOfPrompt } = given.task === undefined
      ? await ofFile(dataPath(given.file!, context.folders.workflow), given)
      : ofTask(given.task, given, context.seed);
    const rows = ordered(preferences, given).slice(0, given.limit);
    const counts: Record<Split, number> = { train: 0, validation: 0, held_out: 0 };
    const kept = rows.map((row, preference_id) => {
      const split = splitOfPrompt(row.prompt);
      counts[split]++;
      return { preference_id, split, ...row };
    });
    if (counts.train === 0) {
      throw new RangeError(
        `Cannot load preferences of ${given.task ?? given.file}: none of ${rows.length} falls into train; ` +
          (rows.length > 1 && rows.every(({ prompt }) => prompt === rows[0]!.prompt)
            ? "all have the same prompt, and rows of a prompt lie in one split; set splits: { train: 1, validation: 0, " +
              "held_out: 0 }, or add rows of other prompts"
            : "raise splits.train or limit"),
      );
    }
    const labels = kept.flatMap((row) => "label" in row ? [row.label] : []);
    return {
      tables: { preferences: tableOfRows("preferences", kept) },
      outputs: { rows: kept.length, ...counts, desirable: labels.length ? labels.filter(Boolean).length : null },
    };
  },
});

interface Source {
  readonly preferences: Preferences;
  readonly splitOfPrompt: (prompt: string) => Split;
}

async function ofFile(path: string, given: Params): Promise<Source> {
  const { encoding, config, take } = given,
    rows = await readRows(path, { encoding, config, take, what: "preferences" });
  const preferences = placed(filePreferences(rows, given.file!, given), rows);
  if (given.form === "pairs" && preferences.form !== "pairs") {
    throw new RangeError(
      `Cannot load preferences from ${given.file}: its rows are labelled completions, want pairs of ` +
        `${given.chosen_column} and ${given.rejected_column}; leave form out, and train with loss kto`,
    );
  }
  return { preferences, splitOfPrompt: (prompt) => splitOf(prompt, given.splits) };
}

/** Every row with its place in the file, so that an error can name it whatever the order is. */
function placed(preferences: Preferences, { lines }: FileRows): Preferences {
  const own = <Row>(rows: readonly Row[]) => rows.map((row, i) => ({ ...row, line: lines?.[i] ?? i + 1 }));
  return preferences.form === "pairs"
    ? { form: "pairs", rows: own(preferences.rows) }
    : { form: "unpaired", rows: own(preferences.rows) };
}

function ofTask(name: TaskName, given: Params, seed: number): Source {
  const options = taskOptions(given, BASE.shape);
  const pairs = generatePreferences(TASKS[name], name, options, { seed, splits: given.splits });
  const splitOfRow = new Map(pairs.map(({ prompt, split }) => [prompt, split]));
  const rows = pairs.map(({ prompt, chosen, rejected }) => ({ prompt, chosen, rejected }));
  return { preferences: { form: "pairs", rows }, splitOfPrompt: (prompt) => splitOfRow.get(prompt)! };
}

/**
 * The rows as the form that is wanted. By hash neighbours have nothing to do with each other, so that the completion of
 * one is a mismatched one for the next.
 */
function ordered(preferences: Preferences, { form, order }: Params) {
  const sorted = <Row>(rows: readonly Row[], textOf: (row: Row) => string) =>
    order === "file" ? rows : hashOrder(rows, textOf);
  return form === "unpaired" || preferences.form === "unpaired"
    ? sorted(unpaired(preferences), ({ prompt, completion }) => `${prompt}\n${completion}`)
    : sorted(preferences.rows, ({ prompt, chosen }) => `${prompt}\n${chosen}`);
}
