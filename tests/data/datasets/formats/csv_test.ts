import assert from "node:assert/strict";
import { openSeparated } from "../../../../data/datasets/formats/csv.ts";

Deno.test("openSeparated() gives every record once, across the pieces that are read", async () => {
  const path = await Deno.makeTempFile();
  const want = Array.from({ length: 30_000 }, (_, i) => ({ q: `${i},"${"x".repeat(i % 70)}\ny`, a: String(i) }));
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await Deno.writeTextFile(path, "q,a\n" + want.map(({ q, a }) => `${cell(q)},${a}\n`).join(""));
  const rows: unknown[] = [], lines: number[] = [];
  for await (const batch of (await openSeparated(",")(path, undefined)).batches()) {
    rows.push(...batch.rows);
    lines.push(...batch.lines!);
  }
  await Deno.remove(path);
  assert.deepEqual(rows, want);
  assert.equal(lines[1000], 2002);
});

Deno.test("openSeparated() names the line of a ragged row far down", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, "q,a\n" + "1,2\n".repeat(400_000) + "3\n");
  const read = async () => {
    for await (const _ of (await openSeparated(",")(path, undefined)).batches()) { /* only read */ }
  };
  await assert.rejects(read(), /line 400002/);
  await Deno.remove(path);
});

Deno.test("openSeparated() says at once that a header has too many columns", async () => {
  const path = await Deno.makeTempFile({ suffix: ".csv" });
  await Deno.writeTextFile(path, Array.from({ length: 400_000 }, (_, i) => `c${i}`).join(","));
  try {
    const file = await openSeparated(",")(path, undefined);
    await assert.rejects(file.batches().next(), /^RangeError: it has 400000 columns, want at most 10000$/);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("openSeparated() names line ends that it does not read", async () => {
  const path = await Deno.makeTempFile({ suffix: ".csv" });
  await Deno.writeTextFile(path, "prompt,answer\rx,1\r");
  const file = await openSeparated(",")(path, undefined);
  await assert.rejects(file.batches().next(), /^SyntaxError: its lines end in a carriage return alone/);
  await Deno.writeTextFile(path, "prompt,answer\r\nx,1\r\n");
  assert.deepEqual((await file.batches().next()).value!.rows, [{ prompt: "x", answer: "1" }]);
  await Deno.remove(path);
});
