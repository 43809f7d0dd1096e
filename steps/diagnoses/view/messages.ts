/** Look-ups of recognised lines: exceptions, notices, counts. @module */
import { cutAtWord } from "../../../data/cut_at_word.ts";
import { type Evidence, placeOf } from "./evidence.ts";
import type { Message, RunView } from "./run_view.ts";

const KEPT = 200; // Characters of a line that evidence keeps.

/** The first line that matches, or null. */
export function message(view: RunView, pattern: RegExp): Message | null {
  return view.messages.find((entry) => pattern.test(entry.text)) ?? null;
}

/** How many lines matched, those that were not kept included. */
export function messageCount(view: RunView, pattern: RegExp): number {
  return view.messages.filter((entry) => pattern.test(entry.text)).reduce(
    (sum, entry, index) => sum + (index === 0 ? entry.count ?? 1 : 1),
    0,
  );
}

export function messageEvidence(entry: Message, note?: string): Evidence {
  return {
    ...placeOf(entry),
    train_step: entry.trainStep,
    name: entry.kind,
    value: cutAtWord(entry.text.trim(), KEPT),
    ...(note === undefined ? {} : { note }),
  };
}
