import assert from "node:assert/strict";
import { ADAPTERS } from "../../../data/adapters/mod.ts";
import { Intake } from "../../../data/adapters/intake/intake.ts";
import { LINE_FORMATS } from "../../../data/adapters/lines/mod.ts";

const SUPPORT = {
  adapters: new Set(["mod", "adapter", "live_run", "read_run", "read_sources"]),
  "adapters/lines": new Set(["mod", "line_format"]),
};

async function files(folder: keyof typeof SUPPORT): Promise<string[]> {
  const entries = await Array.fromAsync(Deno.readDir(new URL(`../../../data/${folder}/`, import.meta.url)));
  return entries.filter(({ isFile }) => isFile).map(({ name }) => name.slice(0, -3)).filter((name) =>
    !SUPPORT[folder].has(name)
  );
}

Deno.test("ADAPTERS and LINE_FORMATS list every file of their folders, each with a sentence", async () => {
  assert.deepEqual(Object.keys(ADAPTERS).sort(), (await files("adapters")).sort());
  assert.deepEqual(Object.keys(LINE_FORMATS).sort(), (await files("adapters/lines")).sort());
  for (const { about } of [...Object.values(ADAPTERS), ...Object.values(LINE_FORMATS)]) assert(about.length > 20);
});

/** Lines of every case, and the same with what is not there in most of them. */
async function caseLines(): Promise<string[]> {
  const cases = new URL("../../cases/", import.meta.url), lines: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(cases)) {
    if (!isDirectory) continue;
    for await (const file of Deno.readDir(new URL(`${name}/`, cases))) {
      if (!/\.(?:log|txt|md|jsonl)$/.test(file.name)) continue;
      const text = await Deno.readTextFile(new URL(`${name}/${file.name}`, cases));
      lines.push(...text.split(/[\r\n]/).slice(0, 60));
    }
  }
  return lines.flatMap((line) => [line, line.toUpperCase(), line.replaceAll("{", "")]);
}

Deno.test("LINE_FORMATS name words without which no line is theirs, nor opens anything", async () => {
  const lines = await caseLines(), taken = new Set<string>();
  for (const [name, format] of Object.entries(LINE_FORMATS)) {
    const words = format.words.map((word) => word.toLowerCase());
    for (const text of lines) {
      const intake = new Intake();
      intake.openSource("a.log", "console", 0);
      const reader = format.open(intake), isTaken = reader.line({ text, number: 1, ended: true }, false);
      if (!isTaken && reader.isOpen !== true) continue;
      taken.add(name);
      // deno-lint-ignore no-control-regex
      const isForeign = /[^\x00-\x7f]/.test(text) && words.some((word) => /[^\x00-\x7f]/.test(word));
      assert(isForeign || words.some((word) => text.toLowerCase().includes(word)), `${name} takes "${text}"`);
    }
  }
  assert(taken.size > Object.keys(LINE_FORMATS).length / 2, [...taken].join(", "));
});
