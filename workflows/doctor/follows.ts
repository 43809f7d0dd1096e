/** After-effects as a report names them: each with what it says first, since that may be what a person came for. @module */
import { cutAtWord } from "../../data/cut_at_word.ts";
import { told } from "./told.ts";
import type { Examined } from "./examined.ts";
import { firstClause } from "./plain_figures.ts";

const SHOWN = 3; // After-effects with their message; of more the names.
const LONGEST = 120; // Characters of a message, in a line of a terminal.

/** "cause: what it says" of the first three, then the names of the others; a page has room for all that is said. */
export function followsTexts({ diagnosis }: Examined, all: boolean, longest = LONGEST): string[] {
  const { follows } = told(diagnosis, all), shown = all ? follows.length : SHOWN;
  const names = follows.slice(shown).map(({ cause }) => cause);
  return [
    ...follows.slice(0, shown).map((finding) => `${finding.cause}: ${shortened(firstClause(finding), longest)}`),
    ...(names.length === 0 ? [] : [names.join(", ")]),
  ];
}

/** One line, cut between two words. */
const shortened = (text: string, longest: number) => cutAtWord(text.replaceAll("\n", " "), longest);
