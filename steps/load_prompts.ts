/** The step `load_prompts`: problems of a task, or the rows of a file, split by their content. @module */
import { basename } from "@deno/std/path/basename.js";
import { join } from "@deno/std/path/join.js";
import { resolve } from "@deno/std/path/resolve.js";
import { z } from "zod";
import { BOX_UNITS } from "../data/images/boxes.ts";
import { IMAGES, ImageStore } from "../data/images/image_store.ts";
import { tableOfRows } from "../data/tables/mod.ts";
import { didYouMean, suggest } from "../data/did_you_mean.ts";
import { type Task, type TaskName, TASKS } from "../data/tasks/mod.ts";
import { openDataset } from "../data/datasets/open_dataset.ts";
import { PromptCollector, type SplitPrompt } from "../data/tasks/rows/file_prompts.ts";
import { RowImages } from "../data/tasks/rows/row_images.ts";
import { readImageHeader } from "../data/images/decode.ts";
import { imageId } from "../data/images/image_id.ts";
import { imagesIn, promptWithImages } from "../data/datasets/prompt_images.ts";
import { hashOrder, remainingFractions, type Split, type SplitFractions, splitOf } from "../data/datasets/split.ts";
import { PLAIN_VERIFIERS, type VerifierName } from "../data/tasks/verifiers/mod.ts";
import type { Verifier } from "../data/tasks/verifiers/verifier.ts";
import { columnsText, DATA_OPTIONS, dataPath, OPENING, readingOf } from "./options/data_source.ts";
import { detection } from "./options/detection_params.ts";
import { splitProblem, splits } from "./options/split_params.ts";
import { sourceIssues, taskOptions } from "./options/task_options.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { answerTag } from "./rewards/text/answer_tag_param.ts";
import { defineStep, type StepContext } from "./step.ts";

const boxUnit = z.enum(BOX_UNITS);

const FILE_OPTIONS = {
  ...OPENING,
  prompt_column: z.string().min(1).optional().describe(
    "file: the column that holds the prompt; column.field is a field of its objects, column.0 the first of its list, here and below. Left out, the " +
      "columns are recognised: prompt, question, problem, instruction with input, messages, verl's and others; deno " +
      "task data FILE shows how",
  ),
  input_column: z.string().min(1).optional().describe(
    "file: a column whose text is put below the prompt, as Alpaca's input",
  ),
  answer_column: z.string().min(1).nullable().optional().describe(
    "file: the column that holds the answer; null where rows have none; left out, it is recognised too",
  ),
  messages_column: z.string().min(1).optional().describe(
    "file: the column of conversations, lists of { role, content } that end with the assistant's message, which is the " +
      "answer to those before; nothing verifies them",
  ),
  split_column: z.string().min(1).optional().describe(
    "file: a column that says train, validation or held_out; without it a hash of the prompt decides",
  ),
  detection,
  columns: z.array(z.string().min(1)).default([]).describe("file: further columns to keep, for your own rewards"),
  verifier: z.enum(["none", ...Object.keys(PLAIN_VERIFIERS) as VerifierName[]]).optional().describe(
    "file: when a completion counts as correct; left out, the one that most of the first answers are written for, else " +
      "exact, which is the answer letter by letter; none: nobody knows. docs/verifiers.md says how each decides",
  ),
  verifier_options: z.record(z.string(), z.json()).default({}).describe(
    "file: options of the verifier, e.g. tolerance of numeric; docs/verifiers.md has those of each",
  ),
  image_column: z.union([z.string().min(1), z.array(z.string().min(1))]).optional().describe(
    "file: the column, or columns, of each row's images: paths from the data file on, bytes, { bytes, path }, data URIs, or " +
      "lists of such; they stand where the prompt has <image> or a part of type image, else before its text. Left out, " +
      "image and images are recognised; []: none",
  ),
  image_folder: z.string().min(1).optional().describe(
    "file: where the paths of images begin, relative to the workflow file; left out, where the data file lies",
  ),
  box_unit: z.strictObject({ from: boxUnit, to: boxUnit }).optional().describe(
    "file: converts the boxes of answers by the size of the row's image, pixels or thousandths (0 to 1000) of its sides, " +
      "and refuses those that are not within it, and answers of which it would convert but a part. Boxes are in the forms " +
      "that rewards of pictures read; without it answers stay as they are",
  ),
  unreadable: z.enum(["stop", "skip"]).default("stop").describe(
    "file: a row without a prompt, whose answer the verifier cannot read, or with a bad image or box: stop and name it, or leave it out and count it",
  ),
};

/** Options that are left out, as a missing key does not say it. */
const UNSET = Object.fromEntries(
  Object.keys(FILE_OPTIONS).map((
    name,
  ) => [name, FILE_OPTIONS[name as keyof typeof FILE_OPTIONS].safeParse(undefined).data]),
) as { readonly [Name in keyof typeof FILE_OPTIONS]?: undefined };

const BASE = z.object({
  task: z.enum(Object.keys(TASKS) as [TaskName, ...TaskName[]]).optional().describe(
    "a built-in task; its own parameters stand beside it, e.g. digits",
  ),
  ...DATA_OPTIONS,
  ...FILE_OPTIONS,
  answer_tag: answerTag,
  limit: z.int().min(1).optional().describe("at most so many prompts, all splits together, in an order by hash"),
  splits,
});

const params = BASE.catchall(z.json()).superRefine((given, context) => {
  const issue = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  const problem = splitProblem(given.splits);
  if (problem !== null) issue(["splits"], problem);
  sourceIssues(given, BASE.shape, issue);
  verifierIssues(given, issue);
});

/** Whether the verifier has these options, with such values. */
function verifierIssues(given: z.output<typeof BASE>, issue: Issue): void {
  const { verifier, verifier_options } = given;
  if (verifier === undefined) {
    // A key that is misspelt is told by itself, and may be this one.
    const isMisspelt = Object.keys(given).some((key) => !Object.hasOwn(BASE.shape, key) && suggest(key, ["verifier"]));
    if (isMisspelt || Object.keys(verifier_options).length === 0) return;
    issue(["verifier_options"], "no verifier is named that they are for");
    return;
  }
  const own: Verifier | null = verifier === "none" ? null : PLAIN_VERIFIERS[verifier];
  const known = own ? Object.keys((own.params as z.ZodObject).shape) : [];
  for (const problem of (own?.params ?? z.strictObject({})).safeParse(verifier_options).error?.issues ?? []) {
    if (problem.code !== "unrecognized_keys") issue(["verifier_options", ...problem.path], problem.message);
    else {
      for (const key of problem.keys) {
        const has = known.length === 0 ? `; "${verifier}" has no options` : didYouMean(key, known);
        issue(["verifier_options", key], `unknown key "${key}" of verifier "${verifier}"${has}`);
      }
    }
  }
}

type Params = z.output<typeof params>;
type Issue = (path: PropertyKey[], message: string) => void;

/**
 * Every prompt occurs once and lies in one split, decided by a hash of its content: a held-out prompt is never in train,
 * whatever the seed. Prompts that are the same problem (a+b and b+a) share their split.
 */
export const loadPrompts = defineStep({
  about: "Load the prompts of a task or a file and split them into train, validation and held_out",
  params,
  reads: {},
  writes: { prompts: ["prompt_id", "prompt", "answer", "split", "difficulty"] },
  paths: { file: "file" },
  // A file can change while its name stays.
  setup: true,
  decidesReward: ["verifier"],
  outputs: z.object({
    prompts: z.int().describe("prompts in all splits"),
    train: z.int().describe("prompts to train on"),
    validation: z.int().describe("prompts for evaluations during training"),
    held_out: z.int().describe("prompts for the evaluations before and after"),
    duplicates: z.int().describe("rows of the file left out because their prompt occurred before"),
    unreadable: z.int().describe(
      "rows of the file left out because they have no prompt, a bad image or box, or an answer that the verifier cannot read",
    ),
    max_new_tokens: z.int().nullable().describe(
      "new tokens that the task's longest answer needs at one token per character, its end included; null for a file",
    ),
  }),
  check(given) {
    if (given.task === undefined) return fileProblems(given);
    const names = Object.keys(FILE_OPTIONS) as (keyof typeof FILE_OPTIONS)[];
    return withoutEffect(
      { ...UNSET, ...given },
      FILE_OPTIONS,
      names,
      `the prompts are a task's, "${given.task}", want a file`,
    );
  },
  async run(given, context) {
    const store = new ImageStore(join(context.folders.run, IMAGES));
    const { rows, duplicates, maxNewTokens, verifierOptions, ...read } = given.task !== undefined
      ? taskPrompts(given.task, taskOptions(given, BASE.shape), given.splits)
      : await promptsOfFile({ ...given, file: given.file! }, context, store);
    const chosen = hashOrder(rows, ({ prompt }) => prompt).slice(0, given.limit);
    const kept = await read.finish(chosen, store), unreadable = read.unreadable + chosen.length - kept.length;
    const counts: Record<Split, number> = { train: 0, validation: 0, held_out: 0 };
    const tag = {
      ...given.answer_tag === undefined ? {} : { answer_tag: given.answer_tag },
      ...Object.keys(verifierOptions).length === 0 ? {} : { verifier_options: JSON.stringify(verifierOptions) },
    };
    const prompts = kept.map(({ columns, ...row }, prompt_id) => {
      counts[row.split]++;
      return { prompt_id, ...row, ...tag, ...columns };
    });
    if (counts.train === 0) {
      const source = given.task ?? basename(given.file!);
      throw new RangeError(
        `Cannot load prompts of ${source}: none of ${kept.length} falls into train; raise splits.train or limit`,
      );
    }
    return {
      tables: { prompts: tableOfRows("prompts", prompts) },
      outputs: { prompts: prompts.length, ...counts, duplicates, unreadable, max_new_tokens: maxNewTokens },
    };
  },
});

/** No verifier of answers reads a conversation's answer, which is a message, nor one that is not there. */
function fileProblems(given: Params): string[] {
  if (given.messages_column === undefined) {
    if (given.answer_column !== null || given.verifier === undefined || given.verifier === "none") return [];
    const own: Verifier = PLAIN_VERIFIERS[given.verifier];
    if (own.needsNoAnswer?.(own.params.parse(given.verifier_options))) return [];
    return [
      `Cannot judge by verifier "${given.verifier}": answer_column is null; set verifier: none, or name the column`,
    ];
  }
  const idle = ["prompt_column", "answer_column", "input_column"] as const;
  const problems = withoutEffect({ ...UNSET, ...given }, FILE_OPTIONS, idle, "messages_column is given");
  if (given.verifier !== undefined && given.verifier !== "none") {
    problems.push(
      `Cannot judge answers to conversations by verifier "${given.verifier}": they are messages; set verifier: none`,
    );
  }
  return problems;
}

async function promptsOfFile(
  given: Params & { readonly file: string },
  { folders, emit }: StepContext,
  store: ImageStore,
) {
  const { encoding, config, take, detection } = given;
  const options = { encoding, config, take, detection, splits: given.splits };
  const dataset = await openDataset(dataPath(given.file, folders.workflow), options);
  const read = await readingOf(given, dataset);
  if (read.convention !== null) {
    emit({ event: "message", text: `${given.file} is read as ${read.convention}: ${columnsText(read.options)}` });
  }
  for (const { text, option } of read.unused) {
    emit({ event: "message", text: `${given.file}: ${text}`, unused: option });
  }
  const { options: columns } = read, { image_folder } = given;
  const own = new Set(dataset.parts.map(({ split }) => split));
  const images = new RowImages({
    store,
    columns: columns.image_columns,
    folder: image_folder && resolve(folders.workflow, image_folder),
    annotated: dataset.annotated !== null,
  });
  const splits = remainingFractions(given.splits, own);
  const collector = new PromptCollector({ ...given, ...columns, splits, images });
  const wanted = [
    columns.messages_column ?? [columns.prompt_column, columns.input_column ?? [], columns.answer_column ?? []].flat(),
    columns.split_column ?? [],
    columns.columns,
    [...columns.image_columns, ...dataset.annotated ?? []],
  ].flat();
  const batches = dataset.batches(wanted, (part) => images.enter(part));
  for await (const batch of batches) collector.add(batch);
  const finish = (chosen: readonly SplitPrompt[]) => withImages(chosen, images, given);
  return { ...collector.end(), maxNewTokens: null, verifierOptions: columns.verifier_options, finish };
}

/** The prompts whose images can be opened. Throws RangeError for one that cannot, unless those are left out. */
async function withImages(
  prompts: readonly SplitPrompt[],
  images: RowImages,
  { file, unreadable }: { readonly file: string; readonly unreadable: "stop" | "skip" },
): Promise<readonly SplitPrompt[]> {
  const problems = await images.end(new Set(prompts.flatMap(({ prompt }) => imagesIn(prompt))));
  const [first] = problems.values();
  if (first === undefined) return prompts;
  if (unreadable === "skip") {
    return prompts.filter(({ prompt }) => !imagesIn(prompt).some((id) => problems.has(id)));
  }
  const more = problems.size > 1 ? ` (and ${problems.size - 1} more)` : "";
  throw new RangeError(
    `Cannot load prompts from ${file}: ${first}${more}, or set unreadable: skip to leave such rows out`,
  );
}

function taskPrompts(name: TaskName, options: Record<string, unknown>, fractions: SplitFractions) {
  const task: Task = TASKS[name];
  const own = task.params.parse(options), pictures = new Map<string, Uint8Array>();
  const rows = task.rows(own).map((row): SplitPrompt => {
    const { answer, difficulty, columns = {}, images = [] } = row;
    const ids = images.map((bytes) => {
      const id = imageId(bytes, readImageHeader(bytes, `of task ${name}`));
      pictures.set(id, bytes);
      return id;
    });
    const prompt = ids.length === 0 ? row.prompt : promptWithImages(row.prompt, ids);
    return {
      prompt,
      answer,
      difficulty,
      split: row.split ?? splitOf(row.splitKey ?? prompt, fractions),
      verifier: name,
      columns,
    };
  });
  /** Only the images of prompts that are kept. */
  const finish = (chosen: readonly SplitPrompt[], store: ImageStore) => {
    for (const id of new Set(chosen.flatMap(({ prompt }) => imagesIn(prompt)))) {
      store.keep(pictures.get(id)!, `of task ${name}`);
    }
    return Promise.resolve(chosen);
  };
  const maxNewTokens = task.maxNewTokens(own);
  return { rows, duplicates: 0, unreadable: 0, verifierOptions: {}, maxNewTokens, finish };
}
