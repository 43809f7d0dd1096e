import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { segmentPath } from "../../../data/run_folder.ts";
import { encodeTable, onePiece, tableOf } from "../../../data/tables/mod.ts";
import { pieceColumn } from "../../../data/tables/pieces.ts";
import { fabricateRun, RUN_A } from "../../workflows/cli/fabricated_run.ts";

Deno.test("onePiece() is the table, without rows no piece; a column that a piece lacks is absent in it", () => {
  const table = tableOf("metrics", { train_step: [1, 2] });
  assert.deepEqual([...onePiece("metrics", table).pieces], [table]);
  assert.deepEqual([...onePiece("metrics", tableOf("metrics", { train_step: [] })).pieces], []);
  assert.deepEqual(Array.from(pieceColumn(table, "kl")), [null, null]);
});

Deno.test("openRunFolder().pieces() reads a segment when it is asked for, and knows the columns of all before", async () => {
  const runs = await Deno.makeTempDir();
  try {
    const folder = fabricateRun(runs, RUN_A);
    const write = (first: number, columns: Record<string, unknown[]>) => {
      const path = join(folder, segmentPath("updates", first, first));
      Deno.mkdirSync(dirname(path), { recursive: true });
      Deno.writeFileSync(path, encodeTable("updates", tableOf("updates", columns)));
    };
    write(1, { train_step: [1], loss: [0.5] });
    write(2, { train_step: [2], kl: [0.25] });
    const { columns, pieces } = openRunFolder(folder).pieces("updates");
    assert.deepEqual(columns, ["train_step", "loss", "kl"]);
    const iterator = pieces[Symbol.iterator]();
    assert.equal(iterator.next().value!.numRows(), 1);
    Deno.writeTextFileSync(join(folder, segmentPath("updates", 2, 2)), "damaged");
    assert.throws(() => iterator.next(), /updates.2-2\.arrow: Cannot read a table/);
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
});
