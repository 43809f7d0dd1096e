/** What an error says to a person: commands in it begin as the program was started. @module */
import { messageOf } from "../../data/error_text.ts";
import { addressOf } from "../../data/hub/remote/repository.ts";
import { NotCachedError } from "../../data/hub/remote/hub_folder.ts";
import { commandLine } from "./command_line.ts";

/** Its message; of what is to be fetched first, with the command that does as it can be pasted. */
export function toldMessage(error: unknown): string {
  if (!(error instanceof NotCachedError)) return messageOf(error);
  return `Cannot load "${addressOf(error.repository)}": ${error.reason}; fetch it by: ${commandLine(error.words)}`;
}
