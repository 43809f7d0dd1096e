import assert from "node:assert/strict";
import { ADAPTERS } from "../../../data/adapters/mod.ts";
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
