/** Variables, defaults and arithmetic of a shell script: `$NAME`, `${NAME:-x}`, `$((2 * N))`. @module */

/** Variables of a script: a text, a list (`A=(…)`), or what cannot be known. */
export type Variables = Map<string, readonly string[] | null> & {
  /** Letters that were put in for them so far. */
  expanded?: number;
};

/** Where the reading of a script stands. */
export interface Cursor {
  readonly text: string;
  at: number;
  line: number;
}

const MOST_NESTED = 20;
const LONGEST = 600; // Letters of one expansion.
/** Letters put in over a whole script: a variable that holds itself twice, line by line, would fill the memory. */
const MOST_EXPANDED = 1_000_000;
const NONE: Variables = new Map();

/** Moves on, counting lines. */
export function step(cursor: Cursor, count = 1): void {
  for (let i = 0; i < count && cursor.at < cursor.text.length; i++) {
    if (cursor.text[cursor.at++] === "\n") cursor.line++;
  }
}

interface Expanded {
  readonly values: readonly string[];
  readonly unknown: boolean;
}

/** What a variable holds; a part of it may be one that nothing sets. */
const known = (values: readonly string[]): Expanded => ({
  values,
  unknown: values.some((value) => /\$[A-Za-z{(]/.test(value)),
});

/** `$NAME`, `${NAME:-x}`, `$((…))`, `$(expr …)`, `$(…)` and backticks at the cursor; past the most letters as they stand. */
export function expansion(cursor: Cursor, variables: Variables, depth: number): Expanded {
  const spent = variables.expanded ?? 0, found = expanded(cursor, spent > MOST_EXPANDED ? NONE : variables, depth);
  if (variables !== NONE) variables.expanded = spent + found.values.reduce((sum, { length }) => sum + length, 0);
  return found;
}

function expanded(cursor: Cursor, variables: Variables, depth: number): Expanded {
  const rest = cursor.text.slice(cursor.at, cursor.at + LONGEST), from = cursor.at;
  const raw = (): Expanded => ({ values: [cursor.text.slice(from, cursor.at)], unknown: true });
  const plain = /^\$([A-Za-z_]\w*|[@*#?0-9])/.exec(rest);
  if (plain !== null) {
    step(cursor, plain[0].length);
    if ("@*".includes(plain[1]!)) return { values: [], unknown: false };
    const value = variables.get(plain[1]!);
    return value ? known(value) : raw();
  }
  const braced = rest.startsWith("${") ? closing(rest, 1, "{", "}") : -1;
  if (braced > 0) {
    step(cursor, braced + 1);
    return parameter(rest.slice(2, braced), variables, depth) ?? raw();
  }
  const sum = rest.startsWith("$((") ? closing(rest, 1, "(", ")") : -1;
  if (sum > 0) {
    step(cursor, sum + 1);
    const value = arithmetic(expandText(rest.slice(3, sum - 1), variables, depth + 1).text, variables);
    return value === null ? raw() : { values: [String(value)], unknown: false };
  }
  const calculated = /^\$\(\s*expr\s+([^()`]*)\)/.exec(rest);
  if (calculated !== null) {
    step(cursor, calculated[0].length);
    const value = arithmetic(
      expandText(calculated[1]!.replaceAll(/[\\'"]/g, ""), variables, depth + 1).text,
      variables,
    );
    return value === null ? raw() : { values: [String(value)], unknown: false };
  }
  const end = rest.startsWith("$(") ? closing(rest, 1, "(", ")") : rest.startsWith("`") ? rest.indexOf("`", 1) : -1;
  step(cursor, end > 0 ? end + 1 : 1);
  return end > 0 ? raw() : { values: ["$"], unknown: false };
}

function closing(text: string, from: number, open: string, close: string): number {
  for (let at = from, depth = 0; at < text.length; at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at;
  }
  return -1;
}

/** What stands inside `${…}`: a name, a default, a suffix to cut. */
function parameter(inside: string, variables: Variables, depth: number): Expanded | null {
  const [, name, operator, word] =
    /^([A-Za-z_]\w*|\d+|[@*])(?:\[[@*]\])?(:?[-=?+]|%%?|##?|\/\/?)?(.*)$/s.exec(inside) ?? [];
  if (name === undefined || depth > MOST_NESTED) return null;
  const held = variables.get(name) ?? null;
  if (operator === undefined) {
    return word !== "" ? null : "@*".includes(name) ? { values: [], unknown: false } : held && known(held);
  }
  const isSet = held !== null && (held.join("") !== "" || !operator.startsWith(":"));
  if (/[-=]$/.test(operator)) {
    if (isSet) return known(held!);
    const { text, unknown } = expandText(word!, variables, depth + 1);
    return { values: [text.replaceAll(/^(["'])(.*)\1$/gs, "$2")], unknown };
  }
  if (/\+$/.test(operator)) {
    return { values: isSet ? [expandText(word!, variables, depth + 1).text] : [], unknown: false };
  }
  if (/\?$/.test(operator)) return isSet ? known(held!) : null;
  return null;
}

/** Variables inside a text that is no word of its own. */
export function expandText(
  text: string,
  variables: Variables,
  depth = 0,
): { readonly text: string; readonly unknown: boolean } {
  if (depth > MOST_NESTED) return { text, unknown: true };
  const cursor: Cursor = { text, at: 0, line: 1 };
  let result = "", unknown = false;
  while (cursor.at < text.length) {
    if (text[cursor.at] === "$") {
      const found = expansion(cursor, variables, depth);
      result += found.values.join(" ");
      unknown ||= found.unknown;
    } else {
      result += text[cursor.at];
      step(cursor);
    }
  }
  return { text: result, unknown };
}

/** Whole numbers with + - * / % and brackets; names are variables. */
function arithmetic(text: string, variables: Variables): number | null {
  const filled = text.replaceAll(/[A-Za-z_]\w*/g, (name) => variables.get(name)?.join("") ?? "?");
  const tokens = filled.match(/\d+|[-+*/%()]|\S/g) ?? [];
  let at = 0;
  const atom = (): number => {
    const token = tokens[at++];
    if (token === "(") {
      const value = sum();
      return tokens[at++] === ")" ? value : NaN;
    }
    if (token === "-") return -atom();
    return token !== undefined && /^\d+$/.test(token) ? Number(token) : NaN;
  };
  const product = (): number => {
    let value = atom();
    while (["*", "/", "%"].includes(tokens[at] ?? "")) {
      const operator = tokens[at++], right = atom();
      value = operator === "*" ? value * right : operator === "/" ? Math.trunc(value / right) : value % right;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") value += tokens[at++] === "+" ? product() : -product();
    return value;
  };
  const value = tokens.length > 200 ? NaN : sum();
  return Number.isFinite(value) && at === tokens.length ? value : null;
}
