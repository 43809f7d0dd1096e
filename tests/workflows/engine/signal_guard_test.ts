/** Programs whose main thread never comes back: signals end them; one that answers is left alone. @module */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { DENO_RUN } from "../cli/command_line.ts";

const CHILD = fileURLToPath(new URL("./signal_guard_child.ts", import.meta.url));
const ignore = Deno.build.os === "windows";

/** Sends signals, 1.1 s apart, once the program is ready; how it ended and what it said. */
async function signalled(signals: readonly Deno.Signal[], ...args: string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...DENO_RUN, CHILD, ...args],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  for (const [i, signal] of signals.entries()) {
    if (i > 0) await new Promise((resolve) => setTimeout(resolve, 1100));
    child.kill(signal);
  }
  const [{ code, signal }, said] = await Promise.all([child.status, new Response(child.stderr).text()]);
  await reader.cancel();
  return { code, signal, said };
}

Deno.test("SIGTERM, or a second SIGINT, ends a program that hears nothing", { ignore }, async () => {
  for (const signals of [["SIGTERM"], ["SIGINT", "SIGINT"]] as const) {
    const { signal, said } = await signalled(signals);
    assert.equal(signal, "SIGKILL");
    assert.match(said, new RegExp(`^Ended: no answer to ${signals[0]} within 0.3 s; the last checkpoint is kept`));
  }
});

Deno.test("a program that answers is not ended by its guard", { ignore }, async () => {
  assert.deepEqual(await signalled(["SIGTERM"], "--free"), { code: 7, signal: null, said: "" });
});
