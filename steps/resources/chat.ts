/** How prompts go through a chat template: its variables, its tools, and what it makes of messages. @module */
import { assistantSpans } from "../../data/hub/templates/assistant_mask.ts";
import { type ChatMessage, type ChatOptions, renderChat } from "../../data/hub/templates/chat_template.ts";
import type { HubTokenizer } from "../../data/hub/tokenizer.ts";
import { messagesIn } from "../../data/datasets/messages.ts";
import type { Policy } from "./policy.ts";

/** Said of prompts that are lists of messages. */
export const NO_TEMPLATE =
  "it is a list of messages and the tokenizer has no chat template; give texts as prompts, or a " +
  "model that has a chat template";

export interface ChatSettings {
  /** Plain texts go through the template too, as a user's message. */
  readonly always: boolean;
  readonly tools?: ChatOptions["tools"];
  /** Further variables of the template, such as enable_thinking. */
  readonly kwargs?: Readonly<Record<string, unknown>>;
}

type TemplateOf =
  & Pick<HubTokenizer, "chatTemplate" | "templates" | "specialTokens">
  & Partial<Pick<HubTokenizer, "templateFiles">>;

/** The template that is used: of several the one named tool_use where there are tools, else the default. */
export function templateOf({ chatTemplate, templates }: TemplateOf, { tools }: ChatSettings): string | null {
  return (tools ?? null) === null ? chatTemplate : templates["tool_use"] ?? chatTemplate;
}

/** What a template is given besides messages. */
export function optionsOf(tokenizer: TemplateOf, settings: ChatSettings): ChatOptions {
  const { tools = null, kwargs = {} } = settings, { specialTokens, templateFiles } = tokenizer;
  return {
    tools,
    variables: { ...specialTokens, ...kwargs },
    file: templateFiles?.get(templateOf(tokenizer, settings) ?? ""),
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
