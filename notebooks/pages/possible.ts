/** What else may be wrong with a run, as a table with bars of the probabilities. @module */
import { codeBlock, escapeHtml, scrollTable } from "./parts.ts";

/** A cause that stays possible. */
export interface PagePossible {
  readonly cause: string;
  /** From 0 to 1. */
  readonly probability: number;
  readonly why: string;
  /** What decides; null where the run shows it already. */
  readonly look: string | null;
  /** Options and commands for it. */
  readonly how: readonly string[];
  /** True for the first finding. */
  readonly isFirst?: boolean;
}

const HEAD = ["probability", "cause", "why", "look"] as const;
const FEWER = 0.01; // Below this a probability is said to be less.

/** The table; nothing for no cause. */
export function renderPossible(causes: readonly PagePossible[]): string {
  if (causes.length === 0) return "";
  return scrollTable(HEAD, causes.map(row), "stacked");
}

function row({ cause, probability, why, look, how, isFirst }: PagePossible): string {
  const cells = [
    `<b>${escapeHtml(percentText(probability))}</b><div class="bar" aria-hidden="true"><div class="more" style="width:${
      (100 * Math.min(1, probability)).toFixed(1)
    }%"></div></div>`,
    isFirst ? `<b>${escapeHtml(cause)}</b>` : escapeHtml(cause),
    isFirst ? "found above" : escapeHtml(why),
    escapeHtml(look ?? "the run shows it already") + (how.length ? codeBlock(how.join("\n")) : ""),
  ];
  const tags = cells.map((cell, at) => `<td data-name="${HEAD[at]}"><div>${cell}</div></td>`);
  return `<tr${isFirst ? ' class="first"' : ""}>${tags.join("")}</tr>`;
}

/** "7 %"; what is less than one is said so. */
export function percentText(probability: number): string {
  return probability < FEWER ? "< 1 %" : `${Math.round(100 * probability)} %`;
}
