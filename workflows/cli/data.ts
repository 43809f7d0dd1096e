/** `data`: what is in a file or folder of rows, and the lines of a workflow that read it. @module */
import { basename } from "node:path";
import { byteText } from "../../data/byte_text.ts";
import { openDataset } from "../../data/datasets/open_dataset.ts";
import { ANNOTATED } from "../../data/datasets/conventions.ts";
import { BOX_UNITS, type BoxUnit } from "../../data/images/boxes.ts";
import { ImageSurvey } from "../../data/preview/image_survey.ts";
import { shownBytes } from "../../data/preview/shown_bytes.ts";
import { type Survey, survey } from "../../data/preview/survey.ts";
import { completionText, messagesText, withoutImages } from "../../data/datasets/messages.ts";
import { type HubTokenizer, loadTokenizer } from "../../data/hub/tokenizer.ts";
import { isAddress } from "../../data/hub/remote/repository.ts";
import { chatOf } from "../../steps/resources/chat.ts";
import { dataPath } from "../../steps/options/data_source.ts";
import { namedFolder } from "../../steps/resources/model_source.ts";
import { defineCommand } from "./command.ts";
import { contactSheet } from "./contact_sheet.ts";
import { surveyLines } from "./data_text.ts";
import { pageFile } from "./page_file.ts";
import { writePage } from "../store/write_file.ts";
import { pathArgument, shownPath } from "../terminal/paths.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { stderr, stdout } from "../terminal/terminal.ts";

/** Rows on a contact sheet. */
const SHOWN = 48;
const QUIET_MS = 500; // Between two looks at the progress.

export const data = defineCommand({
  about: "What is in a data file or folder: columns, lengths, duplicates, answers that verifiers read, lines to paste",
  usage:
    "FILE|FOLDER|hf:datasets/ORG/NAME [--tokenizer FOLDER] [--config NAME] [--contact-sheet OUT.html] [--box-unit UNIT] [--json]",
  words: [1, 1],
  options: {
    tokenizer: { about: "a model's folder or hf:ORG/NAME: lengths in its tokens", value: "FOLDER" },
    config: { about: "of a folder with several data sets: which", value: "NAME" },
    "contact-sheet": { about: "a page with some of the images, their prompts, answers and boxes", value: "OUT.html" },
    "box-unit": {
      about: "in which the answers' boxes are; drawn on the page",
      value: "UNIT",
      choices: BOX_UNITS,
    },
    json: { about: "one JSON object" },
  },
  notes: [
    "Rows are read some at a time: a file may be larger than the memory.",
    "OUT.html is replaced where Nonzero wrote it; any other file that lies there stays.",
    "Exit codes: 0 ok · 1 cannot be read · 2 usage.",
  ],
  examples: ["train.jsonl", "./gsm8k --config main --tokenizer hf:Qwen/Qwen2.5-0.5B-Instruct"],
  jsonRefusal: (message) => JSON.stringify({ error: message }),
  async run([typed], { tokenizer, config, json, "contact-sheet": sheet, "box-unit": unit }) {
    const place = isAddress(typed!) ? typed! : pathArgument(typed!), path = dataPath(place, ".");
    const dataset = await openDataset(path, { what: "rows", config });
    const own = tokenizer === undefined
      ? null
      : loadTokenizer(namedFolder(isAddress(tokenizer) ? tokenizer : pathArgument(tokenizer), "."));
    const encoded = (text: string) => own!.encode(text, { addSpecialTokens: false }).length;
    if (unit !== undefined && sheet === undefined) {
      throw new UsageError("Cannot draw boxes: no page is asked for; add --contact-sheet OUT.html");
    }
    const out = sheet === undefined ? null : pageFile(sheet, "--contact-sheet");
    let told = performance.now();
    const images = new ImageSurvey(sheet === undefined ? 0 : SHOWN);
    const looked = await survey(dataset, {
      count: own ? encoded : undefined,
      countChat: own && own.chatTemplate !== null ? chatCounter(own, encoded) : undefined,
      images,
      hear(rows, size) {
        if (!stderr.live || performance.now() - told < QUIET_MS) return;
        told = performance.now();
        stderr.write(`\r\x1b[K${rows.toLocaleString("en")} rows of ${byteText(size)}`);
      },
    });
    if (stderr.live) stderr.write("\r\x1b[K");
    const found = unit === undefined ? looked : withBoxUnit(looked, unit as BoxUnit);
    if (json) stdout.json(JSON.stringify({ file: typed, ...found }, shownBytes));
    else for (const line of surveyLines(typed!, config, found, stdout)) stdout.line(line);
    if (out !== null) {
      writePage(out, await contactSheet(basename(place), found, images.pictures, unit as BoxUnit));
      if (!json) stdout.line(`${images.pictures.length} rows with images: ${shownPath(out)}`);
    }
    return found.rows === 0 ? 1 : 0;
  },
});

/** The unit that was said belongs into the lines to paste, with the verifier of boxes where they are what is answered. */
function withBoxUnit(found: Survey, unit: BoxUnit): Survey {
  const { use, readable } = found;
  if (use === null || use.convention === ANNOTATED || !("answer_column" in use.options)) return found;
  const isOfBoxes = readable !== null && 2 * (readable.by["boxes"] ?? 0) > readable.answers;
  const box_unit = { from: unit, to: "thousandths" };
  return {
    ...found,
    use: { ...use, options: { ...use.options, box_unit, ...isOfBoxes ? { verifier: "boxes" } : {} } },
  };
}

/** Tokens of messages as steps give them to a model: a prompt up to the assistant's turn, an answer as what follows it. */
function chatCounter(tokenizer: HubTokenizer, encoded: (text: string) => number) {
  const { format, conversation } = chatOf(tokenizer, { always: false });
  return (all: readonly unknown[], given: readonly unknown[] | null): number => {
    const messages = withoutImages(all), before = given && withoutImages(given);
    if (before === null) return encoded(format(messagesText(messages)));
    const whole = conversation!(JSON.parse(completionText([...before, ...messages])));
    return encoded(before.length === 0 ? whole : whole.slice(format(messagesText(before)).length));
  };
}
