import assert from "node:assert/strict";
import { testsOfEveryTask } from "./every_task.ts";

const rows = testsOfEveryTask("counting_letters", 10_000);

Deno.test("counting_letters counts the letter in the word", () => {
  for (const { prompt, answer, columns } of rows) {
    const [, letter, word] = /^([a-z]) in ([a-z]+)=$/.exec(prompt)!;
    assert.equal([...word!].filter((other) => other === letter).length, Number(answer));
    assert.deepEqual(columns, { word, letter });
  }
});

Deno.test("counting_letters has no answer that is right more than half of the time", () => {
  const counts = new Map<string, number>();
  for (const { answer } of rows) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  assert(Math.max(...counts.values()) < rows.length / 2);
  assert(counts.size >= 4);
});
