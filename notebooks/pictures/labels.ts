/** Places the labels of boxes on a picture so that none lies on another. @module */
import { textWidth } from "../text_width.ts";

/** A rectangle in units of the picture. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface PlacedLabel extends Area {
  readonly text: string;
}

/** Size of a label's letters, and its room around them, in units of the picture. */
export const LABEL_SIZE = 11;
const PAD = 3, HEIGHT = LABEL_SIZE + 2 * PAD - 1, GAP = 2;

/** From so many labels on one may hide boxes only by so much of its own area; of a box no label hides more than so much. */
const MANY = 4, MOST_HIDDEN = 0.6, MOST_OF_BOX = 0.25;

/** The area that both have. */
function shared(a: Area, b: Area): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/**
 * One label for each of `wanted` as far as there is room, in their order, within `width` × `height`: beside its box, on no
 * other label, hiding as little of all boxes as can be. Of a label's `texts`, the longest first, that which hides least. Null
 * where none fits, or where it would hide much of a box or of many: to see what is in a box matters more than its number.
 */
export function placeLabels(
  wanted: readonly { readonly box: Area; readonly texts: readonly string[] }[],
  width: number,
  height: number,
): (PlacedLabel | null)[] {
  const placed: PlacedLabel[] = [];
  const mayHide = wanted.filter(({ texts }) => texts.length > 0).length > MANY ? MOST_HIDDEN : Infinity;
  return wanted.map(({ box, texts }) => {
    let chosen: PlacedLabel | null = null, least = Infinity;
    for (const text of texts) {
      const size = { width: Math.ceil(textWidth(text, LABEL_SIZE)) + 2 * PAD, height: HEIGHT };
      const found = best(around(box, size), placed, wanted, { width, height }, mayHide);
      if (found === null || found.hidden >= least) continue;
      [chosen, least] = [{ ...found.label, text }, found.hidden];
    }
    if (chosen !== null) placed.push(chosen);
    return chosen;
  });
}

/** Places beside a box, the usual first: above, below, to its sides, and last inside. */
function around(box: Area, { width, height }: { width: number; height: number }): Area[] {
  const left = box.x, right = box.x + box.width - width, middle = box.x + (box.width - width) / 2;
  const above = box.y - height - GAP, below = box.y + box.height + GAP;
  const rows = [above, below].flatMap((y) => [left, right, middle].map((x) => [x, y] as const));
  const sides = [box.y, box.y + box.height - height].flatMap((y) =>
    [box.x + box.width + GAP, box.x - width - GAP].map((x) => [x, y] as const)
  );
  const inside = [box.y + GAP, box.y + box.height - height - GAP].map((y) => [left + GAP, y] as const);
  return [...rows, ...sides, ...inside].map(([x, y]) => ({ x, y, width, height }));
}

function best(
  places: readonly Area[],
  placed: readonly Area[],
  wanted: readonly { readonly box: Area }[],
  room: { width: number; height: number },
  mayHide: number,
): { readonly label: Area; readonly hidden: number } | null {
  let chosen: { readonly label: Area; readonly hidden: number } | null = null;
  let least = mayHide * places[0]!.width * places[0]!.height;
  for (const place of places) {
    const x = Math.max(0, Math.min(place.x, room.width - place.width));
    const y = Math.max(0, Math.min(place.y, room.height - place.height));
    const label = { ...place, x, y };
    if (place.width > room.width || placed.some((other) => shared(other, label) > 0)) continue;
    const parts = wanted.map(({ box }) => shared(box, label)), hidden = parts.reduce((sum, part) => sum + part, 0);
    if (parts.some((part, i) => part > MOST_OF_BOX * wanted[i]!.box.width * wanted[i]!.box.height)) continue;
    if (hidden < least) [chosen, least] = [{ label, hidden }, hidden];
  }
  return chosen;
}
