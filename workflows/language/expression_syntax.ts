/** Reads expressions: look-ups inside `${{ }}`, and the one comparison that `if` and `until` may hold. @module */
import { didYouMean } from "../../data/did_you_mean.ts";

/** One look-up: `params.NAME`, `matrix.NAME`, `steps.ID.outputs.NAME`, `run.NAME`. */
export interface LookUp {
  readonly root: "params" | "matrix" | "steps" | "run";
  /** The step's id when the root is `steps`, else "". */
  readonly id: string;
  readonly name: string;
  /** As written, for messages. */
  readonly text: string;
  /** Characters from the start of the text it stands in. */
  readonly offset: number;
}

export type Operator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** What `if` and `until` hold. */
export type Condition =
  | { readonly kind: "always" }
  | { readonly kind: "failure" }
  | { readonly kind: "constant"; readonly value: boolean }
  | { readonly kind: "look_up"; readonly lookUp: LookUp }
  | {
    readonly kind: "comparison";
    readonly lookUp: LookUp;
    readonly operator: Operator;
    readonly literal: Literal;
  };

/** An expression that cannot be read or found; `offset` counts characters into the text it stands in. */
export class ExpressionError extends SyntaxError {
  override readonly name = "ExpressionError";
  constructor(message: string, readonly offset: number) {
    super(message);
  }
}

const ROOTS = ["params", "matrix", "steps", "run"] as const;

const KINDS = {
  word: /[A-Za-z_][\w.-]*(?:\(\))?/,
  number: /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/,
  text: /'[^']*'|"[^"]*"/,
  operator: /==|!=|<=|>=|<|>/,
  other: /\S/,
} as const;

const TOKEN = new RegExp(
  `\\s*(?:${Object.entries(KINDS).map(([kind, { source }]) => `(?<${kind}>${source})`).join("|")})`,
  "gy",
);

interface Token {
  readonly kind: keyof typeof KINDS;
  readonly text: string;
  readonly offset: number;
}

function tokenize(text: string, start: number): Token[] {
  return Array.from(text.matchAll(TOKEN), ({ groups, index, 0: all }) => {
    const [kind, token] = Object.entries(groups!).find(([, found]) => found !== undefined)!;
    return { kind: kind as Token["kind"], text: token, offset: start + index + all.length - token.length };
  });
}

function toLookUp(token: Token | undefined, end: number): LookUp {
  if (token === undefined) {
    throw new ExpressionError("the expression is empty, want a look-up such as params.NAME", end);
  }
  const { text, offset } = token;
  const parts = text.split(".");
  const [root] = parts;
  if (token.kind !== "word" || text.endsWith("()")) {
    throw new ExpressionError(
      `"${text}" is no look-up, want ${ROOTS.join(", ")} with a name, such as params.NAME`,
      offset,
    );
  }
  if (root === "steps") {
    if (parts.length !== 4 || parts[2] !== "outputs" || parts.includes("")) {
      throw new ExpressionError(`"${text}" is no look-up of a step, want steps.ID.outputs.NAME`, offset);
    }
    return { root, id: parts[1]!, name: parts[3]!, text, offset };
  }
  if (root !== "params" && root !== "matrix" && root !== "run") {
    throw new ExpressionError(`unknown "${root}" in an expression${didYouMean(root!, ROOTS)}`, offset);
  }
  if (parts.length !== 2 || parts[1] === "") {
    throw new ExpressionError(`"${text}" is no look-up, want ${root}.NAME`, offset);
  }
  return { root, id: "", name: parts[1]!, text, offset };
}

function noMore(token: Token | undefined): void {
  if (token === undefined) return;
  throw new ExpressionError(
    `unexpected "${token.text}": an expression is one look-up (in "if" and "until" also one comparison with a literal)`,
    token.offset,
  );
}

/** Splits a text into plain parts and look-ups. Throws ExpressionError. */
export function parseTemplate(text: string): (string | LookUp)[] {
  const parts: (string | LookUp)[] = [];
  let from = 0;
  for (let open = text.indexOf("${{"); open !== -1; open = text.indexOf("${{", from)) {
    const close = text.indexOf("}}", open);
    if (close === -1) throw new ExpressionError('"${{" without "}}"', open);
    if (open > from) parts.push(text.slice(from, open));
    const [first, ...rest] = tokenize(text.slice(open + 3, close), open + 3);
    if (rest[0]?.kind === "operator") {
      throw new ExpressionError('a comparison is allowed in "if" and "until" only', rest[0].offset);
    }
    const lookUp = toLookUp(first, open);
    noMore(rest[0]);
    parts.push(lookUp);
    from = close + 2;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

type Literal = number | string | boolean | null;

const CONSTANTS: Readonly<Record<string, Literal>> = { true: true, false: false, null: null };

function toLiteral(token: Token | undefined, operator: Token): Literal {
  if (token?.kind === "number") return Number(token.text);
  if (token?.kind === "text") return token.text.slice(1, -1);
  if (token?.kind === "word" && Object.hasOwn(CONSTANTS, token.text)) return CONSTANTS[token.text]!;
  const offset = token?.offset ?? operator.offset;
  if (token?.kind === "word" && ROOTS.some((root) => token.text.startsWith(`${root}.`))) {
    throw new ExpressionError(`"${token.text}" is a look-up, want a literal: a comparison has one look-up`, offset);
  }
  const found = token === undefined ? "nothing" : `"${token.text}"`;
  throw new ExpressionError(
    `${found} after "${operator.text}", want a literal: a number, a text in quotes, true, false or null`,
    offset,
  );
}

/** Reads what `if` or `until` holds, with or without `${{ }}`. Throws ExpressionError. */
export function parseCondition(text: string | boolean): Condition {
  if (typeof text === "boolean") return { kind: "constant", value: text };
  const wrapped = /^(\s*\$\{\{)([^]*?)\}\}\s*$/.exec(text);
  if (wrapped === null && text.includes("${{")) {
    throw new ExpressionError(
      'want the whole condition inside one "${{ }}", or no "${{ }}" at all',
      text.indexOf("${{"),
    );
  }
  const start = wrapped?.[1]?.length ?? 0;
  const tokens = tokenize(wrapped?.[2] ?? text, start);
  return readWord(tokens) ?? readComparison(tokens, start);
}

/** Conditions that are one word and no look-up. */
const WORDS: Readonly<Record<string, Condition>> = {
  "always()": { kind: "always" },
  "failure()": { kind: "failure" },
  true: { kind: "constant", value: true },
  false: { kind: "constant", value: false },
};

function readWord([first, second]: readonly Token[]): Condition | null {
  if (first?.kind !== "word") return null;
  if (Object.hasOwn(WORDS, first.text)) {
    noMore(second);
    return WORDS[first.text]!;
  }
  if (!first.text.endsWith("()")) return null;
  const known = didYouMean(first.text, ["always()", "failure()"]);
  throw new ExpressionError(`unknown function "${first.text}"${known}`, first.offset);
}

/** A look-up, or one compared with a literal. */
function readComparison([first, operator, literal, ...rest]: readonly Token[], start: number): Condition {
  if ((first?.kind === "number" || first?.kind === "text") && operator?.kind === "operator") {
    throw new ExpressionError(`"${first.text}" stands first: write the look-up first, then the literal`, first.offset);
  }
  const lookUp = toLookUp(first, start);
  if (operator === undefined) return { kind: "look_up", lookUp };
  if (operator.kind !== "operator") {
    const hint = operator.text === "=" ? '; equality is "=="' : "";
    const message = `"${operator.text}" is no comparison, want ==, !=, <, <=, > or >=${hint}`;
    throw new ExpressionError(message, operator.offset);
  }
  const value = toLiteral(literal, operator);
  noMore(rest[0]);
  if (!/^[=!]=$/.test(operator.text) && typeof value !== "number") {
    const message = `"${operator.text}" compares numbers, but ${JSON.stringify(value)} is none`;
    throw new ExpressionError(message, literal!.offset);
  }
  return { kind: "comparison", lookUp, operator: operator.text as Operator, literal: value };
}
