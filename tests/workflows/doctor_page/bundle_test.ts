import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundle } from "../../../workflows/doctor_page/bundle.ts";

/** Bundles a program of one file. */
async function bundled(text: string): Promise<string> {
  const folder = await Deno.makeTempDir(), file = join(folder, "entry.ts");
  try {
    await Deno.writeTextFile(file, text);
    return await bundle(pathToFileURL(file));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const OPTIONS = { sanitizeOps: false, sanitizeResources: false }; // the bundler is a program that is stopped, not waited for

Deno.test("bundle() makes one program of types and of node:path, which a browser has otherwise", OPTIONS, async () => {
  const program = await bundled(
    'import { dirname } from "node:path";\nexport const x: string = dirname("/a/b");\nprint(x);',
  );
  const printed: string[] = [];
  new Function("print", program)((text: string) => printed.push(text));
  assert.deepEqual(printed, ["/a"]);
  assert.doesNotMatch(program, /node:|\bimport\b/);
});

Deno.test("bundle() refuses what needs a disk or Deno, and says which file", OPTIONS, async () => {
  await assert.rejects(bundled('import { readFileSync } from "node:fs";\nprint(readFileSync("x"));'), {
    name: "TypeError",
    message: /Cannot make a program for a browser: .*entry\.ts imports node:fs/,
  });
  await assert.rejects(bundled("print(Deno.cwd());"), /it asks for Deno\.cwd/);
  await assert.rejects(bundled("const a = ;"), /Cannot make a program for a browser: .*entry\.ts:1: Unexpected/);
});
