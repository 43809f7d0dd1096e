/** What else may be wrong, how likely each is, and the look that decides. @module */
import { type PagePossible, percentText } from "../../../notebooks/pages/possible.ts";
import { copyButton, element } from "./element.ts";
import { said } from "./said.ts";
import type { Stage } from "./stage.ts";
import { table } from "./table.ts";

/** The table; `aboutOf` is what a cause is, in the page's language. */
export function decidesTable(
  causes: readonly PagePossible[],
  aboutOf: (cause: string) => string,
  { say, language }: Stage,
): HTMLElement {
  const rows = causes.map(({ cause, probability, why, look, how, isFirst }) => {
    const percent = element("div", { class: "more" }), about = aboutOf(cause);
    percent.style.width = `${(100 * Math.min(1, probability)).toFixed(1)}%`;
    return [
      [
        element("b", {}, percentText(probability)),
        element("div", { class: "bar", attributes: { "aria-hidden": "true" } }, percent),
      ],
      [element("b", {}, cause), about === "" || isFirst ? "" : element("small", { class: "means" }, about)],
      isFirst ? say.foundAbove : said(why, language),
      [
        ...look === null ? [say.shownAlready] : said(look, language),
        how.length === 0 ? "" : copyBlock(how.join("\n"), say),
      ],
    ];
  });
  const look = (at: number) => causes[at]!.isFirst ? "first" : "";
  return table([say.probability, say.cause, say.why, say.look], rows, "decides", look);
}

/** Lines to copy, with a button that does. */
export function copyBlock(text: string, say: Stage["say"]): HTMLElement {
  return element(
    "div",
    { class: "copied" },
    element("pre", { class: "code" }, text),
    copyButton(say.copy, () => text, say),
  );
}
