import assert from "node:assert/strict";
import { clausesOf } from "../../../../data/adapters/post/clauses.ts";
import { idiomsIn } from "../../../../data/adapters/post/idioms_in.ts";

const found = (text: string) =>
  clausesOf([{ text, number: 1, ended: true }]).map((clause) =>
    idiomsIn(clause).map(({ subject, predicate, elsewhere }) =>
      `${subject}.${predicate}${elsewhere ? " elsewhere" : ""}`
    )
  );

Deno.test("idiomsIn() finds what reaches over a comma in the first clause of its sentence, once", () => {
  assert.deepEqual(found("Whatever I ask, it loops."), [["completions.same_everywhere"], []]);
  assert.deepEqual(found("It is slow, it exits with code 137."), [[], ["training.killed"]]);
});

Deno.test("idiomsIn() leaves what is denied, supposed or rare, and marks what is of another run", () => {
  assert.deepEqual(found("The job was not killed."), [[]]);
  assert.deepEqual(found("Maybe it ignores the prompt."), [[]]);
  assert.deepEqual(found("Only 2% never emit an EOS."), [[]]);
  assert.deepEqual(found("The old run exits with code 137."), [["training.killed elsewhere"]]);
});
