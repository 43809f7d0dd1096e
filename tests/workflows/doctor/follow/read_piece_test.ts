import assert from "node:assert/strict";
import { readPiece } from "../../../../workflows/doctor/follow/read_piece.ts";

const followed = { path: "a.log", name: "a.log", beside: [] };
const bytes = (step: number) => new TextEncoder().encode(`{'loss': 0.1, 'reward': 0.5, 'step': ${step}}\n`);

Deno.test("readPiece() goes on with bytes, begins anew where a file is opened, and reads a document to its end", async () => {
  assert.equal(await readPiece(null, { kind: "bytes", bytes: bytes(1), repeated: true }), null, "no file is open");
  const first = await readPiece(null, { kind: "open", followed });
  const same = await readPiece(first, { kind: "bytes", bytes: bytes(1), repeated: true });
  assert.equal(same, first);
  assert.equal(first!.taken, 1);
  const next = await readPiece(first, { kind: "open", followed });
  assert.notEqual(next, first);
  assert.equal(next!.taken, 0);
  const document = { ...followed, name: "trainer_state.json" };
  const state = new TextEncoder().encode('{"log_history": [{"loss": 0.1, "step": 1}, {"loss": 0.2, "step": 2}]}');
  const whole = await readPiece(next, { kind: "document", followed: document, bytes: state });
  assert.equal(whole!.runs()[0]!.rows.tables.metrics!.numRows(), 2);
});
