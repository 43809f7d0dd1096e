import assert from "node:assert/strict";
import { join } from "node:path";
import { readGoldens, withNumbers } from "../../../workflows/goldens/read.ts";

function folder(files: Record<string, string>): string {
  const path = Deno.makeTempDirSync();
  for (const [name, text] of Object.entries(files)) {
    Deno.mkdirSync(join(path, name, ".."), { recursive: true });
    Deno.writeTextFileSync(join(path, name), text);
  }
  return path;
}

Deno.test("readGoldens() reads both schemas, in a folder and in those right below it", () => {
  const path = folder({
    "b.json": '{"source": "x", "cases": [{"name": "a/0", "params": {}, "inputs": {"x": "nan"}, "outputs": {"y": 1}}]}',
    "a.json": '{"model": "m", "cases": [{"lr": 1}]}',
    "below/c.json": '{"source": "x", "cases": [{"name": "a/0", "params": null, "inputs": null, "outputs": 2}]}',
    "README.md": "no goldens",
  });
  const files = readGoldens(path);
  assert.deepEqual(files.map(({ name, cases }) => [name, cases?.length ?? null]), [["a", null], ["b", 1], ["c", 1]]);
  assert.deepEqual(files[2]!.cases, [{ name: "a/0", params: {}, inputs: {}, outputs: 2 }]);
  Deno.removeSync(path, { recursive: true });
});

Deno.test("readGoldens() names what it cannot read", () => {
  const refused: [Record<string, string>, RegExp][] = [
    [{ "README.md": "" }, /^Cannot read goldens: .* has no file NAME\.json; name the folder that holds them$/],
    [{ "a.json": "{" }, /^Cannot read .*a\.json: it is not JSON/],
    [{ "a.json": "[]" }, /^Cannot read .*a\.json: it is a list, want an object$/],
    [
      { "a.json": '{"cases": [{"name": "a", "outputs": 1}, {"name": "b"}]}' },
      /^Cannot read case 1 of .*: "b" has no outputs$/,
    ],
    [{ "a.json": '{"cases": [{"name": "a", "outputs": {}}]}' }, /^Cannot read case 0 of .*: "a" has no outputs$/],
    [
      { "a.json": '{"cases": [{"name": "a", "outputs": {"metrics": {}, "more": {"x": {}}}}]}' },
      /^Cannot read case 0 of .*: "a" has no outputs$/,
    ],
    [
      { "a.json": '{"cases": [{"name": "a", "params": [1], "outputs": 1}]}' },
      /^Cannot read case 0 of .*: "a" has params that are no object$/,
    ],
    [{ "a.json": '{"cases": [{"outputs": 1}]}' }, /^Cannot read case 0 of .*: it has no name$/],
    [{ "a.json": '{"cases": [{"name": "a", "outputs": 1}, 3]}' }, /^Cannot read case 1 of .*: it is no object$/],
  ];
  for (const [files, message] of refused) {
    const path = folder(files);
    assert.throws(() => readGoldens(path), { message });
    Deno.removeSync(path, { recursive: true });
  }
  assert.throws(() => readGoldens("/nowhere/at/all"), { message: /is no folder$/ });
});

Deno.test("withNumbers() turns the three texts into numbers and leaves all others", () => {
  const texts = { a: ["nan", "inf", ["-inf", "other", null, true, 1]], constructor: "toString" };
  assert.deepEqual(withNumbers(texts), {
    a: [NaN, Infinity, [-Infinity, "other", null, true, 1]],
    constructor: "toString",
  });
});
