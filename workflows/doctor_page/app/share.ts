/** The report as Markdown, without what is private unless a person wants it, and what that is. @module */
import type { Shared } from "../reading/messages.ts";
import { copyButton, element } from "./element.ts";
import type { Stage } from "./stage.ts";

/** Passages that are listed; of more their number is told. */
const LISTED = 12;

/** The switch, what it does to this report, the text, the button. */
export function sharing({ stripped, whole, taken }: Shared, { say }: Stage): HTMLElement {
  const strip = element("input", { id: "strip", attributes: { type: "checkbox", checked: "" } });
  const what = element("div", { class: "taken", attributes: { "aria-live": "polite" } });
  const preview = element("pre", { class: "code", id: "markdown", attributes: { tabindex: "0" } });
  const text = () => strip.checked ? stripped : whole;
  const show = () => {
    preview.textContent = text();
    const said = taken.length === 0
      ? say.nothingPrivate
      : strip.checked
      ? say.stripped(taken.length)
      : say.notStripped(taken.length);
    what.className = `taken${taken.length > 0 && !strip.checked ? " careful" : ""}`;
    what.replaceChildren(
      element("p", {}, said),
      element(
        "ul",
        {},
        ...taken.slice(0, LISTED).map(({ text, by }) =>
          element(
            "li",
            {},
            element("code", {}, text),
            strip.checked ? " → " : "",
            strip.checked ? element("code", {}, by) : "",
          )
        ),
        ...taken.length > LISTED ? [element("li", {}, say.moreRows(taken.length - LISTED))] : [],
      ),
    );
  };
  strip.addEventListener("change", show);
  show();
  return element(
    "div",
    { class: "card" },
    element("p", { class: "about" }, say.shareAbout),
    element(
      "div",
      { class: "row" },
      copyButton(say.copyMarkdown, text, say),
      element("label", { attributes: { for: "strip" } }, strip, ` ${say.strip}`),
    ),
    what,
    element("details", {}, element("summary", {}, say.preview), preview),
  );
}
