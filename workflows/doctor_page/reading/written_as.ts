/** A change as the text that a person gave writes its options: `--temperature 1.0` where that has `--temperature 0.01`. @module */

/** How a line writes an option. */
export interface Form {
  readonly kind: "flag" | "assigned" | "key" | "json";
  /** The option as it is spelled there. */
  readonly name: string;
  /** What parts it from its value. */
  readonly sign: string;
  /** Its value has decimals there, as a number that need not be whole is written. */
  readonly decimal: boolean;
}

/** A value behind an option, without quotes. */
const DECIMAL = /^["']?-?(?:\d*\.\d|\d+\.)/;
/** What an option of ours may be spelled as. */
const spelled = (name: string) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/[_-]/g, "[-_]");

/** How a line writes an option, by its whole name or the last part of it; null where it stands there otherwise. */
export function formIn(line: string, option: string): Form | null {
  for (const name of [option, option.split(".").at(-1)!]) {
    for (const [kind, pattern] of FORMS) {
      const found = new RegExp(pattern.replace("NAME", `(${spelled(name)})`), "i").exec(line);
      if (found === null) continue;
      return { kind, name: found[1]!, sign: found[2]!, decimal: DECIMAL.test(found[3] ?? "") };
    }
  }
  return null;
}

/** In this order; a record that a log prints (`{'a': 1}`) is none to be changed. */
const FORMS: readonly (readonly [Form["kind"], string])[] = [
  ["flag", "(?<![\\w-])--NAME(=|\\s+)([^\\s\\\\]*)"],
  ["json", '^\\s*"NAME"(\\s*:\\s*)([^\\s,]*)'],
  ["key", "^\\s*(?:-\\s+)?NAME(:\\s+)([^\\s#]*)"],
  ["assigned", "(?<![\\w.'\"-])NAME(\\s*=\\s*)(?!=)([^\\s,)\\\\]*)"],
];

/** An option with its value, as remedies have it. */
const CHANGE = /^(?:--([\w.-]+)(?: (.*))?|([\w.-]+)(?:=|: )(.*))$/s;

/** The name of the option that a line of a remedy changes; null of a command and what is none. */
export function changedOption(line: string): string | null {
  const [, flag, , name] = CHANGE.exec(line) ?? [];
  return flag ?? name ?? null;
}

/** The line of a remedy in another form. */
export function writtenAs(line: string, { kind, name, sign, decimal }: Form): string {
  const [, flag, ofFlag, , other] = CHANGE.exec(line) ?? [], text = (flag === undefined ? other : ofFlag) ?? "";
  const value = decimal && /^-?\d+$/.test(text) ? `${text}.0` : text;
  switch (kind) {
    case "flag":
      return `--${name}${value === "" ? "" : sign === "=" ? `=${value}` : ` ${value}`}`;
    case "json":
      return `"${name}": ${isPlain(value) ? value : JSON.stringify(unquoted(value))}`;
    case "key":
      return `${name}: ${value}`;
    case "assigned":
      return `${name}${sign}${name.includes(".") ? value : inPython(value)}`;
  }
}

const isPlain = (value: string) => /^(?:true|false|null|-?[\d.]+(?:e[+-]?\d+)?|[[{].*)$/is.test(value);
const unquoted = (value: string) => value.replace(/^"(.*)"$/s, "$1");

/** A keyword's value: texts in quotes, true as Python has it. */
function inPython(value: string): string {
  const word = { true: "True", false: "False", null: "None" }[value];
  return word ?? (isPlain(value) ? value : JSON.stringify(unquoted(value)));
}
