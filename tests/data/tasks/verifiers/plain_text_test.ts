import assert from "node:assert/strict";
import { plainText } from "../../../../data/tasks/verifiers/plain_text.ts";

Deno.test("plainText() has one way to write signs, digits, spaces and fractions", () => {
  const cases = [["−５", "-5"], ["1½", "1 1/2"], ["¾", "3/4"], ["1\u202f234", "1234"], ["1\u00a02", "1 2"], [
    "1⁄2",
    "1/2",
  ]];
  for (const [text, want] of cases) assert.equal(plainText(text!), want);
  for (const text of ["\u20135", "(\u20125", "is \u2013$5"]) {
    assert.equal(plainText(text), text.replace(/[\u2012\u2013]/, "-"));
  }
  for (const text of ["10\u201312", "10 \u201312", "x\u20135", "so \u2013 5"]) assert.equal(plainText(text), text);
  for (const text of ["10²", "В", "4O"]) assert.equal(plainText(text), text);
});
