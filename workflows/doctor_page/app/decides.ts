/** What else may be wrong, how likely each is, and the look that decides. @module */
import { isFoundAlone, type PagePossible, percentText } from "../../../notebooks/pages/possible.ts";
import { copyButton, element } from "./element.ts";
import { said } from "./said.ts";
import type { Stage } from "./stage.ts";
import { table } from "./table.ts";

/** The table; of one cause that is found alone the look that makes it sure. `aboutOf` is what a cause is, in the page's language. */
export function decidesTable(
  causes: readonly PagePossible[],
  aboutOf: (cause: string) => string,
  { say, language }: Stage,
): HTMLElement {
  const looked = ({ look }: PagePossible) => look === null ? [say.shownAlready] : said(look, language);
  const copied = ({ how }: PagePossible) => how.length === 0 ? "" : copyBlock(how.join("\n"), say);
  if (isFoundAlone(causes)) {
    return element(
      "div",
      {},
      element("p", {}, element("b", {}, say.toBeSure + say.colon), ...looked(causes[0]!)),
      copied(causes[0]!),
    );
  }
  const rows = causes.map((one) => {
    const { cause, probability, why, isFound } = one;
    const percent = element("div", { class: "more" }), about = aboutOf(cause);
    percent.style.width = `${(100 * Math.min(1, probability)).toFixed(1)}%`;
    return [
      [
        element("b", {}, percentText(probability)),
        element("div", { class: "bar", attributes: { "aria-hidden": "true" } }, percent),
      ],
      [element("b", {}, cause), about === "" || isFound ? "" : element("small", { class: "means" }, about)],
      isFound ? say.foundAbove : why === "" ? "" : said(why, language),
      [...looked(one), copied(one)],
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
