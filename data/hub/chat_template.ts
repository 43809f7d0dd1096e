/** Chat templates: messages to the text a model was trained on. @module */
import { Template } from "@huggingface/jinja";

export interface ChatMessage {
  readonly role: string;
  readonly content: string | readonly Readonly<Record<string, unknown>>[];
}

export interface ChatOptions {
  /** Append what begins the assistant's turn. */
  readonly addGenerationPrompt?: boolean;
  /** Further variables of the template: bos_token, eos_token, enable_thinking, … */
  readonly variables?: Readonly<Record<string, unknown>>;
}

const PARSED = new Map<string, Template>();

/** The text of `messages` by a Jinja template, as transformers' `apply_chat_template` renders it. */
export function renderChat(template: string, messages: readonly ChatMessage[], options: ChatOptions = {}): string {
  try {
    let parsed = PARSED.get(template);
    if (!parsed) {
      parsed = new Template(template);
      if (PARSED.size >= 16) PARSED.clear();
      PARSED.set(template, parsed);
    }
    return parsed.render({
      ...options.variables,
      messages: messages as unknown,
      add_generation_prompt: options.addGenerationPrompt ?? false,
    });
  } catch (cause) {
    throw new SyntaxError(`Cannot render the chat template: ${(cause as Error).message}`, { cause });
  }
}
