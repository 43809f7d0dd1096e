import assert from "node:assert/strict";
import { among, benchArguments, numbers } from "./arguments.ts";

const DEFAULTS = { only: "", steps: "8", json: false, model: [] as readonly string[] };

Deno.test("benchArguments() has the defaults and what is given instead", () => {
  assert.deepEqual(benchArguments([], DEFAULTS), { ...DEFAULTS, words: [] });
  const args = ["--", "--steps", "3", "--json", "--model", "a", "--model", "b"];
  assert.deepEqual(benchArguments(args, DEFAULTS), {
    ...DEFAULTS,
    steps: "3",
    json: true,
    model: ["a", "b"],
    words: [],
  });
});

Deno.test("benchArguments() refuses unknown options, missing values, words that it does not take", () => {
  assert.throws(() => benchArguments(["--onyl", "x"], DEFAULTS), /unknown option "--onyl"; did you mean "--only"\?/);
  assert.throws(() => benchArguments(["--only"], DEFAULTS), /--only wants a value/);
  assert.throws(() => benchArguments(["nan_weight"], DEFAULTS), /it got 1 word, want none/);
  assert.deepEqual(benchArguments(["nan_weight"], DEFAULTS, [0, Infinity]).words, ["nan_weight"]);
});

Deno.test("among() and numbers() refuse what is none", () => {
  assert.deepEqual(among("--only", "b,a", ["a", "b"]), ["b", "a"]);
  assert.throws(() => among("--only", "a,c", ["a", "b"]), /Cannot read --only: it has "c", want a \| b/);
  assert.deepEqual(numbers("--seeds", "1,2e-3"), [1, 2e-3]);
  for (const wrong of ["", "1,", "x"]) assert.throws(() => numbers("--seeds", wrong), /Cannot read --seeds/);
});

Deno.test("every benchmark reads its options in the one place that refuses others", () => {
  const folder = new URL("./", import.meta.url);
  for (const { name } of Deno.readDirSync(folder)) {
    if (!name.endsWith(".ts") || name.endsWith("_test.ts") || name.startsWith("arguments")) continue;
    const source = Deno.readTextFileSync(new URL(name, folder));
    if (!source.includes("import.meta.main")) continue;
    assert.match(source, /typed\(|options\(/, name);
    assert.doesNotMatch(source, /Deno\.args\.(indexOf|includes)|Deno\.args\[|node:util/, name);
  }
});
