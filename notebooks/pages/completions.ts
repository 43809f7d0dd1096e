/** Completions on a page, with the picture of each whose prompt has images: as a table, and as the page's program shows them. @module */
import { shownNumber } from "../../data/shown_number.ts";
import { askedText } from "../asked_text.ts";
import type { Row } from "../charts/chart.ts";
import { type BoxUnits, pictureOf } from "../pictures/picture.ts";
import type { ShownImages } from "../pictures/shown_images.ts";
import type { RewardNotes } from "./evaluation_rewards.ts";
import { breakable, escapeHtml, scrollTable } from "./parts.ts";
import { boxLegend, renderPicture } from "./pictures.ts";

/** Characters of a text that a page shows. */
const MOST_TEXT = 1200;

/** What pictures of completions are made with. */
export interface Seen {
  readonly images: ShownImages;
  readonly unit: BoxUnits;
  /** What has to be known of rewards beside pictures. */
  readonly notes?: RewardNotes;
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

/** The legend of the boxes that the pictures of rows have, and what rewards make of them; "" where they have none. */
export function completionsLegend(rows: readonly Row[], { unit, notes = {} }: Seen): string {
  const legend = boxLegend(rows.map((row) => pictureOf(row, unit)));
  const told = Object.entries(notes).filter(([name]) => rows.some((row) => Object.hasOwn(row, `reward.${name}`)))
    .map(([name, note]) => `${name}: ${note}`).join("; ");
  if (legend === "" || told === "") return legend;
  return `${legend}<p class="about">IoU is that of the boxes, of any overlap; a reward may count less. ${
    escapeHtml(told)
  }.</p>`;
}

/** Completions as a table, each reward function before their sum. */
export function completionTable(rows: readonly Row[], { images, unit }: Seen): string {
  const rewards = [...new Set(rows.flatMap((r) => Object.keys(r)))].filter((k) => k.startsWith("reward."));
  const pictures = rows.map((row) => pictureOf(row, unit)), isSeen = pictures.some((picture) => picture !== null);
  const functions = rewards.map((name) => breakable(name.slice(7)));
  // Beside a picture, which shows the answer, there is no room for all: rewards come before it.
  const head = isSeen
    ? ["picture", "prompt", "completion", ...functions, "reward", "advantage", "tokens", "answer"]
    : ["prompt", "completion", "answer", ...functions, "reward", "advantage", "tokens"];
  const body = rows.map((row, i) => {
    const state = row["correct"] === true ? "right" : row["correct"] === false ? "wrong" : "", picture = pictures[i]!;
    const code = (value: unknown) => `<code dir="auto">${text(value)}</code>`;
    const said = code(row["text"]) + (row["truncated"] ? ' <small class="cut">truncated</small>' : "");
    const answer = `<td data-name="answer">${code(row["answer"])}</td>`;
    const numbers = [
      ...[...rewards, "reward", "advantage"].map((column) => number(row[column])),
      escapeHtml(String(row["completion_tokens"] ?? "")),
    ];
    const names = [...functions, "reward", "advantage", "tokens"];
    const cells = [
      isSeen ? `<td data-name="picture">${picture === null ? "–" : renderPicture(picture, images)}</td>` : "",
      `<td data-name="prompt">${code(asked(row))}</td><td class="said" data-name="completion">${said}</td>`,
      isSeen ? "" : answer,
      ...numbers.map((shown, i) => `<td class="number" data-name="${escapeHtml(names[i]!)}">${shown}</td>`),
      isSeen ? answer : "",
    ];
    return `<tr class="${state}">${cells.join("")}</tr>`;
  });
  return scrollTable(head, body, "stacked");
}

const asked = (row: Row) => askedText(String(row["prompt"] ?? ""));

const cut = (text: string) => text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
const text = (value: unknown) => escapeHtml(cut(String(value ?? ""))).replaceAll("\n", "⏎");

function number(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "number" ? shownNumber(value) : escapeHtml(String(value));
}
