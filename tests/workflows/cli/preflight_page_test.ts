import assert from "node:assert/strict";
import { preflightPage } from "../../../workflows/cli/preflight_page.ts";
import { FOREIGN_RULES } from "../../../workflows/preflight/foreign/mod.ts";

Deno.test("preflightPage() has one row for every rule, of six cells, with its systems, its source and what to change", () => {
  const rows = preflightPage().split("\n").filter((line) => line.startsWith("| `"));
  assert.equal(rows.length, Object.keys(FOREIGN_RULES).length);
  for (const [name, { source, change, severity, also }] of Object.entries(FOREIGN_RULES)) {
    const word = also === undefined ? severity : `${severity}, or ${also}`;
    const own = rows.find((line) => line.startsWith(`| \`${name}\` | ${word} |`));
    assert(own !== undefined, name);
    assert.equal(own.split(/(?<!\\)\|/).length, 8, own);
    assert(own.includes(change) && own.endsWith(`| ${source} |`), own);
  }
});
