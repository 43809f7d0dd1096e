import assert from "node:assert/strict";
import { data } from "../../../workflows/cli/data.ts";
import { stdout } from "../../../workflows/terminal/terminal.ts";

const GOLDENS = new URL("../../goldens/datasets/", import.meta.url).pathname;

/** What the command prints. */
async function printed(words: string[], values: Record<string, unknown>): Promise<string> {
  const write = stdout.write;
  let text = "";
  stdout.write = (more: string) => void (text += more);
  try {
    assert.equal(await data.run(words, values as never), 0);
  } finally {
    stdout.write = write;
  }
  return text;
}

Deno.test("data prints what is in a folder, as JSON too", async () => {
  const found = JSON.parse(await printed([`${GOLDENS}saved_dict`], { json: true }));
  assert.deepEqual([found.rows, found.splits, found.use.convention], [6, { train: 4, held_out: 2 }, "GSM8K"]);
  const tokenizer = new URL("../../models/tokenizer", import.meta.url).pathname;
  assert.equal(JSON.parse(await printed([`${GOLDENS}saved`], { json: true, tokenizer })).unit, "tokens");
  assert.match(await printed([`${GOLDENS}types.parquet`], {}), /decimal/);
});

Deno.test("data says what cannot be read", async () => {
  await assert.rejects(printed([`${GOLDENS}hub`], {}), /it has 2 configurations: main, socratic; set config: main/);
  await assert.rejects(
    printed([`${GOLDENS}types.json.txt`], {}),
    /Cannot load rows from types\.json\.txt: want a file/,
  );
});
