/** Puts the images of a row where its prompt shows them. @module */
import { isObject } from "../../datasets/cells.ts";
import { isImagePart, messagesText } from "../../datasets/messages.ts";
import { promptWithImages } from "../../datasets/prompt_images.ts";

/** Stands in texts for an image, as LLaVA, LLaMA-Factory and VLM-R1 write it. */
export const MARKER = "<image>";
/** What chat templates put around images, or in their place: in a text it would be taken for one. */
const OF_TEMPLATES = /<\|(?:image_pad|video_pad|vision_start|vision_end|vision_pad)\|>/;

/** What the images of a row become: ids, in the order in which they are asked for. */
interface ImageReader {
  /** Of the row's columns. */
  readonly sources: readonly unknown[];
  /** The id of an image. Throws RangeError. */
  read(source: unknown): string;
}

type Part = { readonly type: "text"; readonly text: string } | { readonly type: "image"; readonly image: string };

/**
 * The prompt's text with its images: at "<image>" and at parts of type image or image_url that name none, else before the
 * text. Throws RangeError, as the end of a sentence about the row, for more or fewer places than images, and for a text
 * that holds a marker of chat templates.
 */
export function imagePrompt(prompt: string | readonly unknown[], { sources, read }: ImageReader): string {
  let used = 0, places = 0, own = 0;
  const next = (): Part => {
    places++;
    // How many there are is told at the end, with all that are wanted.
    return { type: "image", image: used < sources.length ? read(sources[used++]) : "" };
  };
  const partsOfText = (text: string): Part[] => {
    const marker = OF_TEMPLATES.exec(text)?.[0];
    if (marker !== undefined) {
      throw new RangeError(
        `its text holds ${marker}, which the chat template puts where an image is; take it out, or write ${MARKER}`,
      );
    }
    return text.split(MARKER).flatMap((piece, i): Part[] => [
      ...(i > 0 ? [next()] : []),
      ...(piece === "" ? [] : [{ type: "text" as const, text: piece }]),
    ]);
  };
  const partsOf = (part: unknown): unknown[] => {
    if (isObject(part) && part["type"] === "text" && typeof part["text"] === "string") return partsOfText(part["text"]);
    if (!isImagePart(part)) return [part]; // told with the shape of messages
    const source = ownSource(part as Readonly<Record<string, unknown>>);
    if (source === null) return [next()];
    own++;
    return [{ type: "image", image: read(source) }];
  };
  const made = typeof prompt === "string"
    ? [{ role: "user", content: partsOfText(prompt) as unknown[] }]
    : prompt.map((message) => {
      if (!isObject(message)) return message;
      const key = "content" in message ? "content" : "value", content = message[key];
      const parts = typeof content === "string"
        ? partsOfText(content)
        : Array.isArray(content)
        ? content.flatMap(partsOf)
        : content;
      return { ...message, [key]: parts };
    });
  if (places === 0 && own > 0 && sources.length > 0) {
    throw new RangeError("its messages name their images, and the row has others; set image_column: [], or the column");
  }
  if (places === 0 && sources.length > 0) return inFront(prompt, made, sources.map(read));
  if (places !== sources.length) {
    const count = (n: number, what: string) => `${n} ${what}${n === 1 ? "" : "s"}`;
    throw new RangeError(
      `its prompt has ${count(places, "place")} for images and the row ${count(sources.length, "image")}, want as ` +
        `many; places are ${MARKER} and parts of type image`,
    );
  }
  const hasImages = made.some((message) => isObject(message) && Object.values(message).some(hasImage));
  return typeof prompt === "string" && !hasImages ? prompt : messagesText(made);
}

const hasImage = (content: unknown) => Array.isArray(content) && content.some(isImagePart);

/** Images that nothing in the prompt has a place for: before its text, where there is one text of a user. */
function inFront(prompt: string | readonly unknown[], made: readonly unknown[], ids: readonly string[]): string {
  if (typeof prompt === "string") return promptWithImages(prompt, ids);
  const isUsers = (message: unknown) =>
    isObject(message) && ["user", "human"].includes(String(message["role"] ?? message["from"]));
  if (made.filter(isUsers).length !== 1) {
    throw new RangeError(
      `its messages have no place for images and more than one is the user's; write ${MARKER} where an image belongs`,
    );
  }
  const images = ids.map((image) => ({ type: "image", image }));
  return messagesText(made.map((message) => {
    if (!isUsers(message)) return message;
    const { key, content } = contentOf(message as Readonly<Record<string, unknown>>);
    return { ...message as object, [key]: [...images, ...Array.isArray(content) ? content : []] };
  }));
}

function contentOf(message: Readonly<Record<string, unknown>>) {
  const key = "content" in message ? "content" : "value";
  return { key, content: message[key] };
}

/** What a part says of its image itself: Qwen's `image`, OpenAI's `image_url`; null where the row's next is meant. */
function ownSource(part: Readonly<Record<string, unknown>>): unknown {
  const { image, image_url, url, path } = part;
  const found = image ?? (isObject(image_url) ? image_url["url"] : image_url) ?? url ?? path ?? null;
  return found === "" ? null : found;
}
