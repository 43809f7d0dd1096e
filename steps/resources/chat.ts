/** How prompts go through a chat template: its variables, its tools, and what it makes of messages. @module */
import { basename, dirname, join, resolve } from "node:path";
import { isFolder, isThere } from "../../data/file_system.ts";
import { assistantSpans } from "../../data/hub/templates/assistant_mask.ts";
import { type ChatMessage, type ChatOptions, renderChat } from "../../data/hub/templates/chat_template.ts";
import { readFolderText } from "../../data/hub/model_folder.ts";
import type { HubTokenizer } from "../../data/hub/tokenizer.ts";
import { messagesIn } from "../../data/datasets/messages.ts";
import type { Policy } from "./policy.ts";

/** Said of prompts that are lists of messages. */
export const NO_TEMPLATE =
  "it is a list of messages and the tokenizer has no chat template; give texts as prompts, a " +
  "model that has a chat template, or a file that holds one as chat_template of load_model";

/** Where a tokenizer's folder has its template; it goes before every other place. */
export const OWN_FILE = "chat_template.jinja";

export interface ChatSettings {
  /** Plain texts go through the template too, as a user's message. */
  readonly always: boolean;
  readonly tools?: ChatOptions["tools"];
  /** Further variables of the template, such as enable_thinking. */
  readonly kwargs?: Readonly<Record<string, unknown>>;
  /** A template in place of the tokenizer's, and the file that it was read from. */
  readonly own?: { readonly text: string; readonly file: string } | null;
}

/** How load_model asks for a template. */
interface ChatParams {
  readonly chat_template?: boolean | string | undefined;
  readonly chat_template_kwargs?: Readonly<Record<string, unknown>> | undefined;
  readonly tools?: ChatOptions["tools"] | undefined;
}

/** The settings that are meant; a file is looked for from the folder of the workflow. */
export function chatSettingsOf(
  { chat_template = false, chat_template_kwargs = {}, tools }: ChatParams,
  workflow: string,
) {
  const own = typeof chat_template === "string" ? ownTemplate(resolve(workflow, chat_template)) : null;
  return { always: own !== null || chat_template === true, kwargs: chat_template_kwargs, tools: tools ?? null, own };
}

/** The template that a file holds. Throws a RangeError where it is not there. */
export function ownTemplate(file: string): NonNullable<ChatSettings["own"]> {
  if (isFolder(file)) {
    const inside = isThere(join(file, OWN_FILE)) ? `; it holds ${OWN_FILE}: name that file` : "";
    throw new RangeError(`Cannot use a chat template: ${file} is a folder, want the file of a template${inside}`);
  }
  const text = readFolderText(dirname(file), basename(file));
  if (text !== null) return { text, file };
  throw new RangeError(
    `Cannot use a chat template: there is no file ${file}, want true, false or a file that holds a template, such as the ` +
      `${OWN_FILE} that transformers writes`,
  );
}

/** The tokenizer's files with the template that is used in place of its own: an export reads prompts as the run did. */
export function filesWith(
  files: ReadonlyMap<string, string>,
  { own = null }: ChatSettings,
): ReadonlyMap<string, string> {
  return own === null ? files : new Map([...files, [OWN_FILE, own.text]]);
}

type TemplateOf =
  & Pick<HubTokenizer, "chatTemplate" | "templates" | "specialTokens">
  & Partial<Pick<HubTokenizer, "templateFiles">>;

/** The template that is used: the given one; of several the one named tool_use where there are tools; else the default. */
export function templateOf(
  { chatTemplate, templates }: TemplateOf,
  { tools, own = null }: ChatSettings,
): string | null {
  if (own !== null) return own.text;
  return (tools ?? null) === null ? chatTemplate : templates["tool_use"] ?? chatTemplate;
}

/** What a template is given besides messages. */
export function optionsOf(tokenizer: TemplateOf, settings: ChatSettings): ChatOptions {
  const { tools = null, kwargs = {} } = settings, { specialTokens, templateFiles } = tokenizer;
  return {
    tools,
    variables: { ...specialTokens, ...kwargs },
    file: settings.own?.file ?? templateFiles?.get(templateOf(tokenizer, settings) ?? ""),
  };
}

/** What a policy asks of a chat template. */
export function chatOf(
  tokenizer: TemplateOf,
  settings: ChatSettings,
): Pick<Policy, "format"> & Partial<Pick<Policy, "conversation" | "turns">> {
  const template = templateOf(tokenizer, settings), options = optionsOf(tokenizer, settings);
  const format = (prompt: string) => {
    const messages = messagesIn(prompt) ?? (settings.always ? [{ role: "user", content: prompt }] : null);
    if (messages === null) return prompt;
    if (template === null) throw new RangeError(`Cannot read a prompt: ${NO_TEMPLATE}`);
    return withSystem(messages, renderChat(template, messages, { ...options, addGenerationPrompt: true }));
  };
  if (template === null) return { format };
  return {
    format,
    conversation: (messages) => withSystem(messages, renderChat(template, messages, options)),
    turns: (messages) => assistantSpans(template, messages, options),
  };
}

/** The text, which must have what the system's messages say. */
function withSystem(messages: readonly ChatMessage[], text: string): string {
  for (const { role, content } of messages) {
    if (role !== "system" || typeof content !== "string" || text.includes(content.trim())) continue;
    throw new RangeError(
      `Cannot read a prompt: the chat template drops its system message ${
        JSON.stringify(content.slice(0, 60))
      }; put that into the ` +
        "user's message, or take a model whose template has a place for it",
    );
  }
  return text;
}
