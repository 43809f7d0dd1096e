/** Prompts, and what answers them, that are a list of messages: kept as one text in a form of their own, and found again in it. @module */
import type { ChatMessage } from "../hub/templates/chat_template.ts";
import { jsonCell } from "./depth.ts";

/** Said of a text that no encoder can write: one half of a pair such as \\ud83d\\ude00. */
export const BROKEN_TEXT =
  "holds a lone surrogate (half a character, such as \\ud800), want a text of whole characters";

/** How a kept list begins; a cell of CSV may have spaces in between. */
const BEGINS = /^\s*\[\s*\{\s*"(?:role|content)"\s*:/;

/**
 * The text under which a list of messages is kept: JSON of role and content. Throws RangeError for a list that is no
 * conversation to answer: another shape, other content than text, an assistant's message at its end.
 */
export function messagesText(list: readonly unknown[]): string {
  const messages = checked(list);
  if (messages.at(-1)!.role === "assistant") {
    throw new RangeError(
      "its list ends with the assistant's message, want a message to answer; put that into the answer",
    );
  }
  return JSON.stringify(messages);
}

/** The text under which the messages that answer a prompt are kept. Throws RangeError for another shape. */
export function completionText(list: readonly unknown[]): string {
  return JSON.stringify(checked(list));
}

/** What ShareGPT's files call the roles. */
const ROLES: Readonly<Record<string, string>> = {
  human: "user",
  user: "user",
  gpt: "assistant",
  chatgpt: "assistant",
  bing: "assistant",
  bard: "assistant",
  assistant: "assistant",
  system: "system",
};

/** A message with the names of ShareGPT as one with ours; everything else as it is. */
function renamed(message: unknown): unknown {
  const { from, value } = (message ?? {}) as { readonly from?: unknown; readonly value?: unknown };
  if (typeof from !== "string" || value === undefined || Object.hasOwn(message as object, "role")) return message;
  return Object.hasOwn(ROLES, from) ? { role: ROLES[from], content: value } : message;
}

/**
 * A cell as a list of messages where it is one in another form: one message alone, or an object of lists, as `datasets`
 * once kept a list of objects. Every other value as it is.
 */
export function asMessages(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const columns = value as Readonly<Record<string, unknown>>;
  for (const [role, content] of [["role", "content"], ["from", "value"]] as const) {
    const [roles, contents] = [columns[role], columns[content]];
    if (typeof roles === "string") return [value];
    if (!Array.isArray(roles) || !Array.isArray(contents) || roles.length !== contents.length) continue;
    return roles.map((one, i) => ({ [role]: one, [content]: contents[i] }));
  }
  return value;
}

/** A content with images, its parts as templates read them; null for any other. */
function partsWithImages(content: unknown): ChatMessage["content"] | null {
  if (!Array.isArray(content) || !content.some((part) => part?.type === "image")) return null;
  const isPart = (part: { readonly type?: unknown; readonly text?: unknown; readonly image?: unknown } | null) =>
    part?.type === "text" ? typeof part.text === "string" : part?.type === "image" && typeof part.image === "string";
  return content.every(isPart) ? content : null;
}

function checked(list: readonly unknown[]): ChatMessage[] {
  const messages = list.map((message, index) => {
    const { role, content } = (renamed(message) ?? {}) as { readonly role?: unknown; readonly content?: unknown };
    const parts = partsWithImages(content), text = textOf(content);
    if (typeof role === "string" && parts !== null) return { role, content: parts };
    if (text?.isWellFormed() === false) throw new RangeError(`message ${index + 1} of its list ${BROKEN_TEXT}`);
    if (typeof role === "string" && text !== null) return { role, content: text };
    throw new RangeError(`message ${index + 1} of its list is ${shown(message)}, want { role, content } with a text`);
  });
  if (messages.length === 0) throw new RangeError("its list of messages is empty, want a user's message at least");
  return messages;
}

/** The messages that a prompt's text holds; null for a plain one. */
export function messagesIn(prompt: string): ChatMessage[] | null {
  if (!BEGINS.test(prompt)) return null;
  try {
    return JSON.parse(messagesText(jsonCell(prompt) as unknown[]));
  } catch {
    return null; // a text that merely begins so
  }
}

/** The messages that a completion's text holds; null for a plain one. */
export function completionMessages(completion: string): ChatMessage[] | null {
  if (!BEGINS.test(completion)) return null;
  try {
    return checked(jsonCell(completion) as unknown[]);
  } catch {
    return null; // a text that merely begins so
  }
}

/** A list of messages for a person, "role: text" one after the other; null for every other value. */
export function shownMessages(value: unknown): string | null {
  const list = asMessages(value);
  if (!Array.isArray(list) || list.length === 0) return null;
  const lines = list.map((message) => {
    const { role, content } = (renamed(message) ?? {}) as { readonly role?: unknown; readonly content?: unknown };
    const parts = partsWithImages(content) as readonly { readonly type: string; readonly text?: string }[] | null;
    const text = parts?.map((part) => part.type === "image" ? "[image]" : part.text).join(" ") ?? textOf(content);
    return typeof role === "string" && text !== null ? `${role}: ${text}` : null;
  });
  return lines.includes(null) ? null : lines.join("\n");
}

/** A prompt's or completion's text for a person: what it is, or the messages that it holds. */
export function shownPrompt(text: string): string {
  const messages = completionMessages(text);
  return messages === null ? text : shownMessages(messages)!;
}

/** A text, or the texts of a list of parts; null for anything else, such as a picture. */
function textOf(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts = content.map((part) =>
    part?.type === "text" && typeof part.text === "string" ? part.text as string : null
  );
  return texts.includes(null) ? null : texts.join("");
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
