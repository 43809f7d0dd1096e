import assert from "node:assert/strict";
import { Quotations, unquoted } from "../../../../../data/adapters/post/text/quotations.ts";

const line = (text: string, number = 1) => ({ text, number, ended: true });

Deno.test("Quotations takes marks off, keeps the lines with one mark less, and hands them out once", () => {
  const quotations = new Quotations();
  assert.equal(quotations.take(line("a > b")), null);
  assert.deepEqual(quotations.take(line("> > so it is", 4)), line("so it is", 4));
  assert.deepEqual(quotations.take(line(">", 5)), line("", 5));
  assert.equal(quotations.first?.number, 4);
  assert.deepEqual(quotations.release(), [line("> so it is", 4), line("", 5)]);
  assert.deepEqual(quotations.release(), []);
});

Deno.test("Quotations are a whole report where hardly a line stands beside them", () => {
  const quotations = new Quotations();
  assert.equal(quotations.isWhole, false);
  for (let i = 0; i < 8; i++) quotations.take(line("> text"));
  const wholes = [0, 1, 2, 3].map(() => {
    const { isWhole } = quotations;
    quotations.beside();
    return isWhole;
  });
  assert.deepEqual(wholes, [true, true, true, false]);
});

Deno.test("unquoted() takes all marks off", () => assert.equal(unquoted(" >> > a > b"), "a > b"));
