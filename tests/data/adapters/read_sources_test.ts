import assert from "node:assert/strict";
import type { Source } from "../../../data/adapters/adapter.ts";
import { Intake } from "../../../data/adapters/intake/intake.ts";
import { readSource, readSources } from "../../../data/adapters/read_sources.ts";
import { finish } from "../../../data/adapters/run/finish.ts";

/** A source that lies nowhere. */
function made(path: string, text: string): Source {
  const bytes = new TextEncoder().encode(text);
  async function* chunks() {
    yield await Promise.resolve(bytes);
  }
  return {
    ...{ path, name: path, size: bytes.length, head: bytes.slice(0, 1 << 16), folder: null, file: null, chunks },
    bytes: () => Promise.resolve(bytes),
  };
}

const RECORD = "{'loss': 0.5, 'grad_norm': 1.0, 'reward': 0.25, 'learning_rate': 1e-06, 'epoch': 0.1}\n";

Deno.test("readSources() reads sources that lie on no disk as one run, and tells each when it is read", async () => {
  const intake = new Intake(), seen: [string, number][] = [];
  const sources = [
    made("train.log", RECORD + RECORD),
    made("config.yaml", "learning_rate: 1.0e-6\nnum_generations: 8\n"),
  ];
  await readSources(sources, intake, { onSource: (path, bytes) => seen.push([path, bytes]) });
  assert.deepEqual(seen, [["train.log", 2 * RECORD.length], ["config.yaml", 41]]);
  const [run, more] = finish("run", intake);
  assert.equal(more, undefined);
  assert.equal(run!.rows.tables.metrics!.numRows(), 2);
  assert(run!.settings.some(({ option }) => option === "group_size"));
});

Deno.test("readSource() says of a binary file of no known format that it is one, and skips it where it is alone", async () => {
  for (const alone of [true, false]) {
    const intake = new Intake();
    await readSource(made("x.bin", "\0\x01\x02\x03".repeat(100)), intake, alone);
    assert.equal(intake.source.partial, "it is binary and of no known format");
    assert.equal(intake.skipped.length, alone ? 1 : 0);
  }
});
