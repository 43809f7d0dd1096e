/** What is to be fetched is told with the launcher that the person used, wherever it is told. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { dataPath } from "../../../steps/options/data_source.ts";
import { LAUNCHER } from "../../../workflows/terminal/command_line.ts";
import { toldMessage } from "../../../workflows/terminal/told.ts";
import { withCached } from "../../data/hub/remote/cached.ts";
import { inProcess } from "../cli/in_process.ts";

/** Runs the body as one whom a launcher started. */
async function launched(body: () => Promise<void>): Promise<void> {
  const before = Deno.env.get(LAUNCHER);
  Deno.env.set(LAUNCHER, "/somewhere/nonzero");
  try {
    await withCached({}, body);
  } finally {
    if (before === undefined) Deno.env.delete(LAUNCHER);
    else Deno.env.set(LAUNCHER, before);
  }
}

const FETCHED =
  /Cannot load "hf:datasets\/org\/sums": .*; fetch it by: \/somewhere\/nonzero pull datasets\/org\/sums$/m;

Deno.test("toldMessage() says the command that fetches a data set as it can be pasted, and else the message", () =>
  launched(() => {
    assert.throws(() => dataPath("hf:datasets/org/sums", "/"), (error) => FETCHED.test(toldMessage(error)));
    assert.equal(toldMessage(new RangeError("Cannot add")), "Cannot add");
    return Promise.resolve();
  }));

Deno.test("data and check say how a data set of the Hub is fetched by the launcher", () =>
  launched(async () => {
    const folder = Deno.makeTempDirSync({ prefix: "nonzero_told_" });
    try {
      assert.match((await inProcess(["data", "hf:datasets/org/sums"])).err, FETCHED);
      for (const step of ["load_prompts", "load_preferences"]) {
        const text = `name: a\nsteps:\n  - { uses: ${step}, with: { file: "hf:datasets/org/sums" } }\n`;
        Deno.writeTextFileSync(join(folder, "a.yaml"), text);
        assert.match((await inProcess(["check", join(folder, "a.yaml")])).out, FETCHED);
      }
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  }));
