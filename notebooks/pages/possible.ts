/** What else may be wrong with a run, as a table with bars of the probabilities. @module */
import { codeBlock, escapeHtml, scrollTable } from "./parts.ts";

/** A cause that stays possible. */
export interface PagePossible {
  readonly cause: string;
  /** From 0 to 1. */
  readonly probability: number;
  /** What speaks for it; "" where that is said already. */
  readonly why: string;
  /** What decides; null where the run shows it already. */
  readonly look: string | null;
  /** Options and commands for it. */
  readonly how: readonly string[];
  /** True for the first finding. */
  readonly isFirst?: boolean;
  /** True for every finding. */
  readonly isFound?: boolean;
}

const HEAD = ["probability", "cause", "why", "look"] as const;
const FEWER = 0.01; // Below this a probability is said to be less.

/** The table; nothing for no cause, and of one that is found alone the look that makes it sure. */
export function renderPossible(causes: readonly PagePossible[]): string {
  const [only] = causes;
  if (only === undefined) return "";
  if (isFoundAlone(causes)) {
    return `<p>${escapeHtml(only.look ?? "")}</p>${only.how.length ? codeBlock(only.how.join("\n")) : ""}`;
  }
  return scrollTable(HEAD, causes.map(row), "stacked");
}

/** True where nothing else than one finding is left: it stands above. */
export const isFoundAlone = ([only, ...more]: readonly PagePossible[]): boolean =>
  more.length === 0 && only?.isFound === true;

function row({ cause, probability, why, look, how, isFirst, isFound }: PagePossible): string {
  const cells = [
    `<b>${escapeHtml(percentText(probability))}</b><div class="bar" aria-hidden="true"><div class="more" style="width:${
      (100 * Math.min(1, probability)).toFixed(1)
    }%"></div></div>`,
    isFirst ? `<b>${escapeHtml(cause)}</b>` : escapeHtml(cause),
    isFound ? "found above" : escapeHtml(why),
    escapeHtml(look ?? "the run shows it already") + (how.length ? codeBlock(how.join("\n")) : ""),
  ];
  const tags = cells.map((cell, at) => `<td data-name="${HEAD[at]}"><div>${cell}</div></td>`);
  return `<tr${isFirst ? ' class="first"' : ""}>${tags.join("")}</tr>`;
}

/** "7 %"; what is less than one is said so. */
export function percentText(probability: number): string {
  return probability < FEWER ? "< 1 %" : `${Math.round(100 * probability)} %`;
}
