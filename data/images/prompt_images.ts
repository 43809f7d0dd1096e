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

/** The parts of all messages of a prompt; a content that is a text is one part. */
function partsOf(prompt: string): readonly Part[] {
  if (!BEGINS.test(prompt)) return [];
  let messages: unknown;
  try {
    messages = JSON.parse(prompt);
  } catch {
    return []; // a text that merely begins so
  }
  return (messages as readonly { readonly content?: unknown }[]).flatMap((message): readonly Part[] => {
    const content = message?.content;
    if (typeof content === "string") return [{ type: "text", text: content }];
    return Array.isArray(content) ? content.filter((part) => typeof part === "object" && part !== null) : [];
  });
}
