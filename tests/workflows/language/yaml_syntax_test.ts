import assert from "node:assert/strict";
import { parseDocument } from "yaml";
import { keyMistake, syntaxMistakes, type TextMistake, tokensOf } from "../../../workflows/language/yaml_syntax.ts";

/** What is told of a text, and the text from the place on. */
function told(text: string): [string, string] {
  const { errors, warnings } = parseDocument(text, { prettyErrors: false, version: "1.2" });
  const [{ at, message }] = syntaxMistakes(text, [...errors, ...warnings]) as [TextMistake];
  return [message, text.slice(at).split("\n")[0]!];
}

Deno.test("syntaxMistakes() names the brace that was opened, not the line where the parser noticed", () => {
  assert.deepEqual(told("a:\n  - { b: { c: 1 }\n  - { d: 1 }\n"), ['"{" has no "}"', "{ b: { c: 1 }"]);
  assert.deepEqual(told("a: [1, [2, 3]\nb: 1\n"), ['"[" has no "]"', "[1, [2, 3]"]);
  assert.deepEqual(told("a: { b: [1, 2 }\nc: 1\n"), ['"[" has no "]"', "[1, 2 }"]);
  assert.deepEqual(told("a: { b: 1 } }\nc: 1\n"), ['"}" closes nothing; remove it', "}"]);
  assert.deepEqual(told("a: { b: 1 ] }\nc: 1\n"), ['"]" closes nothing; remove it', "] }"]);
  assert.deepEqual(told("a: 'x\nb: 1\n")[1], "'x");
});

Deno.test("syntaxMistakes() is not misled by braces in texts and comments", () => {
  assert.deepEqual(told('a: "}{" # }\nb 1\nc: 2\n'), ['"b 1" has no colon; want "key: value"', "b 1"]);
});

Deno.test("syntaxMistakes() tells a tab once, whatever follows from it", () => {
  assert.deepEqual(told("a:\n\tb: 1\n\tc: 2\n"), ["a tab in the indentation; want spaces", "\tb: 1"]);
});

Deno.test("keyMistake() knows an expression without its dollar", () => {
  assert.deepEqual(keyMistake("a: {{ b }}", 4), { at: 3, message: '"{{ b }}" is no expression, want "${{ … }}"' });
  assert.deepEqual(keyMistake("? [a]\n: 1\n", 2), { at: 2, message: "a key must be a name" });
});

Deno.test("tokensOf() covers a text without gaps", () => {
  const text = "a: [1, 'b']\n---\nc: |\n  d\n";
  for (const { token, at } of tokensOf(text)) assert(text.startsWith(token, at), token);
  assert.equal([...tokensOf(text)].map(({ token }) => token).join(""), text);
});
