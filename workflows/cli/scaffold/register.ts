/** Adds a line to the table of a folder's mod.ts, in the way a person would. @module */

/** Returns the text of a file with the line of a new thing in its table. Throws a SyntaxError where it cannot. */
export type AddLine = (text: string, name: string, value: string, file: string) => string;

/**
 * Returns the text of mod.ts with an import of `./<name>.ts` and an entry at the end of its table. Throws a
 * SyntaxError when the file has no `} as const satisfies` or already names the entry.
 */
export const addToRegistry: AddLine = (...given) => registered(`{ ${given[2]} }`, ...given);

/** The same for a folder whose files export one thing each, as their default. */
export const addDefaultToRegistry: AddLine = (...given) => registered(given[2], ...given);

function registered(imported: string, text: string, name: string, value: string, file: string): string {
  if (new RegExp(`from "\\./${name}\\.ts"`).test(text)) {
    throw new SyntaxError(`Cannot add "${name}" to ${file}: it imports "./${name}.ts" already`);
  }
  // A comment for the linter belongs to the line that ends the table.
  const end = text.search(/^(?: {2}\/\/ deno-lint-ignore [^\n]*\n)?\} as const satisfies/m);
  if (end < 0) {
    throw new SyntaxError(`Cannot add "${name}" to ${file}: it has no table that ends with "} as const satisfies"`);
  }
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  const entry = name === value ? `  ${name},\n` : `  ${key}: ${value},\n`;
  const withEntry = text.slice(0, end) + entry + text.slice(end);
  const line = `import ${imported} from "./${name}.ts";\n`;
  const imports = [...withEntry.matchAll(/^import [^;]+ from "\.\/([^"]+)\.ts";\n/gm)];
  const before = imports.find((m) => m[1]! > name);
  const at = before ? before.index : imports.length ? imports.at(-1)!.index + imports.at(-1)![0].length : 0;
  return withEntry.slice(0, at) + line + withEntry.slice(at);
}

/**
 * Returns the text of decide.ts with a cause that explains no other, last before `benign_zero_loss`. Throws a
 * SyntaxError when there is no such place.
 */
export function addToOrder(text: string, name: string, _value: string, file: string): string {
  const end = text.search(/^ {2}benign_zero_loss: \[\],$/m);
  if (end < 0) {
    throw new SyntaxError(`Cannot add "${name}" to ${file}: ORDER has no line "benign_zero_loss: []," to stand before`);
  }
  return `${text.slice(0, end)}  ${name}: [],\n${text.slice(end)}`;
}

/**
 * Returns the text of signs.ts with a cause and the look that shows it, before `benign_zero_loss`. Throws a SyntaxError
 * when there is no such place.
 */
export function addToSigns(text: string, name: string, _value: string, file: string): string {
  const end = text.search(/^ {2}benign_zero_loss: \{/m);
  if (end < 0) {
    throw new SyntaxError(`Cannot add "${name}" to ${file}: SIGNS has no line "benign_zero_loss" to stand before`);
  }
  return `${text.slice(0, end)}  ${name}: { print_each_step: "it shows as its decision says" },\n${text.slice(end)}`;
}

/**
 * Returns the text of causes_zh.ts with what a cause is, before `benign_zero_loss`: the sentence of the draft, in Chinese.
 * Throws a SyntaxError when there is no such place.
 */
export function addToChinese(text: string, name: string, _value: string, file: string): string {
  const end = text.search(/^ {2}benign_zero_loss: "/m);
  if (end < 0) {
    throw new SyntaxError(`Cannot add "${name}" to ${file}: CAUSES_ZH has no line "benign_zero_loss" to stand before`);
  }
  return `${text.slice(0, end)}  ${name}: "奖励降到了 0 以下。",\n${text.slice(end)}`;
}

/** `zero_spread` → `zeroSpread`, `visual/iou` → `visualIou`. */
export function camelCase(name: string): string {
  return name.replace(/[_/]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
