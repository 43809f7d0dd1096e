/** Margins of error: "0.20 ± 0.05 → 0.71 ± 0.04" goes from 0.20 to 0.71. Every text keeps its length. @module */

const MARGIN =
  /(?<=\d\s?[%％]?)\s?(?:±|\+\s?\/\s?[-−–]|\\pm\b)\s?\d+(?:[.,]\d+)?(?:\s?[%％])?|(?<=\d\s?[%％]?)\s?\((?:±|\+\/-|std\.?|sd|s\.d\.|σ)\s?=?\s?\d+(?:[.,]\d+)?\s?[%％]?\)/giu;

/** A text without them; the share that both numbers are ("62.1 ± 0.4 %") stays with the value. */
export const withoutMargins = (text: string): string =>
  text.replace(MARGIN, (margin, at: number) => {
    const isShare = /[%％]\)?$/.test(margin) && !/[%％]\s?$/.test(text.slice(0, at));
    return (isShare ? " %" : "").padEnd(margin.length);
  });
