/** The colours of every chart and page, light and dark. @module */

/**
 * The colours of lines, on white: told apart by readers without red, green or blue cones too, and each at least three
 * times as dark as the paper (a test computes both). A page replaces each by a CSS variable, a chart for a dark screen
 * by the colour of `DARK` of the same name.
 */
export const PALETTE = {
  ink: "#2b2f38",
  muted: "#7a808c",
  grid: "#e6e7ea",
  first: "#1d5c9c",
  second: "#c8761c",
  third: "#2a9e90",
  fourth: "#9333ea",
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
  bad: "#d64868",
};

/** What charts lie on: a card of the page. */
export const PAPER = { light: "#ffffff", dark: "#1b1e24" } as const;

export type Theme = keyof typeof PAPER;

/** Colours of lines whose number nobody knows beforehand: reward functions, runs, causes. */
export const SERIES = [
  PALETTE.first,
  PALETTE.second,
  PALETTE.third,
  PALETTE.fourth,
  PALETTE.bad,
  PALETTE.muted,
] as const;

/** Colours that grow with a value, readable on both papers and without colour. */
export const SEQUENTIAL = "viridis";

/** A text with the colours of `PALETTE` in the colours of a theme. */
export function inTheme(text: string, theme: Theme): string {
  if (theme === "light") return text;
  return Object.entries(PALETTE).reduce((out, [name, color]) => out.replaceAll(color, DARK[name as ColorName]), text);
}
