/** The thread that tries a chat template: answers with null, or with what is wrong. @module */
import { parentPort, workerData } from "node:worker_threads";
import { renderChat } from "./chat_template.ts";

const CONVERSATION = [{ role: "user", content: "1 + 1 = ?" }];

try {
  renderChat(workerData.template, CONVERSATION, { addGenerationPrompt: true, variables: workerData.variables });
  parentPort?.postMessage(null);
} catch (error) {
  parentPort?.postMessage((error as Error).message);
}
