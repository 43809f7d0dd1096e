import assert from "node:assert/strict";
import { duration, Output, printable } from "../../../workflows/terminal/terminal.ts";

Deno.test("duration() reads as a person says it", () => {
  assert.deepEqual([0.04, 9.94, 12.4, 75, 3723, NaN].map(duration), [
    "0.0 s",
    "9.9 s",
    "12 s",
    "1 min 15 s",
    "1 h 2 min",
    "–",
  ]);
});

Deno.test("duration() rounds before it chooses a unit", () => {
  assert.deepEqual([9.96, 59.7, 299.7, 3599.6, 3629, 7199].map(duration), [
    "10 s",
    "1 min 0 s",
    "5 min 0 s",
    "1 h 0 min",
    "1 h 0 min",
    "2 h 0 min",
  ]);
});

Deno.test("printable() shows control characters and sends none", () => {
  assert.equal(printable("a\nb\x1b[2J\u009b"), "a⏎b\ufffd[2J\ufffd");
});

Deno.test("Output writes all bytes of a stream that takes few at a time, without colours", () => {
  const taken: number[] = [];
  const stream = {
    writeSync: (data: Uint8Array) => (taken.push(data[0]!), 1),
    isTerminal: () => false,
  };
  const out = new Output(stream);
  out.line(out.style("hé", "red"));
  assert.equal(new TextDecoder().decode(Uint8Array.from(taken)), "hé\n");
  assert.equal(out.columns, 100);
});

Deno.test("Output prints a stranger's text and obeys none of it, as lines and as JSON", () => {
  let taken = "";
  const writeSync = (data: Uint8Array) => (taken += new TextDecoder().decode(data), data.length);
  const out = new Output({ writeSync, isTerminal: () => false });
  out.line("a\x1b[2J\u009b1m\nb");
  out.json(JSON.stringify("a\u009b"));
  assert.equal(taken, 'a\ufffd[2J\ufffd1m\nb\n"a\\u009b"\n');
});

Deno.test("Output writes plain lines to a dumb terminal", () => {
  const stream = { writeSync: (data: Uint8Array) => data.length, isTerminal: () => true };
  assert.deepEqual(["xterm", "dumb", undefined].map((kind) => new Output(stream, kind ?? "vt100").live), [
    true,
    false,
    true,
  ]);
  assert.equal(new Output(stream, "dumb").style("a", "red"), "a");
});

Deno.test("Output tells once that its pipe was closed, and drops what comes after", () => {
  let told = 0, written = 0;
  const out = new Output({
    writeSync: () => {
      written++;
      throw new Deno.errors.BrokenPipe("closed");
    },
    isTerminal: () => false,
  });
  out.onClosed = () => told++;
  out.line("a");
  out.line("b");
  assert.deepEqual([told, written], [1, 1]);
});
