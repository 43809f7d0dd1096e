/** Evaluates the Python expressions that configurations are written with: literals, names, arithmetic, calls as records. @module */
import { type Call, combined, evaluated, isCall, type Keyword, type PythonValue, UNKNOWN } from "./python_builtins.ts";
import { pythonTokens, type Token } from "./python_tokens.ts";

import { isRecord, isUnresolved, shownValue, type Unresolved, type Value } from "./written.ts";

/** What names mean where an expression stands; null where that is not known. */
type Names = (name: string) => PythonValue | undefined;

const DEEPEST = 60;
const MOST_SHOWN = 80; // Tokens of what is not evaluated.
const LONGEST_TEXT = 100_000;
const LONGEST_PATH = 200; // Letters of a.b.c.

/** Reads tokens from `at` on. */
export class Expressions {
  #depth = 0;
  constructor(
    readonly tokens: readonly Token[],
    public at: number,
    private readonly names: Names,
    private readonly onCall: (call: Call) => void = () => {},
  ) {}

  get token(): Token | undefined {
    return this.tokens[this.at];
  }

  is(...texts: string[]): boolean {
    const token = this.token;
    return token !== undefined && (token.kind === "operator" || token.kind === "name") && texts.includes(token.text);
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  /** One expression; what it cannot evaluate is given as its text. Always moves on. */
  value(): PythonValue {
    const from = this.at;
    if (++this.#depth > DEEPEST) {
      this.#depth--;
      this.at = this.tokens.length;
      return { unresolved: "…" };
    }
    let value = this.#ternary(from);
    this.#depth--;
    if (!this.#atEnd()) { // an operator that is not evaluated: to the end of the expression
      while (!this.#atEnd()) this.#skipOne();
      value = this.#unresolved(from);
    }
    if (this.at === from) this.at++;
    return isUnresolved(value) ? this.#unresolved(from) : value;
  }

  #atEnd(): boolean {
    const token = this.token;
    return token === undefined || token.kind === "newline" ||
      this.is(",", ")", "]", "}", ":", ";", "=", "for", "if", "else", ":=");
  }

  #skipOne(): void {
    let depth = 0;
    do {
      if (this.is("(", "[", "{")) depth++;
      else if (this.is(")", "]", "}")) depth--;
      this.at++;
    } while (depth > 0 && this.at < this.tokens.length);
  }

  #unresolved(from: number): Unresolved {
    const end = Math.min(Math.max(this.at, from + 1), from + MOST_SHOWN);
    const words = this.tokens.slice(from, end).filter(({ kind }) => kind !== "newline");
    const text = words.map(({ kind, text }) => kind === "text" ? JSON.stringify(text) : text).join(" ")
      .replaceAll(/ ?([().,[\]]) ?/g, "$1").replaceAll(",", ", ");
    return { unresolved: text };
  }

  #ternary(from: number): PythonValue {
    const yes = this.#sum();
    if (!this.is("if")) return yes;
    this.at++;
    const condition = this.#sum();
    while (!this.is("else") && !this.#atEndOfIf()) this.#skipOne();
    if (!this.take("else")) return this.#unresolved(from);
    const no = this.#deeper(() => this.#ternary(this.at));
    return typeof condition === "boolean" ? condition ? yes : no : this.#unresolved(from);
  }

  #atEndOfIf(): boolean {
    const token = this.token;
    return token === undefined || token.kind === "newline" || this.is(",", ")", "]", "}");
  }

  #sum(): PythonValue {
    let left = this.#product();
    while (this.is("+", "-")) {
      const operator = this.tokens[this.at++]!.text, right = this.#product();
      left = combined(operator, left, right);
    }
    return left;
  }

  #product(): PythonValue {
    let left = this.#unary();
    while (this.is("*", "/", "//", "%")) {
      const operator = this.tokens[this.at++]!.text, right = this.#unary();
      left = combined(operator, left, right);
    }
    return left;
  }

  /** `parse` one level deeper; too deep, nothing more is read. */
  #deeper(parse: () => PythonValue): PythonValue {
    if (++this.#depth > DEEPEST) this.at = this.tokens.length;
    const value = parse();
    this.#depth--;
    return value;
  }

  #unary(): PythonValue {
    if (this.is("-", "+")) {
      const sign = this.tokens[this.at++]!.text === "-" ? -1 : 1, value = this.#deeper(() => this.#unary());
      return typeof value === "number" ? sign * value : UNKNOWN;
    }
    if (this.take("not")) {
      const value = this.#deeper(() => this.#unary());
      return typeof value === "boolean" ? !value : UNKNOWN;
    }
    const base = this.#postfix();
    if (!this.take("**")) return base;
    return combined("**", base, this.#deeper(() => this.#unary()));
  }

  #postfix(): PythonValue {
    const token = this.token;
    if (token === undefined) return UNKNOWN;
    let value: PythonValue, path: string | null = null;
    if (token.kind === "number") {
      this.at++;
      return numberOf(token.text);
    } else if (token.kind === "text") return this.#texts();
    else if (token.kind === "name") {
      this.at++;
      path = token.text;
      if (Object.hasOwn(CONSTANTS, path)) return CONSTANTS[path]!;
      if (path === "lambda") return UNKNOWN;
      value = this.names(path) ?? UNKNOWN;
    } else if (this.is("(", "[")) value = this.#list();
    else if (this.is("{")) value = this.#dict();
    else return UNKNOWN;
    while (this.is(".", "(", "[")) {
      if (this.take(".")) {
        const name = this.tokens[this.at++]?.text ?? "";
        path = path === null ? name : path.length > LONGEST_PATH ? path : `${path}.${name}`;
        value = this.names(path) ?? member(value, name) ?? this.names(`*.${name}`) ?? (isCall(value) ? value : UNKNOWN);
      } else if (this.is("(")) {
        const line = this.token!.line, { positional, keywords } = this.args();
        const call: Call = { call: path ?? "", positional, keywords, line };
        this.onCall(call);
        // A method of what a call made leads back to it: dataset.map(…).filter(…), model.to("cuda").
        value = isCall(value) && /\./.test(call.call) ? value : evaluated(call);
      } else {
        this.at++;
        const key = this.value();
        while (!this.is("]") && this.token !== undefined && this.token.kind !== "newline") this.#skipOne();
        this.take("]");
        value = item(value, key);
      }
    }
    // A name that means nothing here stands for itself: torch.bfloat16, accuracy_reward.
    return isUnresolved(value) && path !== null ? { unresolved: path } : value;
  }

  /** Texts side by side are one; f-strings are filled in. */
  #texts(): PythonValue {
    let result = "", unknown = false;
    for (; this.token?.kind === "text"; this.at++) {
      if (!this.token.formatted) {
        result += this.token.text;
        continue;
      }
      result += this.token.text.replaceAll(/\{\{|\}\}|\{([^{}]*)\}/g, (all, inside: string | undefined) => {
        if (inside === undefined) return all[0]!;
        const [expression] = inside.split(/[!:]/);
        const value = new Expressions(pythonTokens(expression!), 0, this.names).value();
        if (typeof value === "string" || typeof value === "number") return String(value);
        unknown = true;
        return `{${inside}}`;
      });
    }
    return unknown || result.length > LONGEST_TEXT ? { unresolved: result.slice(0, LONGEST_TEXT) } : result;
  }

  #list(): PythonValue {
    const open = this.tokens[this.at++]!.text, close = open === "(" ? ")" : "]", items: PythonValue[] = [];
    let commas = 0;
    while (!this.is(close) && this.token !== undefined && this.at < this.tokens.length) {
      if (this.take("*")) {
        const spread = this.value();
        if (Array.isArray(spread)) items.push(...spread);
      } else items.push(this.value());
      if (this.is("for")) { // a comprehension
        while (!this.is(close) && this.token !== undefined) this.#skipOne();
        this.at++;
        return UNKNOWN;
      }
      if (this.take(",")) commas++;
      else if (!this.is(close)) {
        if (this.token === undefined) break;
        this.#skipOne();
      }
    }
    this.at++;
    return open === "(" && items.length === 1 && commas === 0 ? items[0]! : items;
  }

  #dict(): PythonValue {
    this.at++;
    const entries: [string, PythonValue][] = [];
    while (!this.is("}") && this.token !== undefined) {
      if (this.take("**")) {
        const spread = this.value();
        if (isRecord(spread as Value)) entries.push(...Object.entries(spread as Record<string, PythonValue>));
      } else {
        const key = this.value();
        if (this.take(":")) entries.push([shownValue(key), this.value()]);
      }
      if (!this.take(",") && !this.is("}")) {
        if (this.token === undefined) break;
        this.#skipOne();
      }
    }
    this.at++;
    return Object.fromEntries(entries);
  }

  /** Arguments from the opening bracket on. */
  args(): Pick<Call, "positional" | "keywords"> {
    const positional: PythonValue[] = [], keywords: Keyword[] = [];
    this.at++;
    while (!this.is(")") && this.token !== undefined) {
      const token = this.token, next = this.tokens[this.at + 1];
      if (token.kind === "name" && next?.kind === "operator" && next.text === "=") {
        this.at += 2;
        keywords.push({ name: token.text, value: this.value(), line: token.line });
      } else if (this.take("**")) {
        const value = this.value();
        const all = isCall(value)
          ? value.keywords.map(({ name, value }) => [name, value] as const)
          : isRecord(value as Value)
          ? Object.entries(value as Record<string, PythonValue>)
          : null;
        if (all === null) keywords.push({ name: "**", value, line: token.line });
        else for (const [name, value] of all) keywords.push({ name, value, line: token.line });
      } else if (this.take("*")) this.value();
      else positional.push(this.value());
      if (this.is("for")) { while (!this.is(")", ",") && this.token !== undefined) this.#skipOne(); }
      if (!this.take(",") && !this.is(")")) {
        if (this.token === undefined) break;
        this.#skipOne();
      }
    }
    this.at++;
    return { positional, keywords };
  }
}

const CONSTANTS: Readonly<Record<string, PythonValue>> = { True: true, False: false, None: null };

function numberOf(text: string): PythonValue {
  const value = Number(text.replaceAll("_", ""));
  return Number.isFinite(value) ? value : { unresolved: text };
}

function member(value: PythonValue, name: string): PythonValue | undefined {
  if (isCall(value)) return value.keywords.findLast((keyword) => keyword.name === name)?.value;
  return undefined;
}

function item(value: PythonValue, key: PythonValue): PythonValue {
  if (isCall(value)) return value; // a split of a data set
  if (Array.isArray(value) && typeof key === "number") return value.at(key) ?? UNKNOWN;
  const dict = isRecord(value as Value) ? value as Record<string, PythonValue> : null;
  return dict !== null && typeof key === "string" && Object.hasOwn(dict, key) ? dict[key]! : UNKNOWN;
}
