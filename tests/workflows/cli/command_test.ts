import assert from "node:assert/strict";
import { defineCommand, helpText, readArguments, UsageError } from "../../../workflows/cli/command.ts";

const COMMAND = defineCommand({
  name: "bake",
  about: "Bake bread",
  usage: "FLOUR [options]",
  words: [1, 2],
  options: {
    heat: { about: "how hot", value: "DEGREES", short: "t" },
    kind: { about: "which", value: "KIND", choices: ["rye", "wheat"] },
    add: { about: "more", value: "WHAT", multiple: true },
    slow: { about: "no hurry" },
  },
  run: () => Promise.resolve(0),
});

Deno.test("readArguments() reads words, values, repeated values and switches", () => {
  const { words, values } = readArguments(COMMAND, ["spelt", "-t", "200", "--add", "a", "--add=b", "--slow"]);
  assert.deepEqual(words, ["spelt"]);
  assert.deepEqual({ ...values }, { heat: "200", add: ["a", "b"], slow: true });
});

const REFUSED: readonly (readonly [args: string[], message: RegExp])[] = [
  [["spelt", "--haet", "1"], /unknown option "--haet"; did you mean "heat"\?/],
  [["spelt", "--kind", "corn"], /Cannot read --kind: it is "corn", want rye \| wheat/],
  [["spelt", "--heat"], /--heat/],
  [[], /it got 0 words, want 1 to 2; usage: bake FLOUR/],
  [["a", "b", "c"], /it got 3 words, want 1 to 2/],
];
for (const [args, message] of REFUSED) {
  Deno.test(`readArguments() refuses ${JSON.stringify(args)}`, () => {
    assert.throws(() => readArguments(COMMAND, args), (error) => {
      assert(error instanceof UsageError);
      assert.match(error.message, message);
      assert(!error.message.includes("\n"));
      return true;
    });
  });
}

Deno.test("helpText() names every option with its value and choices", () => {
  const text = helpText(COMMAND);
  assert.match(text, /Usage: deno task bake FLOUR/);
  assert.match(text, /-t, --heat DEGREES {2,}how hot/);
  assert.match(text, /--kind KIND {2,}which: rye \| wheat/);
  assert.match(text, /-h, --help/);
});
