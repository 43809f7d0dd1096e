import assert from "node:assert/strict";
import { ExpressionError, parseCondition, parseTemplate } from "../../../workflows/language/expression_syntax.ts";

Deno.test("parseTemplate() keeps plain parts and the place of each look-up", () => {
  const [first, lookUp, last] = parseTemplate("ab ${{ steps.s.outputs.o }} c");
  assert.deepEqual([first, last], ["ab ", " c"]);
  assert.deepEqual(lookUp, { root: "steps", id: "s", name: "o", text: "steps.s.outputs.o", offset: 7 });
});

for (
  const [text, offset, message] of [
    ["${{ params.a", 0, /without/],
    ["a ${{ }}", 2, /empty/],
    ["${{ parms.a }}", 4, /did you mean "params"/],
    ["${{ params }}", 4, /want params.NAME/],
    ["${{ params.a.b }}", 4, /want params.NAME/],
    ["${{ steps.a.x }}", 4, /want steps.ID.outputs.NAME/],
    ["${{ params.a + 1 }}", 13, /unexpected "\+"/],
    ["${{ params.a == 1 }}", 13, /"if" and "until" only/],
    ["${{ 3 }}", 4, /"3" is no look-up/],
    ["${{ env.HOME }}", 4, /unknown "env"/],
  ] as const
) {
  Deno.test(`parseTemplate() refuses ${JSON.stringify(text)} at character ${offset}`, () => {
    assert.throws(() => parseTemplate(text), (error) => {
      assert(error instanceof ExpressionError);
      assert.match(error.message, message);
      assert.equal(error.offset, offset);
      return true;
    });
  });
}

for (
  const [text, offset, message] of [
    ["params.a = 1", 9, /equality is "=="/],
    ["${{ params.a >= }}", 13, /nothing after ">="/],
    ["params.a >= params.b", 12, /is a look-up, want a literal/],
    ["params.a >= 'x'", 12, /compares numbers/],
    ["params.a > 1 and params.b", 13, /unexpected "and"/],
    ["3 < params.a", 0, /stands first/],
    ["success()", 0, /unknown function "success\(\)"/],
    ["allways()", 0, /did you mean "always\(\)"/],
    ["a ${{ params.a }}", 2, /inside one/],
    ["", 0, /empty/],
    ["params.a == 'x", 12, /want a literal/],
  ] as const
) {
  Deno.test(`parseCondition() refuses ${JSON.stringify(text)} at character ${offset}`, () => {
    assert.throws(() => parseCondition(text), (error) => {
      assert(error instanceof ExpressionError);
      assert.match(error.message, message);
      assert.equal(error.offset, offset);
      return true;
    });
  });
}
