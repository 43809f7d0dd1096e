/** What every view of the page is given: its words, and what can be asked for. @module */
import type { Language, Strings } from "../language/mod.ts";

export interface Stage {
  readonly language: Language;
  readonly say: Strings;
  /** Shows a line of a file, as evidence names it, in the text. */
  readonly goTo: (source: string, line: number, from: HTMLElement) => void;
  /** Whether the text of a file can be shown, by the name evidence has for it. */
  readonly hasText: (source: string) => boolean;
}
