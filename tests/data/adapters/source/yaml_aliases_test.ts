import assert from "node:assert/strict";
import { parseDocument } from "yaml";
import { yamlAliases } from "../../../../data/adapters/source/yaml_aliases.ts";

const aliasesOf = (text: string) => yamlAliases(parseDocument(text, { uniqueKeys: false }));

/** Each level holds the one above nine times. */
const bomb = (leaf: string) =>
  [..."bcdefghijk"].reduce(
    (text, name, i) => `${text}${name}: &${name} [${Array(9).fill("*" + "abcdefghij"[i]).join(",")}]\n`,
    `a: &a ${leaf}\n`,
  );

Deno.test("yamlAliases() gives each alias the last anchor of its name before it", () => {
  const { targets, refused } = aliasesOf("a: &x 1\nb: *x\nc: &x 2\nd: [*x, {e: *x}]\n");
  assert.equal(refused, null);
  assert.deepEqual([...targets.values()].map((node) => (node as { value?: unknown }).value), [1, 2, 2]);
  assert.equal(aliasesOf("a: *nowhere\n").targets.size, 0);
});

Deno.test("yamlAliases() refuses an alias inside its own anchor, in lists, maps, merges and through others", () => {
  for (
    const text of ["a: &a [*a,*a]\n", "a: &a {b: {c: *a}}\n", "a: &a {<<: *a, b: 1}\n", "a: &a [&b [*a], *b]\n"]
  ) assert.match(aliasesOf(text).refused!.why, /^alias "\*a" stands inside "&a" itself$/, text);
});

Deno.test("yamlAliases() refuses what would grow without end, empty values too, and no long list of aliases", () => {
  for (const leaf of ["x", "[]", "{}", "[x,x,x,x,x,x,x,x,x]"]) {
    assert.match(aliasesOf(bomb(leaf)).refused!.why, /aliases stand for more than/, leaf);
  }
  assert.equal(aliasesOf(`a: &a {b: 1}\nc: [${Array(2000).fill("*a").join(",")}]\n`).refused, null);
});
