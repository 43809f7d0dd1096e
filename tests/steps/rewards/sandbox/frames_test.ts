import assert from "node:assert/strict";

const FRAMES = new URL("../../../../steps/rewards/sandbox/frames.ts", import.meta.url).href;

Deno.test("takeRequest() hears frames, answer() writes lines, and the end of stdin ends the process", async () => {
  const program = `const { answer, takeRequest } = await import("${FRAMES}");
    for (;;) answer("token", JSON.stringify((await takeRequest()).text.length));`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-config", "--allow-read", `data:text/javascript,${encodeURIComponent(program)}`],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  for (const text of ["abc", "ä".repeat(100_000)]) {
    const body = new TextEncoder().encode(JSON.stringify({ text })), frame = new Uint8Array(4 + body.length);
    new DataView(frame.buffer).setUint32(0, body.length, true);
    frame.set(body, 4);
    await writer.write(frame);
  }
  await writer.close();
  const { code, stdout } = await child.output();
  assert.equal(code, 0);
  assert.equal(new TextDecoder().decode(stdout), "token 3\ntoken 100000\n");
});
