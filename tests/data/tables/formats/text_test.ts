/** CSV and JSON lines. @module */
import assert from "node:assert/strict";
import { toCsv, toJsonLines } from "../../../../data/tables/formats/text.ts";
import { onePiece, tableOf } from "../../../../data/tables/mod.ts";

const TABLE = onePiece(
  "completions",
  tableOf("completions", {
    train_step: [1, 2, 3],
    text: ['a "b",\nc', "", null],
    reward: [0.5, NaN, null],
    token_ids: [[1, 2], [], null],
  }),
);

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

Deno.test("toCsv() and toJsonLines() go through pieces whose columns differ", () => {
  const pieces = [
    tableOf("completions", { train_step: [1], text: ["a"] }),
    tableOf("completions", { train_step: [2], reward: [0.5] }),
  ];
  const table = { name: "completions", columns: ["train_step", "text", "reward"], pieces } as const;
  assert.equal([...toCsv(table)].join(""), "train_step,text,reward\n1,a,\n2,,0.5\n");
  assert.deepEqual([...toJsonLines(table)].map((line) => JSON.parse(line)), [
    { train_step: 1, text: "a", reward: null },
    { train_step: 2, text: null, reward: 0.5 },
  ]);
});
