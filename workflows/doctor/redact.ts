/** Takes out of a text what a person would not paste into a public issue. @module */

const RULES: readonly (readonly [RegExp, string])[] = [
  [/(\/(?:home|Users)\/)[^\/\s:"']+/g, "$1…"],
  [/([A-Za-z]:\\Users\\)[^\\\s:"']+/g, "$1…"],
  [/\/root(?=\/|\b)/g, "~"],
  [/\b(?:hf_|sk-|gh[pousr]_|github_pat_|glpat-|xox[baprs]-|AKIA|wandb_v1_)[A-Za-z0-9_-]{10,}/g, "<token>"],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g, "<token>"],
  [/\b((?:api[_-]?key|token|password|secret)["']?\s*[:=]\s*["']?)[^\s"',}]+/gi, "$1<token>"],
  [/\b[0-9a-f]{40}\b/g, "<token>"],
  [/[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/g, "<e-mail>"],
];

/** Home folders, tokens and e-mail addresses replaced; everything else as it was. */
export function redact(text: string): string {
  return RULES.reduce((out, [pattern, by]) => out.replace(pattern, by), text);
}

/** A passage that is taken out, and what stands in its place. */
export interface Taken {
  readonly text: string;
  readonly by: string;
}

/** What `redact` takes out of a text, each passage once: what a person looks at before it is pasted. */
export function takenOut(text: string): Taken[] {
  const taken = new Map<string, string>();
  RULES.reduce((out, [pattern, by]) =>
    out.replace(pattern, (found) => {
      const instead = found.replace(pattern, by);
      if (instead !== found) taken.set(found, instead);
      return instead;
    }), text);
  return Array.from(taken, ([text, by]) => ({ text, by }));
}
