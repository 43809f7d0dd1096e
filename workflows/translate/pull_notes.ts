/** What is to be fetched before a translated workflow runs. @module */
import { DEFAULT_REVISION, isAddress, parseRepository, pathOf } from "../../data/hub/remote/repository.ts";
import { commandLine, optionWords } from "../terminal/command_line.ts";

/** The command that fetches an address. */
function pullCommand(address: string): string {
  const { revision, ...repository } = parseRepository(address);
  const which = revision === DEFAULT_REVISION ? [] : optionWords("revision", revision);
  return commandLine(["pull", pathOf(repository), ...which]);
}

/** The command that fetches a place of the Hub, as a sentence; of another place `otherwise`. */
export function placeNote(place: string, what: string, otherwise: string): string {
  return isAddress(place) ? `fetch ${what}: ${pullCommand(place)}` : otherwise;
}
