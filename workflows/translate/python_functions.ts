/** Reads what a function of a script must be given: its parameters without a default. @module */
import type { Token } from "./python_tokens.ts";

const MOST_TOKENS = 400;

/** The name and the parameters of the `def` at `from`, without `*args` and `**kwargs`; null where it is none. */
export function requiredParameters(
  tokens: readonly Token[],
  from: number,
): { readonly name: string; readonly parameters: readonly string[] } | null {
  const start = tokens[from]?.text === "async" ? from + 2 : from + 1, name = tokens[start];
  if (name?.kind !== "name" || tokens[start + 1]?.text !== "(") return null;
  const parameters: string[] = [];
  let depth = 0, begins = true;
  for (const { kind, text } of tokens.slice(start + 1, start + MOST_TOKENS)) {
    if (kind === "newline") continue;
    if (depth === 1 && begins && kind === "name") parameters.push(text);
    else if (depth === 1 && text === "=" && kind === "operator") parameters.pop();
    begins = kind === "operator" && (text === "(" && depth === 0 || text === "," && depth === 1);
    if (kind !== "operator") continue;
    if ("([{".includes(text)) depth++;
    else if (")]}".includes(text) && --depth === 0) return { name: name.text, parameters };
  }
  return null;
}
