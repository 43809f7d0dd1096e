/** The colours of every chart and page, light and dark. @module */

/**
 * The colours of lines, on white: told apart by readers without red, green or blue cones too, and each at least three
 * times as dark as the paper (a test computes both). A page replaces each by a CSS variable, a chart for a dark screen
 * by the colour of `DARK` of the same name.
 */
export const PALETTE = {
  ink: "#2b2f38",
  muted: "#646a76",
  grid: "#e6e7ea",
  first: "#1d5c9c",
  second: "#c8761c",
  third: "#2a9e90",
  fourth: "#9333ea",
  fifth: "#181848",
  bad: "#991b1b",
} as const;

type ColorName = keyof typeof PALETTE;

/** The same names on a dark card. */
export const DARK: Readonly<Record<ColorName, string>> = {
  ink: "#e7e9ee",
  muted: "#98a0ad",
  grid: "#2d323b",
  first: "#78adf8",
  second: "#e0a95c",
  third: "#8ff0df",
  fourth: "#a341f0",
  fifth: "#fcfc60",
  bad: "#d64868",
};

/**
 * The colours of texts that say how something is, on card, page and soft ground: each at least 4.5 times as dark or bright
 * as these, where a line needs but 3 (a test computes it).
 */
export const TEXT = {
  light: { good: "#1d766b", doubtful: "#935611", wrong: "#991b1b", plain: "#1d5c9c" },
  dark: { good: "#8ff0df", doubtful: "#e0a95c", wrong: "#e8708a", plain: "#78adf8" },
} as const;

/** What lies behind texts: the page, a card, a badge. */
export const GROUND = {
  light: { paper: "#fbfbfa", card: "#ffffff", soft: "#f1f2f4" },
  dark: { paper: "#14161a", card: "#1b1e24", soft: "#23272f" },
} as const;

/** What charts lie on: a card of the page. */
export const PAPER = { light: GROUND.light.card, dark: GROUND.dark.card } as const;

export type Theme = keyof typeof PAPER;

/**
 * Colours of lines whose number nobody knows beforehand: reward functions, runs. Neither the one that says that something is
 * wrong nor the one of what is beside the point.
 */
export const SERIES = [
  PALETTE.first,
  PALETTE.second,
  PALETTE.third,
  PALETTE.fourth,
  PALETTE.fifth,
] as const;

/** Where there are more series than colours, those of one colour differ by their dashes. */
const DASHES = [undefined, [6, 3], [2, 2]] as const;

/** The look of the series at a place, from 0. */
export function seriesLook(place: number): { readonly color: string; readonly dash?: readonly [number, number] } {
  const color = SERIES[place % SERIES.length]!, dash = DASHES[Math.floor(place / SERIES.length) % DASHES.length];
  return dash ? { color, dash } : { color };
}

/** Colours that grow with a value, readable on both papers and without colour. */
export const SEQUENTIAL = "viridis";

/** The name that a colour of `PALETTE` has, also on a dark card. */
export function nameOf(color: string): ColorName {
  return (Object.keys(PALETTE) as ColorName[]).find((name) => PALETTE[name] === color)!;
}

/** A text with the colours of `PALETTE` in the colours of a theme. */
export function inTheme(text: string, theme: Theme): string {
  if (theme === "light") return text;
  return Object.entries(PALETTE).reduce((out, [name, color]) => out.replaceAll(color, DARK[name as ColorName]), text);
}
