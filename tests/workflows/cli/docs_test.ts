import assert from "node:assert/strict";
import { COMMANDS } from "../../../workflows/cli/mod.ts";
import { cellsModule, commandTable, generatedFiles, withCommands } from "../../../workflows/cli/docs.ts";

Deno.test("generated files are current: deno task docs", async () => {
  for (const [path, text] of await generatedFiles()) {
    const there = await Deno.readTextFile(new URL(`../../../${path}`, import.meta.url));
    assert(there === text, `${path} is not current; run: deno task docs`);
  }
});

Deno.test("commandTable() has a row for every command", async () => {
  const table = await commandTable();
  for (const name of Object.keys(COMMANDS)) assert.match(table, new RegExp(`deno task ${name}[ \`]`));
});

Deno.test("withCommands() wants its marks", () => {
  assert.throws(() => withCommands("# no marks", ""), /has no <!-- commands --> marks/);
});

Deno.test("cellsModule() joins the cells of code, and imports from where the module stands", () => {
  const cell = (cell_type: string, ...source: string[]) => ({ cell_type, source, id: "a" });
  const cells = [cell("code", 'import { a } from "./a.ts";\n', "a()\n"), cell("markdown", "# b"), cell("code", "c")];
  const text = cellsModule(JSON.stringify({ nbformat: 4, cells }));
  assert(text.endsWith('\nimport { a } from "../../../notebooks/a.ts";\na();\nc;\n'), text);
});
