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
