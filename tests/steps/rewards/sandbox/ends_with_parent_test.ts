import assert from "node:assert/strict";
import { endingWithParent } from "../../../../steps/rewards/sandbox/ends_with_parent.ts";

Deno.test("endingWithParent() runs the same program with the same arguments, as the same process", async () => {
  const [program, args] = endingWithParent(Deno.execPath(), [
    "eval",
    "console.log(Deno.pid, ...Deno.args)",
    "a b",
    "c",
  ]);
  if (Deno.build.os !== "linux") assert.equal(program, Deno.execPath());
  const child = new Deno.Command(program, { args, stdout: "piped" }).spawn();
  const { stdout } = await child.output();
  assert.equal(new TextDecoder().decode(stdout), `${child.pid} a b c\n`);
});
