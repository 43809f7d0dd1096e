/** The layout's own rules: import directions, small files. */
import assert from "node:assert/strict";

const ROOT = new URL("../", import.meta.url);

/** What each folder may import, besides itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  gpu: [],
  data: [],
  notebooks: ["data"],
  steps: ["gpu", "data", "notebooks"],
  workflows: ["steps", "gpu", "notebooks", "data"],
};

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(folder, ROOT))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) yield* sources(path);
    else if (entry.name.endsWith(".ts")) yield path;
  }
}

for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
  Deno.test(`${folder}/ imports only ${["itself", ...allowed].join(", ")}`, async () => {
    for await (const path of sources(folder)) {
      const text = await Deno.readTextFile(new URL(path, ROOT));
      for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?"(\.{1,2}\/[^"]+)"/g)) {
        const target = new URL(specifier!, new URL(path, ROOT)).href.slice(ROOT.href.length).split("/")[0]!;
        assert(
          target === folder || allowed.includes(target),
          `Cannot import "${specifier}" in ${path}: ${folder}/ may import ${allowed.join(", ") || "nothing"}`,
        );
      }
    }
  });
}
