/** What MLflow says of a run, in its file store and in its database alike. @module */
import { wholeNumber } from "../source/scan_number.ts";
import type { Intake } from "./intake.ts";

/** What a run is called: names repeat, ids do not. */
export function mlflowRun(name: unknown, id: unknown): string {
  return typeof name === "string" && name !== "" ? `${name} (${String(id).slice(0, 8)})` : String(id);
}

const WORDS: Readonly<Record<string, boolean | null>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
};

/** Takes one parameter as a setting: it is kept as the text that Python printed of it. */
export function takeParam(name: string, text: string, intake: Pick<Intake, "setting">): void {
  const value = Object.hasOwn(WORDS, text) ? WORDS[text]! : wholeNumber(text) ?? text;
  intake.setting(name, value, value === null ? "null" : typeof value, 1, 1);
}
