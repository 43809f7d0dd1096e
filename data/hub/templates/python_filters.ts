/** Filters of a chat template that choose from a list, as jinja2 has them: what is not there is a value too. @module */
import { isNumber, kind, listOf, type Value, valueOf, written } from "./python_values.ts";

/** Filters that choose items by a test, of the item itself or of an attribute. */
export const CHOOSING: readonly string[] = ["select", "reject", "selectattr", "rejectattr"];

/** Filters that take the items of a text: its characters. */
export const OF_ITEMS: readonly string[] = [...CHOOSING, "list", "first", "last", "map", "unique"];

/** Filters that take a value as Python's str writes it. */
export const OF_TEXTS: readonly string[] = ["trim", "upper", "lower", "title", "capitalize", "replace"];

/** What can be gone through: a list, the keys of a dict, a text's characters, nothing of what is not there; null for others. */
export function itemsOf(value: Value): Value[] | null {
  switch (value.type) {
    case "ArrayValue":
    case "TupleValue":
      return value.value as Value[];
    case "ObjectValue":
      return [...(value.value as ReadonlyMap<string, Value>).keys()].map(valueOf);
    case "StringValue":
      return Array.from(value.value as string, valueOf);
    case "UndefinedValue":
      return [];
  }
  return null;
}

type Test = (value: Value, ...values: readonly Value[]) => boolean;

const isTrue: Test = (value) => (value as unknown as { __bool__(): { value: boolean } }).__bool__().value;

/** One of CHOOSING with its arguments: an attribute where it is of one, a test, what it compares with. */
export function chosen(
  name: string,
  items: readonly Value[],
  given: readonly Value[],
  tests: ReadonlyMap<string, Test>,
): Value {
  const path = name.endsWith("attr") ? given[0] : undefined;
  if (name.endsWith("attr") && path?.type !== "StringValue") {
    throw new TypeError(`${name} wants the name of an attribute`);
  }
  const [word, ...values] = path === undefined ? given : given.slice(1);
  const test = word === undefined ? isTrue : tests.get(String(word.value));
  if (test === undefined) throw new TypeError(`${name} knows no test "${word!.value}"`);
  const keeps = name.startsWith("select");
  const subject = (item: Value) => path === undefined ? item : attributeOf(item, String(path.value));
  return listOf(items.filter((item) => test(subject(item), ...values) === keeps));
}

/** `a.b` of a value; what has none has an undefined one. */
function attributeOf(value: Value, path: string): Value {
  return path.split(".").reduce((inner, name) => {
    refuseUndefined(inner, name);
    return inner.value instanceof Map
      ? (inner.value as Map<string, Value>).get(name) ?? valueOf(undefined)
      : valueOf(undefined);
  }, value);
}

/** jinja2 throws where something is looked up in what is not there. */
export function refuseUndefined(value: Value, name: string): void {
  if (value.type === "UndefinedValue") throw new TypeError(`it looks for "${name}" in what is not defined`);
}

/** Python's islower and isupper of what a value is written as. */
export const hasCase = (text: string, to: "toLowerCase" | "toUpperCase") =>
  text === text[to]() && text.toLowerCase() !== text.toUpperCase();

/** The first of equal items, texts by their small letters. Throws a TypeError for what Python has no hash of. */
export function uniqueItems(items: readonly Value[]): Value {
  const found = new Map<string, Value>();
  for (const item of items) {
    if (["ArrayValue", "ObjectValue", "NamespaceValue"].includes(item.type)) {
      throw new TypeError(`unique is given a ${kind(item)}, want texts or numbers`);
    }
    const key = isNumber(item) ? `number ${Number(item.value)}` : `${item.type} ${written(item).toLowerCase()}`;
    if (!found.has(key)) found.set(key, item);
  }
  return listOf([...found.values()]);
}

/** Python's `in` of a loop: throws for what cannot be gone through. */
export function loopItems(value: Value): Value {
  const items = itemsOf(value);
  if (items === null) throw new TypeError(`it goes through a ${kind(value)}, want a list, a text or a dict`);
  return listOf(items);
}
