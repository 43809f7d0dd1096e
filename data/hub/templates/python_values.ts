/** Values of a chat template as Python has them: what they are equal to, and how str, repr and json.dumps write them. @module */
import { Environment } from "@huggingface/jinja";

/** A value of the interpreter, as far as it is looked at. */
export interface Value {
  readonly type: string;
  readonly value: unknown;
  readonly builtins: ReadonlyMap<string, Value>;
  toString(): string;
}

/** A value of JavaScript as one of the interpreter; only an environment makes one. */
export const valueOf = (value: unknown) => new Environment().set("value", value) as unknown as Value;

/** A list of values. */
export function listOf(items: readonly Value[]): Value {
  const list = valueOf([]), own = list.value as Value[];
  for (const item of items) own.push(item);
  return list;
}

/** A float, also where it is whole. */
export function floatValue(value: number): Value {
  const fraction = valueOf(0.5);
  return Object.assign(Object.create(Object.getPrototypeOf(fraction)), fraction, { value });
}

export const isNumber = ({ type }: Value) => ["IntegerValue", "FloatValue", "BooleanValue"].includes(type);

/** Python's `==`: numbers and truth values by what they are worth, lists and dicts by what they hold, else by type. */
export function equal(a: Value, b: Value): boolean {
  if (isNumber(a) && isNumber(b)) return Number(a.value) === Number(b.value);
  const types = [a.type, b.type];
  if (types.includes("TupleValue") && types.includes("ArrayValue")) {
    throw new TypeError("it compares a list with a tuple, want both lists or both tuples");
  }
  if (a.type !== b.type) return false;
  switch (a.type) {
    case "NullValue":
    case "UndefinedValue":
      return true;
    case "ArrayValue":
    case "TupleValue": {
      const [left, right] = [a.value as Value[], b.value as Value[]];
      return left.length === right.length && left.every((item, i) => equal(item, right[i]!));
    }
    case "ObjectValue": {
      const [left, right] = [a.value as Map<string, Value>, b.value as Map<string, Value>];
      return left.size === right.size &&
        [...left].every(([key, item]) => right.has(key) && equal(item, right.get(key)!));
    }
  }
  return a.value === b.value;
}

/** Python's `in`. */
export function contains(whole: Value, part: Value): boolean {
  switch (whole.type) {
    case "UndefinedValue":
      return false;
    case "ArrayValue":
    case "TupleValue":
      return (whole.value as Value[]).some((item) => equal(item, part));
    case "StringValue":
      if (part.type === "StringValue") return String(whole.value).includes(String(part.value));
      break;
    case "ObjectValue":
      if (["ArrayValue", "ObjectValue"].includes(part.type)) break;
      return part.type === "StringValue" && (whole.value as Map<string, Value>).has(String(part.value));
  }
  throw new TypeError(`it looks for a ${kind(part)} in a ${kind(whole)}, want what can hold it`);
}

export const kind = ({ type }: Value) => type.replace("Value", "").toLowerCase();

/** Python's str of a value. */
export function written(value: Value): string {
  switch (value.type) {
    case "BooleanValue":
      return value.value ? "True" : "False";
    case "NullValue":
      return "None";
    case "UndefinedValue":
      return "";
    case "IntegerValue":
      return integerText(value.value as number);
    case "FloatValue":
      return floatText(value.value as number);
    case "ArrayValue":
      return `[${(value.value as Value[]).map(quoted).join(", ")}]`;
    case "TupleValue": {
      const items = (value.value as Value[]).map(quoted);
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
    }
    case "ObjectValue":
      return dictText(value);
    case "NamespaceValue":
      return `<Namespace ${dictText(value)}>`;
  }
  return value.toString();
}

const dictText = ({ value }: Value) =>
  `{${[...value as Map<string, Value>].map(([key, item]) => `${quotedText(key)}: ${quoted(item)}`).join(", ")}}`;

/** Python's repr. */
const quoted = (value: Value) =>
  value.type === "StringValue"
    ? quotedText(String(value.value))
    : value.type === "UndefinedValue"
    ? "Undefined"
    : written(value);

function quotedText(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
  return quote + (quote === "'" ? inner.replaceAll("'", "\\'") : inner) + quote;
}

/** Digits of a whole number. Throws RangeError beyond 2^53, where JavaScript has lost some. */
export function integerText(value: number): string {
  if (Object.is(value, -0)) return "-0.0"; // No integer of Python: a float's.
  if (Number.isSafeInteger(value)) return String(value);
  throw new RangeError(`the number ${value} is beyond 2^53, and its last digits are not known, want it as a text`);
}

/** Python's repr of a float: the shortest digits, a point, exponents of two digits from 1e16 and below 1e-4. */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [digits, power] = value.toExponential().split("e") as [string, string], size = Number(power);
  if (size < -4 || size >= 16) {
    return `${digits}e${size < 0 ? "-" : "+"}${String(Math.abs(size)).padStart(2, "0")}`;
  }
  const text = size < 0 ? value.toFixed(Math.max(0, digits.replace(/[-.]/g, "").length - 1 - size)) : String(value);
  return text.includes(".") ? text : `${text}.0`;
}

interface JsonStyle {
  readonly indent: number | null;
  readonly ascii: boolean;
  readonly sorted: boolean;
  readonly separators: readonly [item: string, key: string];
}

/** Python's json.dumps. */
export function jsonText(value: Value, style: JsonStyle, depth = 0): string {
  const text = (string: string) => {
    const json = JSON.stringify(string);
    return style.ascii
      ? json.replaceAll(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      : json;
  };
  const line = (level: number) => style.indent === null ? "" : `\n${" ".repeat(style.indent * level)}`;
  const list = (open: string, items: readonly string[], close: string) =>
    items.length === 0
      ? open + close
      : open + line(depth + 1) + items.join(style.separators[0] + line(depth + 1)) + line(depth) + close;
  switch (value.type) {
    case "NullValue":
      return "null";
    case "BooleanValue":
      return String(value.value);
    case "IntegerValue":
      return integerText(value.value as number);
    case "FloatValue":
      return floatText(value.value as number).replace("nan", "NaN").replace("inf", "Infinity");
    case "StringValue":
      return text(String(value.value));
    case "ArrayValue":
    case "TupleValue":
      return list("[", (value.value as Value[]).map((item) => jsonText(item, style, depth + 1)), "]");
    case "ObjectValue": {
      const entries = [...value.value as Map<string, Value>];
      if (style.sorted) entries.sort(([a], [b]) => byCodePoints(a, b));
      const items = entries.map(([key, item]) => text(key) + style.separators[1] + jsonText(item, style, depth + 1));
      return list("{", items, "}");
    }
  }
  throw new TypeError(`it writes a ${kind(value)} value as JSON, which has none`);
}

/** The order of Python's texts. */
function byCodePoints(a: string, b: string): number {
  const [left, right] = [Array.from(a, (c) => c.codePointAt(0)!), Array.from(b, (c) => c.codePointAt(0)!)];
  const at = left.findIndex((code, i) => code !== right[i]);
  return at < 0 ? left.length - right.length : at >= right.length ? 1 : left[at]! - right[at]!;
}
