/** The step `load_preferences`: pairs or labelled completions from a file, or made by a task. @module */
import { z } from "zod";
import { PREFERENCE_COLUMNS } from "../data/datasets/conventions.ts";
import { openDataset } from "../data/datasets/open_dataset.ts";
import { hashOrder, remainingFractions, type Split } from "../data/datasets/split.ts";
import { columnsRead, PreferenceCollector, readingOfPreferences } from "../data/preferences/file_preferences.ts";
import { generatePreferences } from "../data/preferences/generate_preferences.ts";
import { type PreferencePair, unpaired } from "../data/preferences/preference.ts";
import type { RowBatch } from "../data/datasets/row_batch.ts";
import { imageColumns } from "../data/tasks/rows/image_source.ts";
import { tableOfRows } from "../data/tables/mod.ts";
import { type TaskName, TASKS } from "../data/tasks/mod.ts";
import { DATA_OPTIONS, dataPath, firstRows, OPENING } from "./options/data_source.ts";
import { splitProblem, splits } from "./options/split_params.ts";
import { sourceIssues, taskOptions } from "./options/task_options.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { defineStep, type StepContext } from "./step.ts";

const column = (name: keyof typeof PREFERENCE_COLUMNS, about: string) =>
  z.string().min(1).default(PREFERENCE_COLUMNS[name]).describe(`file: the column that holds ${about}`);

const FILE_OPTIONS = {
  ...OPENING,
  prompt_column: column(
    "prompt_column",
    "the prompt; left out, another that is called as one; without any, the common beginning of chosen and rejected is it",
  ),
  chosen_column: column("chosen_column", "the preferred completion"),
  rejected_column: column("rejected_column", "the other one"),
  completion_column: column("completion_column", "a completion that is labelled"),
  label_column: column("label_column", "whether that is desirable: true or false"),
};

const BASE = z.object({
  task: z.enum(Object.keys(TASKS) as [TaskName, ...TaskName[]]).optional().describe(
    "a built-in task whose answers are chosen and wrong ones rejected; its own parameters stand beside it, e.g. digits",
  ),
  ...DATA_OPTIONS,
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
  if (given.task !== undefined && TASKS[given.task].hasImages) {
    issue(["task"], `the prompts of "${given.task}" have images, and preferences hold texts alone; want another task`);
  }
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
  paths: { file: "file" },
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
    const rows = given.task === undefined
      ? await ofFile({ ...given, file: given.file! }, context)
      : ofTask(given.task, given, context.seed);
    const counts: Record<Split, number> = { train: 0, validation: 0, held_out: 0 };
    const kept = rows.map((row, preference_id) => {
      counts[row.split]++;
      return { preference_id, ...row };
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

async function ofFile(given: Params & { readonly file: string }, { folders, emit }: StepContext) {
  const { file, encoding, config, take } = given;
  const dataset = await openDataset(dataPath(file, folders.workflow), { what: "preferences", encoding, config, take });
  const first = await firstRows(dataset) ?? { rows: [], columns: [] };
  refuseImages(file, first);
  const reading = readingOfPreferences(first.rows, first.columns, file, given);
  if (given.form === "pairs" && reading.form !== "pairs") {
    throw new RangeError(
      `Cannot load preferences from ${file}: its rows are labelled completions, want pairs of ` +
        `${given.chosen_column} and ${given.rejected_column}; leave form out, and train with loss kto`,
    );
  }
  const own = new Set(dataset.parts.map(({ split }) => split));
  const collector = new PreferenceCollector(reading, { ...given, splits: remainingFractions(given.splits, own) });
  for await (const batch of dataset.batches(columnsRead(reading, first.columns))) {
    collector.add(batch, dataset.parts.length === 1);
    if (collector.isFull && own.size === 1) break; // Another split may have prompts of this one.
  }
  const { rows, moved } = collector.end();
  if (moved > 0) {
    emit({
      event: "message",
      text: `${file}: prompts of ${moved} rows are in another of its splits too; they belong to that one`,
    });
  }
  return rows;
}

/** Throws a RangeError for a file whose rows have images, which would be left out without a word. */
function refuseImages(
  file: string,
  { rows, columns }: Pick<RowBatch, "rows"> & { readonly columns: readonly string[] },
) {
  const [named] = imageColumns(rows, columns);
  if (named === undefined) return;
  throw new RangeError(
    `Cannot load preferences from ${file}: its column "${named}" holds images, and preferences of a file hold texts alone; ` +
      "load the prompts by load_prompts and make pairs of what is sampled by pair_completions, or take the column out",
  );
}

function ofTask(name: TaskName, given: Params, seed: number) {
  const options = taskOptions(given, BASE.shape);
  const pairs = generatePreferences(TASKS[name], name, options, { seed, splits: given.splits });
  const splitOfPrompt = new Map(pairs.map(({ prompt, split }) => [prompt, split]));
  const rows = pairs.map(({ prompt, chosen, rejected }) => ({ prompt, chosen, rejected }));
  return ordered(rows, given).slice(0, given.limit)
    .map((row) => ({ split: splitOfPrompt.get(row.prompt)!, ...row }));
}

/** The pairs in the form that is wanted. */
function ordered(rows: readonly PreferencePair[], { form, order }: Params) {
  const sorted = <Row>(rows: readonly Row[], textOf: (row: Row) => string) =>
    order === "file" ? rows : hashOrder(rows, textOf);
  return form === "unpaired"
    ? sorted(unpaired({ form: "pairs", rows }), ({ prompt, completion }) => `${prompt}\n${completion}`)
    : sorted(rows, ({ prompt, chosen }) => `${prompt}\n${chosen}`);
}
