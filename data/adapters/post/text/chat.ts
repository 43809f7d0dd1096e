/** Lines of a chat as it is copied: a time and a name before each; whoever speaks first is the author. @module */
import { nameInfo } from "../../intake/name_info.ts";
import type { Speaker } from "../said.ts";

const TIME =
  "(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}[T ,]*|\\d{1,2}[/.]\\d{1,2}(?:[/.]\\d{2,4})?,? +)?\\d{1,2}:\\d\\d(?::\\d\\d)?(?: ?[AP]M)?";
/** `[10:31] name: …`, `10:31 name: …`, `[2026/3/1 10:31] name：…`, `10:31 - name: …`, `<name> …` behind a time. */
const STAMPED = new RegExp(
  `^\\s*(?:\\[${TIME}\\]|\\(${TIME}\\)|${TIME})\\s*(?:[-–] )?(?:<([^<>:：]{2,24})>\\s+|@?([\\p{L}_][\\p{L}\\d_. -]{1,23}?)\\s?(?:：\\s*|:\\s+))\\s*(\\S.*)$`,
  "iu",
);
/** Whom a program says that it is. */
const PROGRAM =
  /^(?:info|warn(?:ing)?|debug|error|critical|fatal|trace|notice|step|iter(?:ation)?|epoch|rank ?\d*|gpu ?\d*|worker ?\d*|node ?\d*|main|trainer|train(?:ing)?|eval(?:uation)?|val|test|rollout|actor|critic|engine|server|ray|vllm|wandb|root|python|torch|deepspeed|accelerate|transformers|trl|verl|system|log|logger|metrics?|update|batch)$/i;

interface ChatLine {
  readonly name: string;
  readonly rest: string;
}

/** A line of a chat; null for any other. */
export function chatLine(text: string): ChatLine | null {
  const found = text.length > 4000 ? null : STAMPED.exec(text);
  if (found === null) return null;
  const name = (found[1] ?? found[2]!).trim(), info = nameInfo(name);
  // A logger stamps what it prints in the same way.
  return PROGRAM.test(name) || info.mapped || info.isStep || /[[\]=]/.test(name) ? null : { name, rest: found[3]! };
}

/** Who speaks in a chat, line by line. */
export class Chat {
  #author: string | null = null;

  /** A line of a message is a sentence, as people write there: one without an end gets it. */
  ended(text: string): string {
    return this.#author === null || !/[\p{L}\d)\]"'`>]\s*$/u.test(text) ? text : `${text.trimEnd()}.`;
  }

  /** The speaker of a line and what they say; null for a line without time and name. */
  take(text: string): { readonly speaker: Speaker; readonly rest: string } | null {
    const found = chatLine(text);
    if (found === null) return null;
    this.#author ??= found.name;
    return { speaker: found.name === this.#author ? "author" : "other", rest: found.rest };
  }
}
