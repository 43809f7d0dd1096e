import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import * as aq from "arquero";
import type { TableName } from "../../../data/columns.ts";
import {
  columnArray,
  concatTables,
  decodeTable,
  encodeTable,
  storedTable,
  tableOfRows,
} from "../../../data/tables/mod.ts";

type Rows = readonly Record<string, unknown>[];

const FIRST: Rows = [
  {
    train_step: 1,
    prompt_id: 0,
    text: "one",
    reward: 0.1,
    truncated: true,
    token_ids: [1, 2],
    old_logprobs: [-1, NaN],
  },
  { train_step: 1, prompt_id: 1, text: "zwölf ☂", reward: NaN, truncated: false, token_ids: [], old_logprobs: [] },
  { train_step: 1, prompt_id: 2, text: null, reward: 1, truncated: null, token_ids: null, old_logprobs: [-2] },
];
const SECOND: Rows = [
  {
    train_step: 2,
    prompt_id: 7,
    text: "",
    reward: 3,
    truncated: false,
    token_ids: [9],
    old_logprobs: [-3],
    answer: "x",
  },
  {
    train_step: 2,
    prompt_id: 8,
    text: "b",
    reward: 4,
    truncated: true,
    token_ids: [],
    old_logprobs: [0],
    answer: null,
  },
];

async function withFiles(
  name: TableName,
  parts: readonly Rows[],
  body: (paths: string[]) => void | Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const paths = parts.map((_, i) => join(folder, `${i}.arrow`));
    parts.forEach((rows, i) => Deno.writeFileSync(paths[i]!, encodeTable(name, tableOfRows(name, rows))));
    await body(paths);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const read = (path: string) => decodeTable(Deno.readFileSync(path));

for (
  const [name, parts] of [
    ["completions", [FIRST, [], SECOND]],
    ["completions", [SECOND]],
    ["metrics", [[{ train_step: 1, phase: "sft", loss: 0.5 }], [{ train_step: 2, phase: "rollout", loss: null }]]],
    ["settings", [[{ name: "a", value: "1", source: "f", line: 3 }]]],
    ["completions", [[]]],
  ] as const satisfies readonly (readonly [TableName, readonly Rows[]])[]
) {
  Deno.test(`storedTable() holds what the files of ${name} hold, value by value and column by column: ${parts.map((rows: Rows) => rows.length)}`, () =>
    withFiles(name, parts, (paths) => {
      const wanted = concatTables(name, paths.map(read)), stored = storedTable(name, paths)!;
      assert.deepEqual(stored.columnNames(), wanted.columnNames());
      assert.deepEqual(stored.objects(), wanted.objects());
      const twice = storedTable(name, paths)!;
      for (const column of wanted.columnNames()) {
        assert.deepEqual(columnArray(twice, column), columnArray(wanted, column), column);
      }
    }));
}

Deno.test("storedTable() reads the columns that are looked at alone", () =>
  withFiles("completions", [FIRST, SECOND], (paths) => {
    const table = storedTable("completions", paths)!;
    assert.equal(table.rollup({ most: aq.op.max("prompt_id") }).get("most", 0), 8);
    for (const path of paths) Deno.removeSync(path);
    assert.equal(table.numRows(), 5);
    assert.equal(table.filter((row: { prompt_id: number }) => row.prompt_id > 6).numRows(), 2);
    assert.throws(
      () => table.get("text", 0),
      (error: unknown) => error instanceof SyntaxError && error.message.startsWith(`Cannot read ${paths[0]}: `),
    );
  }));

Deno.test("storedTable() filters, orders, groups and joins as any table", () =>
  withFiles("completions", [FIRST, SECOND], (paths) => {
    const table = storedTable("completions", paths)!;
    const chosen = table.filter((row: { text: string | null }) => row.text === "b").select("text", "reward");
    assert.deepEqual(chosen.objects(), [{ text: "b", reward: 4 }]);
    assert.deepEqual(columnArray(table.orderby(aq.desc("prompt_id")), "text"), ["b", "", null, "zwölf ☂", "one"]);
    assert.deepEqual(table.groupby("train_step").count().array("count"), [3, 2]);
    assert.equal(table.join(aq.table({ prompt_id: [7] })).get("answer", 0), "x");
    assert.deepEqual([...table.slice(3).select("text").objects()], [{ text: "" }, { text: "b" }]);
  }));

Deno.test("storedTable() names a file that was cut off, or is none", () =>
  withFiles("completions", [FIRST], (paths) => {
    const [path] = paths, bytes = Deno.readFileSync(path!);
    for (const cut of [0, 7, 40, Math.floor(bytes.length / 2), bytes.length - 1]) {
      Deno.writeFileSync(path!, bytes.subarray(0, cut));
      assert.throws(
        () => storedTable("completions", paths),
        (error: unknown) => error instanceof SyntaxError && error.message.startsWith(`Cannot read ${path}: `),
        `${cut} bytes`,
      );
    }
  }));

Deno.test("storedTable() leaves to others a table whose types are not ours", () =>
  withFiles("completions", [FIRST], (paths) => {
    // What an older version could have called the type: of the same length, so that the file stays one.
    const bytes = Buffer.from(Deno.readFileSync(paths[0]!)).toString("latin1");
    const older = Buffer.from(bytes.replaceAll("float32", "float64"), "latin1");
    Deno.writeFileSync(paths[0]!, older);
    assert.equal(storedTable("completions", paths), null);
  }));
