/** The filters themselves are held beside jinja2 by the goldens of python_jinja_test.ts. */
import assert from "node:assert/strict";
import {
  CHOOSING,
  chosen,
  hasCase,
  itemsOf,
  loopItems,
  OF_ITEMS,
  OF_TEXTS,
  refuseUndefined,
  uniqueItems,
} from "../../../../data/hub/templates/python_filters.ts";
import { type Value, valueOf, written } from "../../../../data/hub/templates/python_values.ts";

const items = (value: unknown) => itemsOf(valueOf(value))?.map(written) ?? null;

Deno.test("itemsOf() goes through lists, texts by character, keys of dicts, and nothing where nothing is there", () => {
  assert.deepEqual([items([1, null]), items("a😀"), items({ k: 1 }), items(undefined), items(1), items(null)], [
    ["1", "None"],
    ["a", "😀"],
    ["k"],
    [],
    null,
    null,
  ]);
  assert.equal(written(loopItems(valueOf("ab"))), "['a', 'b']");
  assert.throws(() => loopItems(valueOf(1)), /it goes through a integer, want a list, a text or a dict/);
});

Deno.test("chosen() takes items by a test of an attribute, also of one that is not there", () => {
  const list = itemsOf(valueOf([{ a: 1 }, { b: 2 }]))!,
    tests = new Map([["undefined", ({ type }: Value) => type === "UndefinedValue"]]);
  const by = (name: string, ...given: string[]) => written(chosen(name, list, given.map(valueOf), tests));
  assert.deepEqual(
    [
      by("selectattr", "a"),
      by("rejectattr", "a"),
      by("selectattr", "a", "undefined"),
      by("rejectattr", "a", "undefined"),
    ],
    ["[{'a': 1}]", "[{'b': 2}]", "[{'b': 2}]", "[{'a': 1}]"],
  );
  assert.throws(() => by("selectattr", "a", "no"), /selectattr knows no test "no"/);
  assert.throws(() => by("selectattr", "c.d"), /it looks for "d" in what is not defined/);
  assert(CHOOSING.every((name) => OF_ITEMS.includes(name) && !OF_TEXTS.includes(name)));
});

Deno.test("uniqueItems() takes texts by their small letters and numbers by their worth", () => {
  assert.equal(written(uniqueItems(itemsOf(valueOf(["a", "A", 1, true, 2, null]))!)), "['a', 1, 2, None]");
  assert.throws(() => uniqueItems(itemsOf(valueOf([[1]]))!), /unique is given a array/);
});

Deno.test("refuseUndefined() throws as jinja2 does; hasCase() is Python's islower and isupper", () => {
  assert.throws(() => refuseUndefined(valueOf(undefined), "x"), /it looks for "x" in what is not defined/);
  refuseUndefined(valueOf(null), "x");
  assert.deepEqual(
    ["ab1", "", "1", "Ab"].map((text) => hasCase(text, "toLowerCase")),
    [true, false, false, false],
  );
  assert.deepEqual(["AB1", "é"].map((text) => hasCase(text, "toUpperCase")), [true, false]);
});
