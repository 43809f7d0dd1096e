/** What Python makes of operators and of the few calls that configurations use; other calls stay records. @module */
import type { Unresolved, Value } from "./written.ts";

/** A call: its name as written, positional values, keywords with their lines. */
export interface Call {
  readonly call: string;
  readonly positional: readonly PythonValue[];
  readonly keywords: readonly Keyword[];
  readonly line: number;
}

export interface Keyword {
  readonly name: string;
  readonly value: PythonValue;
  readonly line: number;
}

export type PythonValue = Value | Call | readonly PythonValue[] | { readonly [key: string]: PythonValue };

export function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "call") &&
    Object.hasOwn(value, "keywords");
}

/** What is not known; whoever reads the expression puts its text in. */
export const UNKNOWN: Unresolved = { unresolved: "?" };

const ARITHMETIC: Readonly<Record<string, (left: number, right: number) => number>> = {
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
  "//": (left, right) => Math.floor(left / right),
  "%": (left, right) => left - right * Math.floor(left / right),
  "**": (left, right) => left ** right,
};

const LONGEST = 10_000; // Letters of a text, members of a list.

/** What an operator makes of two values. */
export function combined(operator: string, left: PythonValue, right: PythonValue): PythonValue {
  if (operator === "+" && typeof left === "string" && typeof right === "string") {
    return left.length + right.length <= LONGEST ? left + right : UNKNOWN;
  }
  if (operator === "+" && Array.isArray(left) && Array.isArray(right)) {
    return left.length + right.length <= LONGEST ? [...left, ...right] : UNKNOWN;
  }
  if (operator === "*" && Array.isArray(left) && typeof right === "number" && left.length * right <= 1000) {
    return Array.from({ length: Math.max(0, right) }, () => left).flat() as PythonValue;
  }
  if (typeof left !== "number" || typeof right !== "number") return UNKNOWN;
  const value = ARITHMETIC[operator]?.(left, right);
  return value !== undefined && Number.isFinite(value) ? value : UNKNOWN;
}

/** Calls whose value is plain: `dict(a=1)`, `float("1e-6")`, `os.environ.get("A", "b")`; others stay calls. */
export function evaluated(call: Call): PythonValue {
  const [first, second] = call.positional;
  switch (call.call) {
    case "dict":
      return Object.fromEntries(call.keywords.map(({ name, value }) => [name, value]));
    case "list":
    case "tuple":
      return Array.isArray(first) ? first : UNKNOWN;
    case "int":
    case "float": {
      const number = typeof first === "string" ? Number(first.replaceAll("_", "")) : first;
      return typeof number === "number" && Number.isFinite(number)
        ? call.call === "int" ? Math.trunc(number) : number
        : UNKNOWN;
    }
    case "str":
      return typeof first === "string" || typeof first === "number" ? String(first) : UNKNOWN;
    case "bool":
      return typeof first === "boolean" ? first : UNKNOWN;
    case "os.environ.get":
    case "os.getenv":
    case "environ.get":
    case "getenv":
      return second ?? UNKNOWN;
    case "max":
    case "min":
    case "round":
    case "abs":
      return call.positional.every((value) => typeof value === "number") && call.positional.length > 0
        ? Math[call.call](...call.positional as [number])
        : UNKNOWN;
    case "len":
      return Array.isArray(first) ? first.length : UNKNOWN;
    case "os.path.join":
      return call.positional.every((value) => typeof value === "string") ? call.positional.join("/") : UNKNOWN;
    default:
      return call;
  }
}
