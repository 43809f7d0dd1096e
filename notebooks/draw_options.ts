/** Refuses what a chart is told and does not know: a misspelt option would be a chart that looks as if it had none. @module */
import { didYouMean } from "../data/did_you_mean.ts";
import { PAPER } from "./charts/palette.ts";

const OPTIONS = ["width", "height", "theme", "findings"];

/** Throws a RangeError for an option that no chart has, and a theme that is none. */
export function checkDrawOptions(options: object): void {
  const strange = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (strange !== undefined) {
    throw new RangeError(`Cannot draw with "${strange}": there is no such option${didYouMean(strange, OPTIONS)}`);
  }
  const theme: unknown = Reflect.get(options, "theme"), themes = Object.keys(PAPER);
  if (theme !== undefined && !themes.includes(String(theme))) {
    throw new RangeError(`Cannot draw in theme "${theme}": there is no such theme${didYouMean(String(theme), themes)}`);
  }
}
