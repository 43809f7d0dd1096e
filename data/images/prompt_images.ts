/** Prompts with images: messages whose content has parts, kept as JSON in the prompt's text. @module */
import { isImageId } from "./image_id.ts";

/** How a kept list of messages begins; the same in `data/datasets/messages.ts`. */
const BEGINS = /^\s*\[\s*\{\s*"(?:role|content)"\s*:/;

interface Part {
  readonly type?: unknown;
  readonly image?: unknown;
  readonly text?: unknown;
}

/** The ids of a prompt's images, in the order in which it shows them; none for a plain prompt. */
export function imagesIn(prompt: string): readonly string[] {
  return partsOf(prompt).flatMap(({ type, image }) =>
    type === "image" && typeof image === "string" && isImageId(image) ? [image] : []
  );
}

/** A user's message of images, then a text. */
export function promptWithImages(text: string, ids: readonly string[]): string {
  const content = [...ids.map((image) => ({ type: "image", image })), { type: "text", text }];
  return JSON.stringify([{ role: "user", content }]);
}

/** What is said in a prompt with images, for a person: its texts one below the other; another prompt as it is. */
export function textOfPrompt(prompt: string): string {
  if (imagesIn(prompt).length === 0) return prompt;
  return partsOf(prompt).flatMap(({ type, text }) => type === "text" && typeof text === "string" ? [text] : [])
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
  const isSaid = ({ text }: Part) => typeof text === "string" && text.trim() !== "";
  return messagesOf(prompt).map((parts) => {
    const first = parts.findIndex(isSaid),
      isWithin = parts.some(({ type }, i) => type === "image" && first >= 0 && i > first);
    return parts.map(({ type, text }) => {
      if (type === "text") return typeof text === "string" ? text : "";
      if (type !== "image") return "";
      at++;
      return !isWithin ? "" : count === 1 ? "[image]" : `[image ${at}]`;
    }).join(isWithin ? "" : "\n").trim();
  }).filter((text) => text !== "").join("\n");
}

function partsOf(prompt: string): readonly Part[] {
  return messagesOf(prompt).flat();
}

/** The parts of each message of a prompt; a content that is a text is one part. */
function messagesOf(prompt: string): readonly (readonly Part[])[] {
  if (!BEGINS.test(prompt)) return [];
  let messages: unknown;
  try {
    messages = JSON.parse(prompt);
  } catch {
    return []; // a text that merely begins so
  }
  return (messages as readonly { readonly content?: unknown }[]).map((message): readonly Part[] => {
    const content = message?.content;
    if (typeof content === "string") return [{ type: "text", text: content }];
    return Array.isArray(content) ? content.filter((part) => typeof part === "object" && part !== null) : [];
  });
}
