/** Completions on a page, with the picture of each whose prompt has images: as a table, and as the page's program shows them. @module */
import { shownNumber } from "../../data/shown_number.ts";
import { askedText } from "../asked_text.ts";
import type { Row } from "../charts/chart.ts";
import { type BoxUnits, pictureOf } from "../pictures/picture.ts";
import type { ShownImages } from "../pictures/shown_images.ts";
import { escapeHtml, scrollTable } from "./parts.ts";
import { boxLegend, renderPicture } from "./pictures.ts";

/** Characters of a text that a page shows. */
const MOST_TEXT = 1200;

/** What pictures of completions are made with. */
export interface Seen {
  readonly images: ShownImages;
  readonly unit: BoxUnits;
}

/**
 * Completions as the page's program is given them: texts cut, and `picture`, HTML, where the prompt has images. What a
 * log calls `picture` is left out: the program takes it for HTML of ours.
 */
export function shownCompletions(rows: readonly Row[], { images, unit }: Seen): Row[] {
  // From the end: a page shows its last train step first, and an image budget may not hold all.
  return rows.toReversed().map(({ picture: _, ...row }): Row => {
    const picture = pictureOf(row, unit);
    return {
      ...row,
      prompt: cut(asked(row)),
      text: cut(String(row["text"] ?? "")),
      ...picture ? { picture: renderPicture(picture, images) } : {},
    };
  }).reverse();
}

/** The legend of the boxes that the pictures of rows have; "" where they have none. */
export function completionsLegend(rows: readonly Row[], { unit }: Seen): string {
  return boxLegend(rows.map((row) => pictureOf(row, unit)));
}

/** Completions as a table, each reward function before their sum. */
export function completionTable(rows: readonly Row[], { images, unit }: Seen): string {
  const rewards = [...new Set(rows.flatMap((r) => Object.keys(r)))].filter((k) => k.startsWith("reward."));
  const pictures = rows.map((row) => pictureOf(row, unit)), isSeen = pictures.some((picture) => picture !== null);
  const head = [
    ...isSeen ? ["picture"] : [],
    ...["prompt", "completion", "answer"],
    ...rewards.map((r) => r.slice(7)),
    ...["reward", "advantage", "tokens"],
  ];
  const body = rows.map((row, i) => {
    const state = row["correct"] === true ? "right" : row["correct"] === false ? "wrong" : "", picture = pictures[i]!;
    const seen = isSeen ? `<td>${picture === null ? "–" : renderPicture(picture, images)}</td>` : "";
    return `<tr class="${state}">${seen}<td><code dir="auto">${
      text(asked(row))
    }</code></td><td class="said"><code dir="auto">${text(row["text"])}</code>${
      row["truncated"] ? ' <small class="cut">truncated</small>' : ""
    }</td><td><code dir="auto">${text(row["answer"])}</code></td>${
      [...rewards, "reward", "advantage"].map((c) => `<td class="number">${number(row[c])}</td>`).join("")
    }<td class="number">${escapeHtml(String(row["completion_tokens"] ?? ""))}</td></tr>`;
  });
  return scrollTable(head, body);
}

const asked = (row: Row) => askedText(String(row["prompt"] ?? ""));

const cut = (text: string) => text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
const text = (value: unknown) => escapeHtml(cut(String(value ?? ""))).replaceAll("\n", "⏎");

function number(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "number" ? shownNumber(value) : escapeHtml(String(value));
}
