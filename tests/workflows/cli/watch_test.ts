import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { inProcess } from "./in_process.ts";
import { RUN_A, withRuns } from "./fabricated_run.ts";

const MAIN = fileURLToPath(new URL("../../../workflows/cli/main.ts", import.meta.url));

Deno.test("watch refuses a port that is none or taken, and a run that is not there, exit 2", () =>
  withRuns(async (runs) => {
    using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const port = String((taken.addr as Deno.NetAddr).port);
    for (
      const [words, problem] of [
        [["--port", "x"], /want a number/],
        [["--port", "65536"], /want a number from 0, .*, to 65535/],
        [["--port", port], /another program does; want another --port/],
        [["nothing"], /Cannot find run "nothing"/],
      ] as const
    ) {
      const { code, err } = await inProcess(["watch", ...words, "--runs", runs]);
      assert.equal(code, 2, words.join(" "));
      assert.match(err, problem);
    }
  }));

Deno.test({
  name: "watch prints the address and serves until Ctrl-C",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withRuns(async (runs) => {
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "-q", "--no-check", MAIN, "watch", RUN_A, "--runs", runs],
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const reader = child.stdout.getReader();
      const address = new TextDecoder().decode((await reader.read()).value).trim();
      const response = await fetch(address);
      assert.match(await response.text(), /<h1>small/);
      child.kill("SIGINT");
      while (!(await reader.read()).done);
      assert.equal((await child.status).code, 0);
    }),
});
