/** The thread that tries a chat template: says that it has begun, then answers with null, or with what is wrong. @module */
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../error_text.ts";
import { renderChat } from "./chat_template.ts";

const USER = { role: "user", content: "1 + 1 = ?" };
const SAID = "Answer with a number."; // What the system says; it must be found in the text.

function problem(): { readonly text: string; readonly system: boolean } | null {
  const { template, options } = workerData,
    render = (...messages: { role: string; content: string }[]) =>
      renderChat(template, messages, { ...options, addGenerationPrompt: true });
  try {
    render(USER);
  } catch (error) {
    return { text: messageOf(error), system: false };
  }
  try {
    if (render({ role: "system", content: SAID }, USER).includes(SAID)) return null;
    return { text: "The chat template drops the system message; put what it says into the user's", system: true };
  } catch (error) {
    const reason = messageOf(error).replace(/^Cannot render the chat template: /, "");
    return {
      text: `The chat template takes no system message (${reason}); put what it says into the user's`,
      system: true,
    };
  }
}

parentPort?.postMessage({ begun: true });
parentPort?.postMessage(problem());
