/** What the page needs of a language: its words, and how it says what rules say. @module */
import type { ADAPTERS } from "../../../data/adapters/mod.ts";
import type { Strings } from "./strings_en.ts";

/** A part of a text in one language. */
export interface Piece {
  readonly text: string;
  /** Its code, as an element has it in `lang`. */
  readonly lang: string;
}

/** What a file was read as; "unknown" of one that nothing reads. */
export type Format = keyof typeof ADAPTERS | "unknown";

export interface Spoken {
  /** As the language calls itself. */
  readonly name: string;
  /** The page's own words. */
  readonly say: Strings;
  readonly formats: Readonly<Record<Format, string>>;
  /** What each cause is; one that is missing is said in English, by its rule. */
  readonly causes: Readonly<Record<string, string>>;
  /** A row of evidence that is a claim, by its name; null of a metric or what else it is. */
  readonly claimOf: (name: string) => string | null;
  /** What rules say, as far as it has a translation; the rest stays English. */
  readonly translate: (text: string) => readonly Piece[];
}
