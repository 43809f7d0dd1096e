/** Where a log is given: dropped, chosen or pasted. @module */
import type { Strings } from "../language/mod.ts";
import { givenFiles } from "../reading/given_files.ts";
import type { Given } from "../reading/messages.ts";
import { button, drawn, element } from "./element.ts";
import { exampleLog } from "./example.ts";
import { givenDrop } from "./given.ts";

/** Takes what is given, also what is still looked up. */
type Take = (given: Given | null | Promise<Given | null>) => void;

/** What is pasted, kept while a person looks at the report or at another language. */
export interface Draft {
  text: string;
}

/** The page before anything is read; `causes` is how many it knows. */
export function intakeView(say: Strings, take: Take, draft: Draft, causes: number): HTMLElement {
  const files = picker({ multiple: "" }, take), folder = picker({ webkitdirectory: "" }, take);
  const paste = element("textarea", {
    id: "paste",
    attributes: { rows: "5", spellcheck: "false", placeholder: say.pasteHere, "aria-label": say.pasteHere },
  });
  const asked = element(
    "p",
    { class: "reason", id: "empty", attributes: { role: "alert", hidden: "" } },
    say.pasteFirst,
  );
  const read = () => {
    asked.hidden = paste.value.trim() !== "";
    if (asked.hidden) take({ kind: "text", text: paste.value });
    else paste.focus();
  };
  paste.value = draft.text;
  paste.addEventListener("input", () => {
    draft.text = paste.value;
    asked.hidden = true;
  });
  paste.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) read();
  });
  return element(
    "div",
    { class: "intake" },
    element(
      "div",
      { class: "drop" },
      pulse(),
      element("p", { class: "big" }, say.dropHere),
      element("p", { class: "about" }, say.dropAbout),
      element(
        "div",
        { class: "row" },
        button(say.chooseFiles, () => files.click(), "main"),
        button(say.chooseFolder, () => folder.click()),
        button(say.example, () => take({ kind: "file", file: new File([exampleLog()], "example.log") })),
      ),
      files,
      folder,
      element("div", { class: "paste" }, paste, button(say.diagnose, read, "main")),
      asked,
    ),
    element(
      "div",
      { class: "three" },
      told(say.local, say.localAbout),
      told(say.reads, say.readsAbout),
      told(say.knows(causes), say.knowsAbout),
    ),
  );
}

/** Lets a person drop or paste anywhere on the page; a paste into a field is the field's. */
export function takeAnywhere(take: Take): void {
  const over = (is: boolean) => document.body.classList.toggle("over", is);
  addEventListener("dragover", (event) => {
    event.preventDefault();
    over(true);
  });
  addEventListener("dragleave", ({ relatedTarget }) => relatedTarget === null && over(false));
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(false);
    if (event.dataTransfer !== null) take(givenDrop(event.dataTransfer));
  });
  addEventListener("paste", ({ target, clipboardData }) => {
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement || clipboardData === null) return;
    const text = clipboardData.getData("text/plain");
    take(
      clipboardData.files.length > 0
        ? givenFiles([...clipboardData.files])
        : text === ""
        ? null
        : { kind: "text", text },
    );
  });
}

function picker(attributes: Readonly<Record<string, string>>, take: Take): HTMLInputElement {
  const input = element("input", {
    attributes: { type: "file", hidden: "", ...attributes },
    on: { change: () => take(givenFiles([...input.files ?? []])) },
  });
  return input;
}

const told = (title: string, text: string) => element("div", {}, element("h3", {}, title), element("p", {}, text));

/** A course that runs, falls and lies still. */
function pulse(): SVGElement {
  const d = "M4 40h34l8-22 12 40 10-50 10 62 9-38 7 8h22c14 0 10 26 28 26h52";
  return drawn(
    "svg",
    { class: "pulse", attributes: { viewBox: "0 0 200 76", "aria-hidden": "true" } },
    drawn("path", { attributes: { d } }),
  );
}
