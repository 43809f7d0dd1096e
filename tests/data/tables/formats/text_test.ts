/** CSV and JSON lines. @module */
import assert from "node:assert/strict";
import { toCsv, toJsonLines } from "../../../../data/tables/formats/text.ts";
import { tableOf } from "../../../../data/tables/table_of.ts";

const TABLE = tableOf("completions", {
  train_step: [1, 2, 3],
  text: ['a "b",\nc', "", null],
  reward: [0.5, NaN, null],
  token_ids: [[1, 2], [], null],
});

Deno.test("toCsv() quotes what needs it and tells absent from empty", () => {
  assert.equal(
    [...toCsv(TABLE)].join(""),
    'train_step,text,reward,token_ids\n1,"a ""b"",\nc",0.5,"[1,2]"\n2,"",NaN,[]\n3,,,\n',
  );
});

Deno.test("toJsonLines() tells NaN from null", () => {
  assert.deepEqual([...toJsonLines(TABLE)].map((line) => JSON.parse(line)), [
    { train_step: 1, text: 'a "b",\nc', reward: 0.5, token_ids: [1, 2] },
    { train_step: 2, text: "", reward: "NaN", token_ids: [] },
    { train_step: 3, text: null, reward: null, token_ids: null },
  ]);
});
