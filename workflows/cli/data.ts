/** `data`: what is in a file or folder of rows, and the lines of a workflow that read it. @module */
import { byteText } from "../../data/byte_text.ts";
import { openDataset } from "../../data/datasets/open_dataset.ts";
import { survey } from "../../data/preview/survey.ts";
import { completionText, messagesText } from "../../data/datasets/messages.ts";
import { type HubTokenizer, loadTokenizer } from "../../data/hub/tokenizer.ts";
import { isAddress } from "../../data/hub/remote/repository.ts";
import { chatOf } from "../../steps/resources/chat.ts";
import { dataPath } from "../../steps/options/data_source.ts";
import { namedFolder } from "../../steps/resources/model_source.ts";
import { defineCommand } from "./command.ts";
import { surveyLines } from "./data_text.ts";
import { pathArgument } from "../terminal/paths.ts";
import { stderr, stdout } from "../terminal/terminal.ts";

const QUIET_MS = 500; // Between two looks at the progress.

export const data = defineCommand({
  about: "What is in a data file or folder: columns, lengths, duplicates, answers that verifiers read, lines to paste",
  usage: "FILE|FOLDER|hf:datasets/ORG/NAME [--tokenizer FOLDER] [--config NAME] [--json]",
  words: [1, 1],
  options: {
    tokenizer: { about: "a model's folder or hf:ORG/NAME: lengths in its tokens", value: "FOLDER" },
    config: { about: "of a folder with several data sets: which", value: "NAME" },
    json: { about: "one JSON object" },
  },
  notes: [
    "Rows are read some at a time: a file may be larger than the memory.",
    "Exit codes: 0 ok · 1 cannot be read · 2 usage.",
  ],
  examples: ["train.jsonl", "./gsm8k --config main --tokenizer hf:Qwen/Qwen2.5-0.5B-Instruct"],
  jsonRefusal: (message) => JSON.stringify({ error: message }),
  async run([typed], { tokenizer, config, json }) {
    const place = isAddress(typed!) ? typed! : pathArgument(typed!), path = dataPath(place, ".");
    const dataset = await openDataset(path, { what: "rows", config });
    const own = tokenizer === undefined
      ? null
      : loadTokenizer(namedFolder(isAddress(tokenizer) ? tokenizer : pathArgument(tokenizer), "."));
    const encoded = (text: string) => own!.encode(text, { addSpecialTokens: false }).length;
    let told = performance.now();
    const found = await survey(dataset, {
      count: own ? encoded : undefined,
      countChat: own && own.chatTemplate !== null ? chatCounter(own, encoded) : undefined,
      hear(rows, size) {
        if (!stderr.live || performance.now() - told < QUIET_MS) return;
        told = performance.now();
        stderr.write(`\r\x1b[K${rows.toLocaleString("en")} rows of ${byteText(size)}`);
      },
    });
    if (stderr.live) stderr.write("\r\x1b[K");
    if (json) stdout.line(JSON.stringify({ file: typed, ...found }));
    else for (const line of surveyLines(typed!, config, found, stdout)) stdout.line(line);
    return found.rows === 0 ? 1 : 0;
  },
});

/** Tokens of messages as steps give them to a model: a prompt up to the assistant's turn, an answer as what follows it. */
function chatCounter(tokenizer: HubTokenizer, encoded: (text: string) => number) {
  const { format, conversation } = chatOf(tokenizer, { always: false });
  return (messages: readonly unknown[], before: readonly unknown[] | null): number => {
    if (before === null) return encoded(format(messagesText(messages)));
    const whole = conversation!(JSON.parse(completionText([...before, ...messages])));
    return encoded(before.length === 0 ? whole : whole.slice(format(messagesText(before)).length));
  };
}
