/** The thread that tries a chat template: says that it has begun, then answers with null, or with what is wrong. @module */
import { parentPort, workerData } from "node:worker_threads";
import { renderChat } from "./chat_template.ts";

const CONVERSATION = [{ role: "user", content: "1 + 1 = ?" }];

parentPort?.postMessage({ begun: true });
try {
  renderChat(workerData.template, CONVERSATION, { addGenerationPrompt: true, variables: workerData.variables });
  parentPort?.postMessage(null);
} catch (error) {
  parentPort?.postMessage((error as Error).message);
}
