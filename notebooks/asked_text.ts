/** What a prompt asks, for a person. @module */
import { shownPrompt } from "../data/datasets/messages.ts";
import { markedText } from "../data/datasets/prompt_images.ts";

/** Of a prompt with images, which stand beside it, its text with marks for those within it; of other messages each with its role. */
export function askedText(prompt: string): string {
  const text = markedText(prompt);
  return text === prompt ? shownPrompt(prompt) : text;
}
