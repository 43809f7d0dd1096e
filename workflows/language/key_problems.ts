/** What is said of keys that do not belong where they stand. @module */
import { suggest } from "../../data/did_you_mean.ts";
import type { Path, Problem } from "./problems.ts";

/** A key that is misspelt is also missing under its right name: said once. */
export function withoutEchoes(problems: readonly Problem[]): Problem[] {
  return problems.filter(({ path, message }) => {
    const missing = /^missing key "([^"]+)"/.exec(message)?.[1];
    if (missing === undefined) return true;
    const parent = path.slice(0, -1).join(".");
    return !problems.some((other) =>
      other.path.slice(0, -1).join(".") === parent && other.message.startsWith("unknown key") &&
      (other.message.includes(`did you mean "${missing}"?`) || other.message.includes(`it is "${missing}" here`))
    );
  });
}

/** Keys of other languages, and ours. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  jobs: "steps",
  tasks: "steps",
  run: "uses",
  args: "with",
  inputs: "with",
  env: "params",
  vars: "params",
  needs: "steps",
  loop: "repeat",
  while: "until",
  when: "if",
  description: "about",
};

/** The word of ours that a key of another language stands for, where it is known here. */
export function ourWord(key: string, known: readonly string[]): string {
  const ours = Object.hasOwn(ELSEWHERE, key) ? ELSEWHERE[key]! : key;
  return known.includes(ours) ? ours : key;
}

/** Keys that every step has beside `with`. */
const STEP_KEYS = ["id", "uses", "if", "every", "retry", "timeout-minutes", "continue-on-error", "cache"];

/** Keys of a block of the workflow that are written beside the block's own key. */
const INSIDE: Readonly<Record<string, string>> = {
  matrix: "strategy",
  "max-parallel": "strategy",
  "fail-fast": "strategy",
  keep: "checkpoint",
  best: "checkpoint",
  group: "concurrency",
};

/** A key of a step that stands elsewhere, or a parameter that stands beside `with`. */
export function misplaced(key: string, path: Path, value: unknown, known: readonly string[]): string | null {
  const name = key.replaceAll("_", "-"), isOfStep = STEP_KEYS.includes(name);
  if (path.length === 0 && Object.hasOwn(INSIDE, name)) return `; write ${INSIDE[name]}: { ${name}: … }`;
  if (path.at(-1) === "with" && isOfStep) return '; it stands beside "with", not in it';
  const isStep = typeof value === "object" && value !== null && Object.hasOwn(value, "uses");
  if (!isStep) return isOfStep && name !== "uses" && name !== "id" ? '; a step has it, with "uses"' : null;
  const other = isOfStep || Object.hasOwn(ELSEWHERE, key) || suggest(key, [...known, "with"]) !== null;
  return other || !known.includes("continue-on-error") ? null : '; parameters of the step stand in "with"';
}
