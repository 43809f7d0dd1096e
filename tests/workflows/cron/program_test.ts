import assert from "node:assert/strict";
import { call, complaint } from "../../../workflows/cron/program.ts";

Deno.test("call() gives what a program said, of one that is not there null, of one that does not read its answer", async () => {
  const { bytes, ...said } = (await call(["sh", "-c", "cat; echo bad >&2; exit 3"], "in"))!;
  assert.deepEqual(said, { code: 3, out: "in", err: "bad\n" });
  assert.deepEqual(bytes, new TextEncoder().encode("in"));
  assert.equal(await call(["no_such_program_here"]), null);
  assert.equal((await call(["true"], "x".repeat(1e6)))?.code, 0);
  assert.equal((await call(["pwd"], null, "/"))?.out, "/\n");
});

Deno.test("complaint() is the first line, or the code", () => {
  assert.equal(complaint({ code: 1, out: "a\nb", err: "" }), "a");
  assert.equal(complaint({ code: 1, out: "a", err: " c\nd" }), "c");
  assert.equal(complaint({ code: 4, out: "", err: "" }), "it ended with code 4");
});
