/** Tries a stranger's chat template on a short conversation, before anything is made with it. @module */
import { messageOf } from "../../error_text.ts";
import { type ChatOptions, renderChat } from "./chat_template.ts";

interface ChatProblem {
  /** A sentence. */
  readonly text: string;
  /** It reads a user's message, and refuses or drops what the system says. */
  readonly system: boolean;
}

const USER = { role: "user", content: "1 + 1 = ?" };
const SAID = "Answer with a number."; // What the system says; it must be found in the text.

/** What is wrong with a template, found by rendering a short conversation; null when nothing is. */
export function chatTemplateProblem(template: string, options: ChatOptions): ChatProblem | null {
  const render = (...messages: { readonly role: string; readonly content: string }[]) =>
    renderChat(template, messages, { ...options, addGenerationPrompt: true });
  const remedy = "put what it says into the user's", file = options.file === undefined ? "" : ` (${options.file})`;
  try {
    if (!render(USER).includes(USER.content)) {
      return {
        text: `The chat template${file} drops the user's message; take the one that the model came with`,
        system: false,
      };
    }
  } catch (error) {
    return { text: messageOf(error), system: false };
  }
  try {
    if (render({ role: "system", content: SAID }, USER).includes(SAID)) return null;
    return { text: `The chat template${file} drops the system message; ${remedy}`, system: true };
  } catch (error) {
    const reason = messageOf((error as Error).cause);
    return { text: `The chat template${file} takes no system message (${reason}); ${remedy}`, system: true };
  }
}
