import assert from "node:assert/strict";
import { addition } from "../../../data/tasks/addition.ts";
import { splitOf } from "../../../data/datasets/split.ts";
import { testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("addition", 10_000);
const find = (prompt: string) => rows.find((row) => row.prompt === prompt)!;

Deno.test("addition asks 47+38= and wants 85, neither reversed nor with carries", () => {
  assert.deepEqual(find("47+38="), { prompt: "47+38=", answer: "85", difficulty: 0.5, splitKey: "38+47" });
  for (const { prompt, answer } of rows) {
    const [, a, b] = /^(\d+)\+(\d+)=$/.exec(prompt)!;
    assert.equal(Number(a) + Number(b), Number(answer));
  }
});

Deno.test("addition counts carries: 99+99 has two, 41+38 none, 95+7 two", () => {
  assert.deepEqual(["99+99=", "41+38=", "95+7=", "5+7="].map((p) => find(p).difficulty), [1, 0, 1, 0.5]);
});

Deno.test("addition holds out at least 500 prompts, and a+b with b+a", () => {
  const fractions = { train: 0.8, validation: 0.1, held_out: 0.1 };
  const split = new Map(rows.map((row) => [row.prompt, splitOf(row.splitKey!, fractions)]));
  assert([...split.values()].filter((name) => name === "held_out").length >= 500);
  for (let a = 0; a < 100; a++) {
    for (let b = 0; b < a; b++) assert.equal(split.get(`${a}+${b}=`), split.get(`${b}+${a}=`));
  }
});

Deno.test("addition wants the digits and nothing else", () => {
  for (const wrong of ["58", "085", "85.", "85 86", "8 5", "+85"]) {
    assert.equal(addition.verify(wrong, { answer: "85" }), false, wrong);
  }
});

Deno.test("addition with more digits draws distinct prompts of the wanted lengths", () => {
  const drawn = addition.rows(addition.params.parse({ digits: 5, min_digits: 5, max_prompts: 200 }));
  assert.equal(new Set(drawn.map(({ prompt }) => prompt)).size, 200);
  for (const { prompt } of drawn) assert.match(prompt, /^\d{5}\+\d{5}=$/);
});
