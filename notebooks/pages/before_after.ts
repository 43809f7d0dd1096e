/** The section of a page that shows what the same prompts with images were answered before and after training. @module */
import { type BeforeAfter, chosenPairs, countGains, type PicturePair } from "../pictures/before_after.ts";
import type { Picture } from "../pictures/picture.ts";
import { isLarge, type ShownImages } from "../pictures/shown_images.ts";
import { escapeHtml, scrollTable } from "./parts.ts";
import { boxLegend, renderPicture } from "./pictures.ts";

/** Prompts that are shown. */
const MOST_PAIRS = 12;
/** Longest side of a drawing, pixels: of one run, and of several. */
const MOST_SIDE = 224, MOST_SIDE_OF_MANY = 168;

/** What several runs answered to the same prompts: the pairs of each prompt in the order of the runs. */
export interface SeenPrompts {
  readonly runs: readonly BeforeAfter[];
  /** Prompts that all of them asked. */
  readonly shared: number;
  readonly prompts: readonly (readonly PicturePair[])[];
}

/** HTML of the prompts on which runs differ most, a column for each run. */
export function renderSeenPrompts(
  { runs, shared, prompts }: SeenPrompts,
  names: readonly string[],
  images: ShownImages,
): string {
  const means = runs.map((run, i) => `${names[i]}: ${shownMeans(run)}`).join("; ");
  const about = `${shared} prompts that all evaluated, those first on which the runs differ most. ${means}.`;
  const cells = prompts.map((pairs) =>
    `<tr><td dir="auto">${escapeHtml(cut(pairs[0]!.prompt))}</td>${
      pairs.map((pair, i) => renderCell(pair, runs[i]!, images)).join("")
    }</tr>`
  );
  return `<p class="about">${escapeHtml(about)}</p>${boxLegend(prompts.flat().map(({ after }) => after))}${
    scrollTable(["prompt", ...names], cells, "named")
  }`;
}

/** HTML of the pairs under a line that counts all of them. */
export function renderBeforeAfter(data: BeforeAfter, images: ShownImages): string {
  const { pairs, mode } = data, { better, worse, same } = countGains(pairs);
  const chosen = chosenPairs(pairs, MOST_PAIRS);
  const about =
    `${pairs.length} prompt${pairs.length === 1 ? "" : "s"} that both evaluations asked, ${mode}: ${
      shownMeans(data)
    }; ` +
    `${better} better, ${worse} worse, ${same} the same. Sorted by gain.`;
  const all = chosen.flatMap(({ pairs }) => pairs);
  return `<p class="about">${escapeHtml(about)}</p>${boxLegend(all.flatMap(({ before, after }) => [before, after]))}${
    chosen.map(({ name, pairs }) =>
      `${name && `<h3 class="group">${escapeHtml(name)}</h3>`}<div class="pairs">${
        pairs.map((pair) => renderPair(pair, data, images)).join("")
      }</div>`
    ).join("")
  }`;
}

/** What all prompts came to. */
function shownMeans({ measure, means: [before, after] }: BeforeAfter): string {
  if (measure === "right") return `${(100 * before).toFixed(1)} % → ${(100 * after).toFixed(1)} % right`;
  const what = measure === "iou"
    ? "mean IoU of the boxes"
    : "mean of IoU of the boxes, and of 1 for words that are right,";
  return `${what} ${before.toFixed(2)} → ${after.toFixed(2)}`;
}

function renderPair(pair: PicturePair, data: BeforeAfter, images: ShownImages): string {
  const { look, text } = gainOf(pair);
  return `<div class="pair${isWide(pair) ? " wide" : ""}"><h4 dir="auto">${
    escapeHtml(cut(pair.prompt))
  } <span class="${look}">${text}</span></h4>${
    renderTwo(pair, data, images, isWide(pair) ? 2 * MOST_SIDE : MOST_SIDE)
  }</div>`;
}

/** A gain by sign, by word and by colour. */
function gainOf({ gain, after }: PicturePair): { readonly look: string; readonly text: string } {
  const look = Math.abs(gain) < SHOWN ? "" : gain > 0 ? "good" : "wrong",
    sign = { good: "▲ ", wrong: "▼ ", "": "" }[look];
  if (after.boxes === null) {
    return { look, text: `${sign}${{ good: "now right", wrong: "now wrong", "": "the same" }[look]}` };
  }
  return { look, text: `${sign}IoU ${{ good: "+", wrong: "−", "": "±" }[look]}${Math.abs(gain).toFixed(2)}` };
}

/** A gain of less is written as 0.00. */
const SHOWN = 0.005;

/** A photograph has the page's width for its two drawings. */
const isWide = ({ after }: PicturePair) => after.ids.some(isLarge);

function renderCell(pair: PicturePair, run: BeforeAfter, images: ShownImages): string {
  const { look, text } = gainOf(pair);
  return `<td class="seen"><b class="${look}">${text}</b>${
    renderTwo(pair, run, images, isWide(pair) ? MOST_SIDE : MOST_SIDE_OF_MANY)
  }</td>`;
}

function renderTwo({ before, after }: PicturePair, { names }: BeforeAfter, images: ShownImages, side: number): string {
  const one = (picture: Picture, name: string) =>
    `<div><small>${escapeHtml(name)}</small>${renderPicture(picture, images, side)}</div>`;
  return `<div class="two" style="--side:${side}px">${one(before, names[0])}${one(after, names[1])}</div>`;
}

const MOST_TEXT = 120;
const cut = (text: string) => text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
