import assert from "node:assert/strict";
import { join } from "node:path";
import { main } from "../../../workflows/cli/main.ts";

Deno.test({
  name: "install writes a launcher that runs from any folder, and leaves another program alone",
  ignore: Deno.build.os === "windows",
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      assert.equal(await main(["install", "--dir", folder]), 0);
      const path = join(folder, "nonzero");
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o755);
      const { code, stderr } = await new Deno.Command(path, { args: ["nonsense"], cwd: folder }).output();
      assert.equal(code, 2);
      assert.match(new TextDecoder().decode(stderr), /Cannot run "nonsense"/);
      assert.equal(await main(["install", "--dir", folder]), 0);
      await Deno.writeTextFile(path, "#!/bin/sh\necho mine\n");
      assert.equal(await main(["install", "--dir", folder]), 2);
      assert.match(await Deno.readTextFile(path), /mine/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
