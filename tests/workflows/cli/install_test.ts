import assert from "node:assert/strict";
import { join } from "node:path";
import { inProcess } from "./in_process.ts";

Deno.test({
  name: "install writes a launcher that runs from any folder, and leaves another program alone",
  ignore: Deno.build.os === "windows",
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      const path = join(folder, "nonzero");
      const { code: wrote, out } = await inProcess(["install", "--dir", folder]);
      assert.equal(wrote, 0);
      assert(out.includes(`${folder} is not on PATH`) && out.endsWith(`Try: ${path} --help\n`), out);
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o755);
      const { code, stderr } = await new Deno.Command(path, { args: ["nonsense"], cwd: folder }).output();
      assert.equal(code, 2);
      assert.match(new TextDecoder().decode(stderr), /Cannot run "nonsense"/);
      assert.equal((await inProcess(["install", "--dir", folder])).code, 0);
      await Deno.writeTextFile(path, "#!/bin/sh\necho mine\n");
      const refused = await inProcess(["install", "--dir", folder]);
      assert.equal(refused.code, 2);
      assert.match(refused.err, /another program has that name; use --force or --dir/);
      assert.match(await Deno.readTextFile(path), /mine/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
