/** The program of the page: takes what a person gives, asks the worker, shows what it says, in two languages. @module */
import { type Language, LANGUAGES, usualLanguage } from "../language/mod.ts";
import type { Diagnosed, Given } from "../reading/messages.ts";
import { Reader } from "./ask.ts";
import { button, element } from "./element.ts";
import { type Draft, intakeView, takeAnywhere } from "./intake.ts";
import { proofsOf } from "./proofs.ts";
import { resultSections, verdictCard } from "./result.ts";
import type { Stage } from "./stage.ts";
import { TextView } from "./text_view.ts";

type State =
  | { readonly is: "idle" }
  | { readonly is: "reading"; readonly given: Given }
  | { readonly is: "failed"; readonly error: string }
  | {
    readonly is: "read";
    readonly given: Given;
    readonly diagnosed: Diagnosed;
    readonly seconds: number;
    readonly shown: number;
  };

const reader = new Reader(document.getElementById("worker")!.textContent!);
const page = document.getElementById("page")!, footer = document.querySelector("footer")!;
let language: Language = usualLanguage(navigator.languages), state: State = { is: "idle" }, asked = 0;
const draft: Draft = { text: "" };

async function take(asks: Given | null | Promise<Given | null>): Promise<void> {
  if (asks === null) return;
  const mine = ++asked;
  const set = (next: State) => {
    if (mine === asked) show(next);
  };
  try {
    const given = await asks;
    if (given === null) return;
    const started = performance.now();
    if (given.kind === "text") draft.text = given.text;
    set({ is: "reading", given });
    const diagnosed = await reader.diagnose(given, (bytes) => {
      const line = document.getElementById("progress");
      if (mine === asked && line !== null) {
        line.textContent = LANGUAGES[language].say.readSoFar((bytes / 1e6).toFixed(1));
      }
    });
    set({ is: "read", given, diagnosed, seconds: (performance.now() - started) / 1000, shown: 0 });
    document.querySelector<HTMLElement>(".verdict h1")?.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  } catch (error) {
    set({ is: "failed", error: error instanceof Error ? error.message : String(error) });
  }
}

function show(next: State): void {
  state = next;
  const { say } = LANGUAGES[language];
  document.documentElement.lang = language;
  document.body.dataset["state"] = state.is;
  document.title = "given" in state ? `${nameOf(state.given)} · ${say.brand}` : say.brand;
  footer.textContent = say.footer;
  page.replaceChildren(head(), ...body());
}

function head(): HTMLElement {
  const { say } = LANGUAGES[language];
  const languages = (Object.keys(LANGUAGES) as Language[]).map((one) => {
    const made = button(LANGUAGES[one].name, () => {
      language = one;
      show(state);
      // The button that was pressed is another one now.
      document.querySelector<HTMLElement>(`.languages [lang=${one}]`)?.focus();
    });
    made.setAttribute("aria-pressed", String(one === language));
    made.lang = one;
    return made;
  });
  return element(
    "header",
    { class: "top" },
    element("p", { class: "brand" }, say.brand),
    element("div", { class: "languages", attributes: { role: "group", "aria-label": say.language } }, ...languages),
  );
}

function body(): HTMLElement[] {
  const { say } = LANGUAGES[language];
  if (state.is === "read") return report(state);
  if (state.is === "reading") {
    return [element(
      "main",
      { class: "waiting", attributes: { "aria-live": "polite" } },
      element("div", { class: "spinner", attributes: { "aria-hidden": "true" } }),
      element("p", { class: "big" }, `${say.reading} ${nameOf(state.given)}`),
      element("p", { class: "about", id: "progress" }, ""),
    )];
  }
  const failed = state.is === "failed"
    ? element("p", { class: "reason", attributes: { role: "alert" } }, say.cannotRead + say.colon + state.error)
    : null;
  return [element(
    "main",
    { class: "start" },
    element("h1", {}, say.title),
    element("p", { class: "lead" }, say.about),
    failed,
    intakeView(say, take, draft, Number(page.dataset["causes"])),
  )];
}

function report(read: Extract<State, { is: "read" }>): HTMLElement[] {
  const { say } = LANGUAGES[language], { diagnosed, given } = read, shown = diagnosed.runs[read.shown]!;
  const proofs = proofsOf(shown.run), files = diagnosed.files.length > 0 ? diagnosed.files : null;
  const text = files === null ? null : new TextView(
    // What has evidence comes first: it is what a person wants to see.
    files.toSorted((a, b) => Number(proofs.has(b.shown)) - Number(proofs.has(a.shown)) || b.records - a.records),
    proofs,
    (path, from, count, words) => reader.lines(path, from, count, words),
    say,
  );
  text?.root.classList.toggle("calm", shown.run.verdict !== "faulty");
  const stage: Stage = {
    language,
    say,
    goTo: (source, line, from) => void text?.goTo(source, line, from),
    hasText: (source) => text?.has(source) ?? false,
  };
  const sections = resultSections(shown, diagnosed, stage);
  const runs = diagnosed.runs.length < 2 ? null : element(
    "nav",
    { class: "runs", attributes: { "aria-label": say.runs } },
    ...diagnosed.runs.map(({ part }, i) => {
      const made = button(say.run(part), () => {
        show({ ...read, shown: i });
        document.querySelectorAll<HTMLElement>(".runs button")[i]?.focus();
      });
      made.setAttribute("aria-pressed", String(i === read.shown));
      return made;
    }),
  );
  return [element(
    "main",
    { class: "found" },
    element(
      "div",
      { class: "bar-top" },
      element("b", {}, nameOf(given)),
      element(
        "span",
        { class: "about" },
        [
          shown.run.system === "unknown system" ? say.unknownSystem : shown.run.system,
          say.recordsRead(Number.parseInt(shown.run.reading[0]!)),
          say.readIn(read.seconds.toFixed(read.seconds < 1 ? 2 : 1)),
        ].filter(Boolean).join(" · "),
      ),
      button(say.another, readAnother, "main"),
    ),
    runs,
    verdictCard(shown, stage),
    element(
      "div",
      { class: "columns" },
      element("div", { class: "left" }, ...sections.beside),
      text?.root ?? null,
    ),
    element("div", { class: "below" }, ...sections.below),
  )];
}

/** Back to where a text is given: with the one that was pasted, and the focus where the next one goes. */
function readAnother(): void {
  show({ is: "idle" });
  document.getElementById("paste")?.focus();
}

function nameOf(given: Given): string {
  const { say } = LANGUAGES[language];
  if (given.kind === "text") return say.pasted;
  if (given.kind === "file") return given.file.name;
  return given.files.every(({ path }) => path.split("/").length === 2) && given.name === "files"
    ? say.manyFiles(given.files.length)
    : given.name;
}

takeAnywhere(take);
show(state);
