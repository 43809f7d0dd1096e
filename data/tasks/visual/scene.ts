/** Puts digits at random places of a black picture, with their boxes. @module */
import type { Box } from "../../boxes/iou.ts";
import type { Digit } from "./digits.ts";
import { CANVAS, zoomed } from "./zoom.ts";

const SCALES = [2, 2.5, 3], DIGIT = 8; // Pixels of the picture per pixel of a digit, which has 8.
const VISIBLE = 0.25 + 1e-9; // From here on a pixel belongs to the digit: above a quarter, and no quarter that was rounded up.
const APART = 2; // Pixels between two boxes, in one direction at least.
const PLACES = 40; // Tries for the places of one scene.
const GRID = 20; // Answers have coordinates in multiples of so many thousandths.

interface Placed {
  readonly digit: Digit;
  readonly scale: number;
  readonly top: number;
  readonly left: number;
  /** Pixels; the right and lower edges lie behind the last pixel. */
  readonly box: Box;
}

export interface Scene {
  readonly placed: readonly Placed[];
  /** float64 [56 * 56], 0 to 1. */
  readonly picture: Float64Array;
}

/** The smallest box around all that is visible, in pixels. */
export function tightBox(picture: Float64Array): Box {
  let left = CANVAS, top = CANVAS, right = 0, bottom = 0;
  for (let y = 0; y < CANVAS; y++) {
    for (let x = 0; x < CANVAS; x++) {
      if (picture[y * CANVAS + x]! < VISIBLE) continue;
      left = Math.min(left, x);
      top = Math.min(top, y);
      right = Math.max(right, x + 1);
      bottom = y + 1;
    }
  }
  return [left, top, right, bottom];
}

const areApart = (a: Box, b: Box) => [0, 1].some((i) => b[i]! - a[i + 2]! >= APART || a[i]! - b[i + 2]! >= APART);

/**
 * `count` digits of `pool`, each enlarged 2, 2.5 or 3 times and whole in the picture, their boxes 2 pixels apart; where
 * bright, the brighter one shows. Null where they found no places in 40 tries.
 *
 * below   draws an integer below a bound
 * repeat  whether every fourth digit after the first is drawn among those that are the same digit as the first
 */
export function drawScene(
  below: (bound: number) => number,
  pool: readonly Digit[],
  count: number,
  { repeat }: { readonly repeat: boolean },
): Scene | null {
  const placed: Placed[] = [], picture = new Float64Array(CANVAS * CANVAS);
  for (let tries = 0; tries < PLACES && placed.length < count; tries++) {
    const first = placed[0]?.digit;
    const among = repeat && first !== undefined && below(4) === 0
      ? pool.filter(({ label }) => label === first.label)
      : pool;
    const digit = among[below(among.length)]!, scale = SCALES[below(SCALES.length)]!;
    const free = CANVAS - DIGIT * scale + 1, top = below(free), left = below(free);
    const own = zoomed(digit.ink, scale, top, left), box = tightBox(own);
    if (placed.some((other) => !areApart(other.box, box))) continue;
    placed.push({ digit, scale, top, left, box });
    for (let i = 0; i < own.length; i++) picture[i] = Math.max(picture[i]!, own[i]!);
  }
  return placed.length < count ? null : { placed, picture };
}

/** A digit of the scene that is its only one of that kind, drawn among them; null where there is none. */
export function drawAlone(below: (bound: number) => number, { placed }: Scene): Placed | null {
  const alone = placed.filter(({ digit }) => placed.filter((other) => other.digit.label === digit.label).length === 1);
  return alone.length === 0 ? null : alone[below(alone.length)]!;
}

/** The same scene has the same text. */
export function sceneText({ placed }: Scene): string {
  return placed.map(({ digit, scale, top, left }) => `${digit.row} ${scale} ${top} ${left}`).sort().join();
}

/** Halves go to the even neighbour, as Python's round has them. */
function rounded(value: number): number {
  const up = Math.round(value);
  return up - value === 0.5 && up % 2 === 1 ? up - 1 : up;
}

/** A box of pixels in thousandths of the picture, each edge at the nearest multiple of 20: what answers hold. */
export function answerBox(box: Box): Box {
  return box.map((edge) => rounded(edge / CANVAS * 1000 / GRID) * GRID) as unknown as Box;
}

/** The scene's writers, each once, in the order of their numbers. */
export function writersOf({ placed }: Scene): string {
  return [...new Set(placed.map(({ digit }) => digit.writer))].sort((a, b) => a - b).join();
}

/**
 * How hard a scene is, 0 to 1: 1 minus the side of a square as large as the smallest true box, in shares of the picture's,
 * over the number of digits. A small digit leaves an overlap of a half little room; others are to be told from it.
 */
export function sceneDifficulty(truth: readonly Box[], digits: number): number {
  const side = Math.min(...truth.map(([x1, y1, x2, y2]) => Math.sqrt((x2 - x1) * (y2 - y1)) / 1000));
  return 1 - side / digits;
}
