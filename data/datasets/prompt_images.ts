/** Prompts with images: messages whose content has parts, kept as JSON in the prompt's text. @module */
import { completionMessages, type MessagePart, messagesIn } from "./messages.ts";
import type { ChatMessage } from "../hub/templates/chat_template.ts";

/** The ids of a prompt's images, in the order in which it shows them; none for a plain prompt. */
export const imagesIn = (prompt: string): readonly string[] => idsOf(messagesIn(prompt));

/** The ids that the messages of a completion show: none can be learned to write. */
export const imagesInCompletion = (completion: string): readonly string[] => idsOf(completionMessages(completion));

const idsOf = (messages: readonly ChatMessage[] | null) =>
  partsOf(messages).flatMap((part) => part.type === "image" ? [part.image] : []);

/** A user's message of images, then a text. */
export function promptWithImages(text: string, ids: readonly string[]): string {
  const content = [...ids.map((image) => ({ type: "image", image })), { type: "text", text }];
  return JSON.stringify([{ role: "user", content }]);
}

/** What is said in a prompt with images, for a person: its texts one below the other; another prompt as it is. */
export function textOfPrompt(prompt: string): string {
  if (imagesIn(prompt).length === 0) return prompt;
  return partsOf(messagesIn(prompt)).flatMap((part) => part.type === "text" ? [part.text] : [])
    .filter((text) => text.trim() !== "").join("\n");
}

/**
 * As `textOfPrompt`, with a mark at each image where its place is a part of what is said: `[image 1] and [image 2]: same?`.
 * Images that stand before a message's text are shown beside it, and have none.
 */
export function markedText(prompt: string): string {
  const count = imagesIn(prompt).length;
  if (count === 0) return prompt;
  let at = 0;
  const isSaid = (part: MessagePart) => part.type === "text" && part.text.trim() !== "";
  return (messagesIn(prompt) ?? []).map((message) => {
    const parts = partsOf([message]);
    const first = parts.findIndex(isSaid),
      isWithin = parts.some(({ type }, i) => type === "image" && first >= 0 && i > first);
    return parts.map((part) => {
      if (part.type === "text") return part.text;
      if (part.type !== "image") return "";
      at++;
      return !isWithin ? "" : count === 1 ? "[image]" : `[image ${at}]`;
    }).join(isWithin ? "" : "\n").trim();
  }).filter((text) => text !== "").join("\n");
}

/** The parts of messages, as chat templates read them; a content that is a text is one part. */
function partsOf(messages: readonly ChatMessage[] | null): readonly MessagePart[] {
  return (messages ?? []).flatMap(({ content }): readonly MessagePart[] =>
    typeof content === "string" ? [{ type: "text", text: content }] : content as readonly MessagePart[]
  );
}
