import assert from "node:assert/strict";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";

Deno.test("the child ends by itself when its parent closes stdin", async () => {
  const path = fromFileUrl(new URL("../../../../steps/rewards/sandbox/child.ts", import.meta.url));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-config", path],
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await child.stdin.close();
  assert.equal((await child.status).code, 0);
});
