import assert from "node:assert/strict";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";
import { readArguments } from "../../../workflows/cli/read_arguments.ts";
import { BREAD, PASSING } from "./bread.ts";

Deno.test("readArguments() reads words, values, repeated values and switches", () => {
  const { words, values } = readArguments(BREAD, ["spelt", "-t", "200", "--add", "a", "--add=b", "--slow"]);
  assert.deepEqual(words, ["spelt"]);
  assert.deepEqual({ ...values }, { heat: "200", add: ["a", "b"], slow: true });
});

Deno.test("readArguments() takes a negative number as a value, also what begins like one", () => {
  for (const args of [["--heat", "-5"], ["-t", "-5"], ["--heat=-5"], ["-t-5"]]) {
    assert.equal(readArguments(BREAD, ["spelt", ...args]).values["heat"], "-5");
  }
  assert.deepEqual(readArguments(BREAD, ["spelt", "--add", "-3+5="]).values["add"], ["-3+5="]);
  assert.deepEqual(readArguments(BREAD, ["--", "--add", "-5"]).words, ["--add", "-5"]);
});

Deno.test("readArguments() counts no words where only the help or the version is asked for", () => {
  assert(readArguments(BREAD, ["--help"]).values["help"]);
  assert(readArguments(BREAD, ["a", "b", "c", "-h"]).values["help"]);
  assert(readArguments(BREAD, ["--version"]).values["version"]);
});

Deno.test("readArguments() leaves all but the help to the program that a command passes it on to", () => {
  assert.deepEqual(readArguments(PASSING, ["--filter", "x"]).words, ["--filter", "x"]);
  assert.deepEqual(readArguments(PASSING, ["a", "--", "--help"]).words, ["a", "--help"]);
  assert(readArguments(PASSING, ["a", "--help"]).values["help"]);
  assert.throws(() => readArguments(PASSING, ["a", "b", "c"]), /it got 3 words/);
});

const REFUSED: readonly (readonly [args: string[], message: RegExp])[] = [
  [["spelt", "--haet", "1"], /unknown option "--haet"; did you mean "--heat"\?/],
  [["spelt", "-x"], /unknown option "-x"; known: -t, -s, -h$/],
  [["spelt", "--kind", "corn"], /Cannot read --kind: it is "corn", want rye \| wheat/],
  [["spelt", "--heat"], /--heat wants a value: --heat DEGREES$/],
  [["spelt", "-t"], /--heat wants a value: --heat DEGREES$/],
  [["spelt", "--heat", "--slow"], /--heat wants a value: --heat DEGREES$/],
  [["spelt", "-t", "--slow"], /--heat wants a value: --heat DEGREES$/],
  [["spelt", "--heat="], /--heat wants a value: --heat DEGREES$/],
  [["spelt", "--slow=yes"], /--slow is a switch and takes no value$/],
  [["spelt", "--heat", "1", "-t", "2"], /--heat is given twice$/],
  [[], /^Cannot run "bake": no flour given; usage: bake FLOUR/],
  [["a", "b", "c"], /it got 3 words, want 1 to 2/],
];
for (const [args, message] of REFUSED) {
  Deno.test(`readArguments() refuses ${JSON.stringify(args)}`, () => {
    assert.throws(() => readArguments(BREAD, args), (error) => {
      assert(error instanceof UsageError);
      assert.match(error.message, message);
      assert(!error.message.includes("\n"));
      return true;
    });
  });
}
