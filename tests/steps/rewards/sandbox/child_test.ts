import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";

const CHILD = fromFileUrl(new URL("../../../../steps/rewards/sandbox/child.ts", import.meta.url));

function start(): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-config", "--allow-read", CHILD],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

function frame(request: unknown): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(JSON.stringify(request));
  const bytes = new Uint8Array(4 + body.length);
  new DataView(bytes.buffer).setUint32(0, body.length, true);
  bytes.set(body, 4);
  return bytes;
}

Deno.test("the child ends by itself when its parent closes stdin", async () => {
  const child = start();
  await child.stdin.close();
  await child.stdout.cancel();
  assert.equal((await child.status).code, 0);
});

// What a parent's end by SIGKILL leaves of it is a closed pipe.
for (
  const [does, module] of [
    ["loops while it loads", "for (;;);"],
    ["loops in its function", "export const score = () => { for (;;); }"],
    ["matches without end", "export const score = () => [/^(a+)+$/.test('a'.repeat(60) + 'b')]"],
    [
      "floods its parent",
      "import { parentPort as p } from 'node:worker_threads';" +
      "export const score = () => { for (;;) p.postMessage([2, 'x\\n']); }",
    ],
    [
      "waits without end",
      "export const score = () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }",
    ],
  ]
) {
  Deno.test(`the child ends with its parent although its code ${does}`, async () => {
    const child = start(), writer = child.stdin.getWriter();
    const load = `data:text/javascript,${encodeURIComponent(module!)}`;
    await writer.write(frame({ token: "t", load }));
    const reader = child.stdout.getReader();
    if (!does!.includes("loads")) {
      assert.equal(new TextDecoder().decode((await reader.read()).value), 't {"values":[]}\n');
      await writer.write(frame({ batch: { texts: ["a"] }, options: {} }));
    }
    await writer.close();
    assert.deepEqual((await child.status).code, 0);
    await reader.cancel();
  });
}
