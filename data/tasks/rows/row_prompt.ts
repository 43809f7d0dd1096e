/** Makes a prompt of one row of a user's file. @module */
import { briefly } from "../../error_text.ts";
import { cellOf } from "../../datasets/cells.ts";
import { jsonCell } from "../../datasets/depth.ts";
import { asMessages, BROKEN_TEXT, completionText, messagesText } from "../../datasets/messages.ts";
import type { Row } from "../../datasets/row_batch.ts";
import { type Split, SPLIT_NAMES, splitOf } from "../../datasets/split.ts";
import { imagesIn, imagesInCompletion } from "../../datasets/prompt_images.ts";
import { changeBoxes } from "./answer_boxes.ts";
import { answerText, cellText, textOf } from "./cell_text.ts";
import type { FilePromptOptions, SplitPrompt } from "./file_prompts.ts";
import { ImageProblem } from "./row_images.ts";

type Fail = (problem: string) => never;

/** A row as a prompt with its answer and its split. Throws ImageProblem, else what `fail` throws. */
export function rowPrompt(
  cells: Row,
  row: string,
  folderSplit: Split | null,
  options: FilePromptOptions,
  fail: Fail,
): SplitPrompt {
  const { split_column, columns, splits } = options;
  const text = (name: string) => cellText(cellOf(cells, name), name);
  const { prompt, answer: written } = options.messages_column === undefined
    ? {
      prompt: asked(() => promptOf(cells, options), `the prompt of ${row}`, fail),
      answer: asked(
        () =>
          options.answer_column === null
            ? ""
            : answerText(cellOf(cells, options.answer_column), options.answer_column, options.verifier),
        `the answer of ${row}`,
        fail,
      ),
    }
    : asked(
      () =>
        conversation(cellOf(cells, options.messages_column!), (list) => options.images?.prompt(cells, list) ?? null),
      `the conversation of ${row}`,
      fail,
    );
  const shown = imagesIn(prompt), forged = shown.find((id) => !options.images?.row.has(id));
  if (forged !== undefined) throw new ImageProblem(`its prompt shows image ${forged}, which the row does not give`);
  if (imagesInCompletion(written).length > 0) throw new ImageProblem("its answer shows an image, want texts alone");
  const answer = options.box_unit === undefined ? written : changeBoxes(written, shown, options.box_unit);
  for (const [name, written] of Object.entries({ prompt, answer })) {
    if (!written.isWellFormed()) fail(`the ${name} of ${row} ${BROKEN_TEXT}`);
  }
  const named = split_column === undefined ? null : asked(() => text(split_column), `the split of ${row}`, fail);
  const split = named !== null
    ? SPLIT_NAMES[named.toLowerCase()] ??
      fail(`${row} has split "${briefly(named)}", want ${Object.keys(SPLIT_NAMES).join(", ")}`)
    : folderSplit === null || folderSplit === "train"
    ? splitOf(prompt, splits)
    : folderSplit;
  const own = Object.fromEntries(columns.map((name) => [name, cellOf(cells, name) ?? null]));
  return { prompt, answer, split, verifier: options.verifier, difficulty: null, columns: own };
}

/** What `read` gives; what it refuses is said of `what`. */
export function asked<Read>(read: () => Read, what: string, fail: Fail): Read {
  try {
    return read();
  } catch (error) {
    const isTold = error instanceof RangeError || error instanceof SyntaxError;
    if (isTold && !(error instanceof ImageProblem)) return fail(`${what}: ${error.message}`);
    throw error;
  }
}

/** A text; a list of messages in the form that load_model puts into the chat template. */
function promptOf(cells: Row, { prompt_column: name, input_column: input, images }: FilePromptOptions): string {
  const value = asMessages(cellOf(cells, name));
  if (Array.isArray(value)) return images?.prompt(cells, value) ?? messagesText(value);
  const prompt = cellText(value, name), below = input === undefined ? "" : cellText(cellOf(cells, input), input);
  const text = below.trim() === "" ? prompt : `${prompt}\n\n${below}`;
  return text === "" ? text : images?.prompt(cells, text) ?? text;
}

/**
 * A list of messages, or its JSON, of which the last is the assistant's: that one answers the others.
 *
 * withImages   the text of a prompt that shows images; null for one that shows none
 */
export function conversation(
  value: unknown,
  withImages: (before: readonly unknown[]) => string | null = () => null,
): { readonly prompt: string; readonly answer: string } {
  const list: unknown = asMessages(typeof value === "string" ? jsonCell(value) : value);
  if (!Array.isArray(list)) throw new RangeError(`it is ${briefly(textOf(value ?? null))}, want a list of messages`);
  const last: unknown = list.at(-1), role = last === undefined ? null : JSON.parse(completionText([last]))[0].role;
  if (role !== "assistant" || list.length < 2) {
    const has = role === null || role === "assistant"
      ? `it has ${list.length}`
      : `its last message is the ${briefly(role)}'s, which no assistant's answers`;
    throw new RangeError(`${has}, want a list of two messages or more, the last of them the assistant's`);
  }
  const before = list.slice(0, -1);
  return { prompt: withImages(before) ?? messagesText(before), answer: completionText([last]) };
}
