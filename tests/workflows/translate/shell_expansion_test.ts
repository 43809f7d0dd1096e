import assert from "node:assert/strict";
import { expandText, expansion, step, type Variables } from "../../../workflows/translate/shell_expansion.ts";

Deno.test("expandText() knows names, defaults, and what stays unknown", () => {
  const variables = new Map([["A", ["1"]], ["E", [""]]]);
  const expand = (text: string) => expandText(text, variables);
  assert.deepEqual(expand("$A-${A}-${B:-2}-${E:-3}-${E-4}"), { text: "1-1-2-3-", unknown: false });
  assert.deepEqual(expand("${1:-x}$((A + 2 * (3 - 1)))"), { text: "x5", unknown: false });
  assert.deepEqual(expand("$(date)/$B"), { text: "$(date)/$B", unknown: true });
});

Deno.test("expansion() moves the cursor behind what it read, and counts lines", () => {
  const cursor = { text: "${A}x\ny", at: 0, line: 1 };
  assert.deepEqual(expansion(cursor, new Map([["A", ["q"]]]), 0), { values: ["q"], unknown: false });
  step(cursor, 2);
  assert.deepEqual([cursor.at, cursor.line], [6, 2]);
});

Deno.test("expandText() calculates what expr is asked, and leaves other commands", () => {
  const variables = new Map([["n", ["8"]]]);
  const cases = [["$(expr 32 / $n)", "4"], ["$(expr $n \\* 2 + 1)", "17"], ["$( expr 16 '*' 2 )", "32"]] as const;
  for (const [text, value] of cases) assert.deepEqual(expandText(text, variables), { text: value, unknown: false });
  for (const text of ["$(expr length abc)", "$(expr 1 / 0)", "$(date)", "$(expr $unset / 2)"]) {
    assert(expandText(text, variables).unknown, text);
  }
});

Deno.test("variables that hold themselves twice, line by line, end as they stand: a script's text does not grow without end", () => {
  const variables: Variables = new Map([["A", ["x".repeat(20_000)]]]);
  const { text, unknown } = expandText("$A".repeat(5_000), variables);
  assert(text.length < 2_000_000 && text.endsWith("$A") && unknown, `${text.length}`);
  assert.equal(expandText("$A", new Map([["A", ["x"]]])).text, "x");
});
