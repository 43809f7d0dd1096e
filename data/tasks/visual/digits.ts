/** The digits that pictures of tasks are made of: 1,797 of 8 x 8 pixels, handwritten. @module */
import { gunzipSync } from "node:zlib";
import type { Split } from "../../datasets/split.ts";

export const SIDE = 8; // Pixels.

/** What a pixel may be, from 0: ink in a square of 4 x 4 dots of the scan. */
const MOST_INK = 16;

/** One digit. */
export interface Digit {
  /** Place in the file, from 0. */
  readonly row: number;
  /** float64 [8 * 8], row by row: 0 is paper, 1 ink. */
  readonly ink: Float64Array;
  /** "0" to "9". */
  readonly label: string;
  /** Number of the form that it was written on, from 0. */
  readonly writer: number;
}

/**
 * The first row of each form. The file keeps the order in which people filled in one and the same form of 130 digits
 * (0 to 9 three times, then a fixed series), of which a few are missing: each form begins where the labels begin again.
 */
export const FORMS = [0, 130, 256, 386, 516, 646, 776, 906, 1029, 1157, 1287, 1415, 1545, 1667] as const;

/** Forms from these numbers on are of another split. */
const VALIDATION = 9, HELD_OUT = 10;

/** The split of a form: a writer's digits are all in one. */
export function splitOfWriter(writer: number): Split {
  return writer >= HELD_OUT ? "held_out" : writer >= VALIDATION ? "validation" : "train";
}

let read: readonly Digit[] | null = null;

/** All digits in the file's order (data/tasks/visual/DIGITS.md has their source). */
export function allDigits(): readonly Digit[] {
  return read ??= parse();
}

/** The digits of a split's writers. */
export function digitsOf(split: Split): readonly Digit[] {
  return allDigits().filter(({ writer }) => splitOfWriter(writer) === split);
}

/** 64 pixels and the label a line. */
function parse(): Digit[] {
  const bytes = gunzipSync(Deno.readFileSync(new URL("./digits.csv.gz", import.meta.url)));
  return new TextDecoder().decode(bytes).trimEnd().split("\n").map((line, row) => {
    const cells = line.split(",");
    return {
      row,
      ink: Float64Array.from(cells.slice(0, SIDE * SIDE), (cell) => Number(cell) / MOST_INK),
      label: cells[SIDE * SIDE]!,
      writer: FORMS.findLastIndex((first) => first <= row),
    };
  });
}
