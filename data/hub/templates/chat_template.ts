/** Chat templates: messages to the text a model was trained on. @module */
import { messageOf } from "../../error_text.ts";
import { runTemplate } from "./python_jinja.ts";
import { strftime } from "./strftime.ts";
import { parseTemplate, TemplateFault } from "./template_program.ts";

export interface ChatMessage {
  readonly role: string;
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
}

export interface ChatOptions {
  /** Append what begins the assistant's turn. */
  readonly addGenerationPrompt?: boolean;
  /** Leave the last message open, so that the model goes on with it. */
  readonly continueFinalMessage?: boolean;
  /** JSON schemas of functions that the model may call. */
  readonly tools?: readonly Readonly<Record<string, unknown>>[] | null;
  /** Further variables of the template: bos_token, eos_token, enable_thinking, … */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The file that the template is from, for errors. */
  readonly file?: string | undefined;
}

/** A rendered conversation; `spans` are what stands in `{% generation %}`, from and to in UTF-16 units. */
interface Rendered {
  readonly text: string;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

const PARSED = new Map<string, unknown>();
const MOST_PARSED = 16;

/** Mark where `{% generation %}` begins and ends: characters that Unicode keeps free for a program's own use. */
const BEGIN = "\ufdd0", END = "\ufdd1";
const OPEN_TAG = /\{%(-?)\s*generation\s*(-?)%\}/g, CLOSE_TAG = /\{%(-?)\s*endgeneration\s*(-?)%\}/g;
const CONTINUE = "CONTINUE_FINAL_MESSAGE_TAG ";
const REASONING = ["reasoning_content", "thinking", "reasoning"] as const;

/** The text of `messages` by a Jinja template, as transformers' `apply_chat_template` renders it. */
export function renderChat(template: string, messages: readonly ChatMessage[], options: ChatOptions = {}): string {
  return render(template, messages, options);
}

/** Whether a template says itself what the assistant wrote. */
export const marksGeneration = (template: string) => template.search(OPEN_TAG) >= 0;

/** The text, and the parts of it in `{% generation %}`; the text is that of `renderChat`. */
export function renderWithSpans(
  template: string,
  messages: readonly ChatMessage[],
  options: ChatOptions = {},
): Rendered {
  const mark = (text: string) => (_: string, before: string, after: string) =>
    `{%${before} if true %}{{ "${text}" }}{% endif ${after}%}`;
  const marked = render(template.replace(OPEN_TAG, mark(BEGIN)).replace(CLOSE_TAG, mark(END)), messages, options);
  const spans: [number, number][] = [];
  let text = "", from = 0;
  for (const part of marked.split(/([\ufdd0\ufdd1])/)) {
    if (part === BEGIN) from = text.length;
    else if (part === END) spans.push([from, text.length]);
    else text += part;
  }
  return { text, spans };
}

function render(template: string, messages: readonly ChatMessage[], options: ChatOptions): string {
  const { addGenerationPrompt = false, continueFinalMessage = false, tools = null, variables } = options;
  try {
    if (addGenerationPrompt && continueFinalMessage) {
      throw new RangeError("add_generation_prompt and continue_final_message exclude each other");
    }
    const chat = messages.map(aliased), last = chat.at(-1);
    if (continueFinalMessage) chat[chat.length - 1] = opened(last, template);
    const text = runTemplate(parsed(template), {
      ...GLOBALS,
      documents: null,
      tools,
      ...variables,
      messages: chat,
      add_generation_prompt: addGenerationPrompt,
    });
    return continueFinalMessage ? cutOff(text, String(last!["content"])) : text;
  } catch (cause) {
    const line = cause instanceof TemplateFault ? cause.line : null;
    throw new SyntaxError(`Cannot render the chat template${placeOf(options.file, line)}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** In a file of JSON the template is one text, with lines of its own. */
function placeOf(file: string | undefined, line: number | null): string {
  if (file === undefined) return line === null ? "" : ` (line ${line})`;
  if (line === null) return ` (${file})`;
  return file.endsWith(".json") ? ` (${file}, line ${line} of chat_template)` : ` (${file}:${line})`;
}

const thrown = (message: unknown): never => {
  throw new Error(String(message));
};

const MOST_RANGE = 100_000; // jinja2/sandbox.py: MAX_RANGE.

/** What every template sees; its date is of the C locale, where the library's is the machine's. */
const GLOBALS = {
  ...{ true: true, True: true, false: false, False: false, none: null, None: null },
  raise_exception: thrown,
  strftime_now: (format: string) => strftime(new Date(), format),
  range(from: number, to?: number, by = 1): number[] {
    const [start, stop] = to === undefined ? [0, from] : [from, to], list: number[] = [];
    if (![start, stop, by].every(Number.isInteger)) throw new TypeError("range() is given what is no whole number");
    if (by === 0) throw new RangeError("range() by 0 has no end");
    if ((stop - start) / by > MOST_RANGE) throw new RangeError(`range() is longer than ${MOST_RANGE}`);
    for (let i = start; by > 0 ? i < stop : i > stop; i += by) list.push(i);
    return list;
  },
};

function parsed(template: string): unknown {
  const found = PARSED.get(template) ?? parseTemplate(template);
  if (!PARSED.has(template) && PARSED.size >= MOST_PARSED) PARSED.clear();
  PARSED.set(template, found);
  return found;
}

/** Reasoning stands under each name that templates read it by. */
function aliased(message: ChatMessage): Record<string, unknown> {
  const given = message as unknown as Readonly<Record<string, unknown>>;
  const reasoning = REASONING.map((name) => given[name]).find((value) => (value ?? null) !== null);
  return reasoning === undefined ? { ...given } : { thinking: reasoning, ...given, reasoning_content: reasoning };
}

/** The last message with a mark at its end, from which on the text is cut off. */
function opened(message: Readonly<Record<string, unknown>> | undefined, template: string): Record<string, unknown> {
  if (typeof message?.["content"] !== "string") {
    throw new RangeError("there is no last message with a text to go on with");
  }
  if (!template.includes("content")) {
    throw new RangeError("it reads no content, and a last message cannot be gone on with");
  }
  return { ...message, content: message["content"] + CONTINUE };
}

/** The text up to where the last message ends. */
function cutOff(text: string, content: string): string {
  const at = text.lastIndexOf(CONTINUE.trim());
  if (at < 0 || !text.includes(content.trim())) {
    throw new RangeError("the last message does not appear as it is, and cannot be gone on with");
  }
  return text.startsWith(CONTINUE, at) ? text.slice(0, at) : text.slice(0, at).trimEnd();
}
