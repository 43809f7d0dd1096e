/** Draws a picture of one completion as SVG: the image, gold boxes solid, said boxes dashed with their IoU and confidence. @module */
import type { Box } from "../../data/boxes/iou.ts";
import { sizeOfId } from "../../data/images/image_id.ts";
import { escapeHtml } from "../plain_text.ts";
import type { ShownImages } from "./shown_images.ts";
import { type Area, LABEL_SIZE, placeLabels } from "./labels.ts";
import { captionOf, type Picture, shownConfidence } from "./picture.ts";

/**
 * Colours of boxes, on any image in any theme: each lies on a dark line that is wider, and the two differ by dashes, too.
 * Yellow and light blue are told apart by readers without red, green or blue cones.
 */
export const BOX_LOOK = {
  gold: { color: "#ffd54a", dash: "" },
  said: { color: "#6fd0ff", dash: "6 4" },
} as const;
export const UNDER = "#10131a";

/** Boxes of each kind that are drawn: more hide the image. */
const MOST_DRAWN = 24;
/** Letters of a box's own name. */
const MOST_NAME = 18;
/** Width of lines, in units of the drawing. */
const LINE = 2;

interface Drawing {
  readonly svg: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/**
 * The drawing of each image of a picture, each side `most` pixels at most: small images are enlarged by a whole number with
 * hard pixels, large ones made smaller. Boxes are drawn in the first.
 */
export function drawPicture(picture: Picture, images: ShownImages, most: number): Drawing[] {
  return picture.ids.map((id, i) => {
    const { width, height } = shownSize(sizeOfId(id), most);
    const drawn = i === 0 && picture.boxes !== null ? drawBoxes(picture.boxes, width, height) : "";
    const about = `Image ${i + 1} of ${picture.ids.length}`;
    const label = i === 0 ? altText(picture) : about;
    return {
      width,
      height,
      svg:
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
        `role="img" aria-label="${escapeHtml(label)}">${images.svg(id, width, height)}${drawn}</svg>`,
    };
  });
}

/** Whole pixels, at least one each. */
function shownSize({ width, height }: { width: number; height: number }, most: number) {
  const larger = Math.max(width, height);
  const scale = larger <= most ? Math.floor(most / larger) : most / larger;
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/** What the picture shows, in words. */
export function altText(picture: Picture): string {
  const { ids, boxes } = picture, { width, height } = sizeOfId(ids[0]!), { verdict, text } = captionOf(picture);
  const size = ids.length === 1 ? `Image of ${width} × ${height} pixels` : `${ids.length} images`;
  const counts = boxes === null
    ? ""
    : `, ${countOf(boxes.gold.length, "gold box")}, ${countOf(boxes.said.length, "said box")}`;
  return `${size}${counts}; ${[verdict, text].filter(Boolean).join("; ")}`;
}

const countOf = (count: number, what: string) => `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : "es"}`;

function drawBoxes({ gold, said }: NonNullable<Picture["boxes"]>, width: number, height: number): string {
  const areas = (list: readonly { readonly box: Box }[]) =>
    list.slice(0, MOST_DRAWN).map(({ box }) => areaOf(box, width, height));
  const goldAreas = areas(gold), saidAreas = areas(said);
  const labels = placeLabels(
    [
      ...saidAreas.map((box, i) => ({ box, texts: saidTexts(said[i]!) })),
      // One without a name has no label and is not to be hidden all the same: the object is in it.
      ...goldAreas.map((box, i) => ({ box, texts: gold[i]!.label === null ? [] : [nameOf(gold[i]!.label!)] })),
    ],
    width,
    height,
  );
  const boxes = [
    ...goldAreas.map((area, i) => drawBox(area, BOX_LOOK.gold, `gold box ${i + 1}${ofName(gold[i]!.label)}`)),
    ...saidAreas.map((area, i) =>
      drawBox(area, BOX_LOOK.said, `said box ${i + 1}${ofName(said[i]!.label)}: ${told(said[i]!)}`)
    ),
  ];
  const texts = labels.map((label, i) => {
    if (label === null) return "";
    const { color } = i < saidAreas.length ? BOX_LOOK.said : BOX_LOOK.gold;
    return `<g pointer-events="none"><rect x="${round(label.x)}" y="${round(label.y)}" width="${
      round(label.width)
    }" height="${label.height}" rx="3" fill="${UNDER}" fill-opacity=".86"/>` +
      `<text x="${round(label.x + label.width / 2)}" y="${
        round(label.y + label.height - 4)
      }" text-anchor="middle" font-size="${LABEL_SIZE}" font-family="'DejaVu Sans',Verdana,sans-serif" fill="${color}">${
        escapeHtml(label.text)
      }</text></g>`;
  });
  return boxes.join("") + texts.join("");
}

/** What of a box lies in the image, the line within it; at least a dot at its edge of what lies outside or has no area. */
function areaOf([x1, y1, x2, y2]: Box, width: number, height: number): Area {
  const within = (at: number, most: number) => Math.max(LINE / 2, Math.min(most - LINE / 2, at * most));
  const [left, top] = [within(x1, width), within(y1, height)];
  return {
    x: left,
    y: top,
    width: Math.max(LINE, within(x2, width) - left),
    height: Math.max(LINE, within(y2, height) - top),
  };
}

function drawBox(area: Area, { color, dash }: { color: string; dash: string }, about: string): string {
  const at = `x="${round(area.x)}" y="${round(area.y)}" width="${round(area.width)}" height="${round(area.height)}"`;
  return `<g class="box" fill="${color}" fill-opacity="0"><title>${escapeHtml(about)}</title>` +
    `<rect ${at} stroke="${UNDER}" stroke-opacity=".8" stroke-width="${2 * LINE}"/>` +
    `<rect ${at} stroke="${color}" stroke-width="${LINE}"${dash && ` stroke-dasharray="${dash}"`}/></g>`;
}

const round = (x: number) => Math.round(10 * x) / 10;

/** The long form where there is room for it. */
function saidTexts({ iou, confidence }: { iou: number; confidence: number | null }): string[] {
  const overlap = iou.toFixed(2);
  if (confidence === null) return [`IoU ${overlap}`, overlap];
  return [`IoU ${overlap} · conf. ${shownConfidence(confidence)}`, `${overlap} · ${shownConfidence(confidence)}`];
}

function told({ iou, confidence }: { iou: number; confidence: number | null }): string {
  return `${iou > 0 ? `IoU ${iou.toFixed(2)}` : "covers no gold box of its own"}, ${
    confidence === null ? "no confidence" : `confidence ${shownConfidence(confidence)}`
  }`;
}

const nameOf = (label: string) => label.length > MOST_NAME ? `${label.slice(0, MOST_NAME)}…` : label;
const ofName = (label: string | null) => label === null ? "" : ` “${nameOf(label)}”`;

/** How many boxes of a picture are not drawn, said in words; "" where all are. */
export function undrawnText({ boxes }: Picture): string {
  const more = boxes === null
    ? 0
    : Math.max(0, boxes.gold.length - MOST_DRAWN) + Math.max(0, boxes.said.length - MOST_DRAWN);
  return more === 0 ? "" : `${more} more boxes are not drawn`;
}
