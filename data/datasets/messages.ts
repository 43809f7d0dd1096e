/** Prompts, and what answers them, that are a list of messages: kept as one text in a form of their own, and found again in it. @module */
import type { ChatMessage } from "../hub/templates/chat_template.ts";
import { isImageId } from "../images/image_id.ts";
import { jsonCell } from "./depth.ts";

/** Said of a text that no encoder can write: one half of a pair such as \\ud83d\\ude00. */
export const BROKEN_TEXT =
  "holds a lone surrogate (half a character, such as \\ud800), want a text of whole characters";

/** How a kept list begins; a cell of CSV may have spaces in between. */
const BEGINS = /^\s*\[\s*\{\s*"(?:role|content)"\s*:/;

/**
 * The text under which a list of messages is kept: JSON of role and content, which is a text, or, where it shows images
 * that are in the run's store, a list of parts. Throws RangeError for a list that is no conversation to answer: another
 * shape, other content, an assistant's message at its end.
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

/** A part of a content: an image of the run's store, or a text. */
export type MessagePart =
  | { readonly type: "image"; readonly image: string }
  | { readonly type: "text"; readonly text: string };

function checked(list: readonly unknown[]): { readonly role: string; readonly content: string | MessagePart[] }[] {
  const messages = list.map((message, index) => {
    const { role, content } = (renamed(message) ?? {}) as { readonly role?: unknown; readonly content?: unknown };
    const text = textOf(content), parts = text === null ? partsOf(content) : null;
    const said = text ?? parts?.map((part) => part.type === "text" ? part.text : "").join("\n");
    if (said?.isWellFormed() === false) {
      throw new RangeError(`message ${index + 1} of its list ${BROKEN_TEXT}`);
    }
    if (typeof role === "string" && text !== null) return { role, content: text };
    if (typeof role === "string" && parts !== null) return { role, content: parts };
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
    const text = shownContent(content);
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

/** Texts, and images that are in the store; null for anything else. */
function partsOf(content: unknown): MessagePart[] | null {
  if (!Array.isArray(content)) return null;
  const parts = content.map((part): MessagePart | null =>
    part?.type === "text" && typeof part.text === "string"
      ? { type: "text", text: part.text }
      : part?.type === "image" && typeof part.image === "string" && isImageId(part.image)
      ? { type: "image", image: part.image }
      : null
  );
  return parts.includes(null) ? null : parts as MessagePart[];
}

/** Whether a part of a message shows an image, wherever that lies. */
export const isImagePart = (part: unknown): boolean =>
  ["image", "image_url"].includes((part as { readonly type?: unknown } | null)?.type as string);

/** As `textOf`, with a sign where an image is shown. */
function shownContent(content: unknown): string | null {
  if (!Array.isArray(content)) return textOf(content);
  return textOf(content.map((part) => isImagePart(part) ? { type: "text", text: "[image] " } : part));
}

/** A list of messages whose images, not yet in a store, are left out: to look at what else it is. */
export function withoutImages(list: readonly unknown[]): readonly unknown[] {
  return list.map((message) => {
    const content = (message as { readonly content?: unknown } | null)?.content;
    if (!Array.isArray(content)) return message;
    return { ...message as object, content: content.filter((part) => !isImagePart(part)) };
  });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
