/** Pictures of completions on a page: the drawings of a prompt's images beside each other over a line that judges them. @module */
import { BOX_LOOK, drawPicture, UNDER, undrawnText } from "../pictures/draw_picture.ts";
import { captionOf, type Picture } from "../pictures/picture.ts";
import { isLarge, type ShownImages } from "../pictures/shown_images.ts";
import { escapeHtml } from "./parts.ts";

/** Longest side of a drawing in a table's cell, pixels: of small images, and of photographs, of several beside each other. */
const MOST_SIDE = 168, MOST_SIDE_LARGE = 300, MOST_SIDE_OF_MANY = 112;

/** HTML of a picture; `most` is the longest side of a drawing, pixels. */
export function renderPicture(
  picture: Picture,
  images: ShownImages,
  most = picture.ids.some(isLarge) ? MOST_SIDE_LARGE : MOST_SIDE,
): string {
  const many = picture.ids.length, side = many === 1 ? most : Math.max(MOST_SIDE_OF_MANY, Math.round(most / 2));
  const drawings = drawPicture(picture, images, side).map(({ svg }) => svg).join("");
  const { verdict, text } = captionOf(picture),
    look = picture.correct === null ? "" : picture.correct ? "good" : "wrong";
  const why = picture.ids.flatMap((id) => images.why(id) ?? []);
  const notes = [
    undrawnText(picture),
    why.length === many ? why[0] : why.length ? `${why.length} of ${many}: ${why[0]}` : "",
  ]
    .filter(Boolean);
  return `<div class="picture" style="--side:${
    many === 1 ? most : 2 * side + 4
  }px"><div class="drawings">${drawings}</div><p>${verdict && `<b class="${look}">${verdict}</b> `}${
    escapeHtml(text)
  }</p>${notes.map((note) => `<p class="note">${escapeHtml(note!)}</p>`).join("")}</div>`;
}

/** What lines and labels of pictures with boxes mean; "" where none has boxes. */
export function boxLegend(pictures: Iterable<Picture | null>): string {
  if (![...pictures].some((picture) => picture?.boxes)) return "";
  const line = ({ color, dash }: { color: string; dash: string }) =>
    `<svg class="line" width="26" height="10" aria-hidden="true"><rect width="26" height="10" rx="2" fill="${UNDER}"/><path d="M3 5H23" stroke="${color}" stroke-width="2"${
      dash && ` stroke-dasharray="${dash}"`
    }/></svg>`;
  return `<p class="legend pictures"><span>${line(BOX_LOOK.gold)}gold box, the answer</span><span>${
    line(BOX_LOOK.said)
  }box that the completion says, with the IoU of the boxes · its confidence</span></p>`;
}
