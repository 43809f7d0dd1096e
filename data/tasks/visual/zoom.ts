/** Enlarges a digit into the picture that a task shows. @module */
import { encodeGreyPng } from "../../images/png.ts";
import { SIDE } from "./digits.ts";

/** Width and height of every picture, pixels: what Qwen2-VL's image processor leaves as it is. */
export const CANVAS = 56;

/** The two pixels of a digit that one of the picture lies between, and their shares; share 0 outside. */
interface Between {
  readonly first: number;
  readonly second: number;
  readonly share: number;
  readonly otherShare: number;
}

const AXES = new Map<string, readonly Between[]>();

/** Where the centres of the picture's pixels lie in the digit, along one axis. */
function axis(scale: number, offset: number): readonly Between[] {
  const key = `${scale} ${offset}`, known = AXES.get(key);
  if (known !== undefined) return known;
  const inside = (at: number) => at >= 0 && at < SIDE;
  const made = Array.from({ length: CANVAS }, (_, i) => {
    const place = (i + 0.5 - offset) / scale - 0.5, first = Math.floor(place), rest = place - first;
    return {
      first: inside(first) ? first : 0,
      second: inside(first + 1) ? first + 1 : 0,
      share: inside(first) ? 1 - rest : 0,
      otherShare: inside(first + 1) ? rest : 0,
    };
  });
  AXES.set(key, made);
  return made;
}

/**
 * A digit on an empty picture, bilinear between pixel centres, 0 outside.
 *
 * ink         float64 [8 * 8]
 * scale       pixels of the picture per pixel of the digit
 * top, left   where the digit's corner lies, pixels
 * returns     float64 [56 * 56], 0 to 1
 */
export function zoomed(ink: Float64Array, scale: number, top: number, left: number): Float64Array {
  const down = axis(scale, top), across = axis(scale, left), out = new Float64Array(CANVAS * CANVAS);
  const line = new Float64Array(SIDE);
  for (let y = 0; y < CANVAS; y++) {
    const { first, second, share, otherShare } = down[y]!;
    if (share === 0 && otherShare === 0) continue;
    for (let x = 0; x < SIDE; x++) line[x] = share * ink[first * SIDE + x]! + otherShare * ink[second * SIDE + x]!;
    for (let x = 0; x < CANVAS; x++) {
      const at = across[x]!;
      out[y * CANVAS + x] = at.share * line[at.first]! + at.otherShare * line[at.second]!;
    }
  }
  return out;
}

/** The file of a picture of 0 to 1, white on black. */
export function pictureFile(picture: Float64Array): Uint8Array {
  const values = new Uint8Array(picture.length); // In a loop: thousands of pictures are made at once.
  for (let i = 0; i < values.length; i++) values[i] = Math.round(picture[i]! * 255);
  return encodeGreyPng({ width: CANVAS, height: CANVAS, values });
}
