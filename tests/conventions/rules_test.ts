/** The doctor's rules: what they read and what they say to do knows none of them. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../steps/diagnoses/mod.ts";
import { exists, importsOf, none, read, ROOT, SOURCES } from "./sources.ts";

Deno.test("what the rules read and what they say to do know no rule", () => {
  const below = SOURCES.filter(({ path }) => /^steps\/diagnoses\/(?:view|remedies)\//.test(path));
  const upward = below.flatMap((source) =>
    importsOf(source).filter(({ target }) => /^steps\/diagnoses\/[^/]+\.ts$/.test(target))
      .map(({ target }) => `${source.path} imports ${target}`)
  );
  none(upward, "An arrow back up");
});

Deno.test("every rule says what is lost of a run that has its cause: none takes the default", () => {
  const silent = SOURCES.filter(({ path, text }) =>
    /^steps\/diagnoses\/[^/]+\.ts$/.test(path) && /(?:default|=) defineDiagnosis\(\{/.test(text) &&
    !/^ {2}wastes: "/m.test(text)
  );
  none(silent.map(({ path }) => `${path} says nothing in "wastes"`), "A cost by default");
});

/** What may be typed in a decision beside none, a half, one and a pair, with the reason. */
const TYPED: Readonly<Record<string, string>> = {
  "Qwen2.5-VL": "a model's name",
  fp32: "a format's name",
  bf16: "a format's name",
  fp16: "a format's name",
  "num_samples=0": "what a library prints",
  "labels -100": "what a library prints",
  "8 or 4 bits": "formats of weights",
  "0..1000": "coordinates, as data sets name them",
  "clean runs: at most 0.056": "measured, no threshold",
  "clean runs: 0.17 to 1.09": "measured, no threshold",
};
const HALF = 0.5, COUNTS = [0, HALF, 1, 2];

/** Numbers in the text of a decision that are neither written by a constant nor listed; a half that has a name must use it. */
function typed(text: string): string[] {
  // Up to the next property: a text, tagged or not, or a list of them.
  const written = /^ {2}decision:([^]*?)^ {2}[\w}]/m.exec(`${text}\n  }`)?.[1];
  if (written === undefined) return [];
  const decision = [...written.replaceAll(/\$\{[^]*?\}/g, "").matchAll(/(["'`])([^]*?)\1/g)]
    .map(([, , text]) => text).join("\n");
  const bare = Object.keys(TYPED).reduce((rest, name) => rest.replaceAll(name, ""), decision);
  const constants = [...text.matchAll(/\b[A-Z][A-Z\d_]* = (-?\d[\d.]*(?:e-?\d+)?)/g)].map(([, value]) => Number(value));
  return [...bare.matchAll(/\d[\d.]*\d(?:e-?\d+)?|\d(?:e-?\d+)?/g)].map(([number]) => number)
    .filter((number) => !COUNTS.includes(Number(number)) || Number(number) === HALF && constants.includes(HALF));
}

Deno.test("a decision's numbers are those of its constants: none is typed by hand", () => {
  const rules = SOURCES.filter(({ path }) => /^steps\/diagnoses\/\w+\.ts$/.test(path));
  assert(rules.filter(({ text }) => /^ {2}decision:/m.test(text)).length === Object.keys(DIAGNOSES).length);
  none(rules.flatMap(({ path, text }) => typed(text).map((number) => `${path}: ${number}`)), "A number typed by hand");
  const idle = Object.keys(TYPED).filter((name) => !rules.some(({ text }) => text.includes(name)));
  none(idle, "Listed here and typed nowhere");
});

Deno.test("a typed number is found, a constant's, a count and a name are not", () => {
  const found = (decision: string, before = "") => typed(`${before}\n  decision:\n    ${decision},\n`);
  assert.deepEqual(found('"above 0.8, 20 records, 1e-6"'), ["0.8", "20", "1e-6"]);
  assert.deepEqual(found("`above ${FLAT}, 0 or 1, in fp32, a half 0.5, 0.000`"), []);
  assert.deepEqual(found('"above 0.5"', "const LARGE = 0.5;"), ["0.5"], "it has a name");
  assert.deepEqual(found("written`above ${FLAT}, the policy's 0.8`"), ["0.8"]);
  assert.deepEqual(found('[\n    "above 0.8",\n    written`below ${LOW}, or 20`,\n  ]'), ["0.8", "20"], "each line");
});

Deno.test("what refers to the rules page leads there: it has codes and causes, no numbered sections", async () => {
  none(SOURCES.filter(({ text }) => /rules\.md,? section/.test(text)).map(({ path }) => path), "No such section");
  const named = [...(await read("tests/cases/CAUSES.md")).matchAll(/`(\.\.\/[^`]+)`/g)].map(([, path]) => path!);
  assert(named.length > 0);
  for (const path of named) {
    assert(await exists(new URL(path, new URL("tests/cases/", ROOT)).pathname.slice(ROOT.pathname.length)), path);
  }
});

Deno.test("the vocabulary of labels has every cause, and counts them", async () => {
  const page = await read("tests/cases/CAUSES.md");
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
  assert.deepEqual(listed.filter((name) => name !== "healthy").sort(), Object.keys(DIAGNOSES).sort());
  assert.match(page, new RegExp(`^${listed.length} slugs`, "m"));
});

Deno.test("no rule gives a constant of its own the name of one that the rules share", () => {
  const constants = (text: string, before: string) =>
    [...text.matchAll(new RegExp(`^${before}const ([^\\n]*)`, "gm"))].flatMap(([, line]) =>
      [...line!.replace(/ \/\/.*/, "").matchAll(/(?:^|, )([A-Z][A-Z\\d_]*)(?= =|:)/g)].map(([, name]) => name!)
    );
  const rules = SOURCES.filter(({ path }) => path.startsWith("steps/diagnoses/"));
  const shared = new Set(rules.flatMap(({ text }) => constants(text, "export ")));
  assert(shared.size > 20, `${shared.size}`);
  none(
    rules.flatMap(({ path, text }) => constants(text, "").filter((n) => shared.has(n)).map((n) => `${path}: ${n}`)),
    "A shared name with another meaning",
  );
});
