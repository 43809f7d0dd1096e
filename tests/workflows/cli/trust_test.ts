import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { requireTrust, stateFolder } from "../../../workflows/cli/trust.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import type { Plan } from "../../../workflows/plan/plan.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";
import { commandLine } from "./command_line.ts";
import { captured, inProcess } from "./in_process.ts";
import { TINY } from "./tiny.ts";

const TRUSTED = TINY.replace("{ uses: verifier }", "{ uses: ./mine.js, trusted: true }");

function plan(text: string, folder: string, file = "tiny.yaml"): Plan {
  return planWorkflow(parseWorkflow(text, file, { folder, kinds: STEPS }), STEPS);
}

/** What is printed, and whether a person was asked. */
async function trust(plans: readonly Plan[], options: { given?: boolean; folder?: string | null; says?: boolean }) {
  let asked = 0;
  const ask = options.says === undefined ? null : () => (asked++, options.says!);
  const printed = await captured(() => {
    requireTrust(plans, { given: options.given ?? false, folder: options.folder ?? null, ask });
    return Promise.resolve(0);
  });
  return { err: printed.err, asked };
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("requireTrust() is silent for a workflow that only computes", async () => {
  assert.deepEqual(await trust([plan(TINY, "/w")], { says: false }), { err: "", asked: 0 });
});

Deno.test("requireTrust() says what the workflow may do and asks once for a folder and what it asks", () =>
  inFolder(async (folder) => {
    const first = await trust([plan(TRUSTED, "/w")], { folder, says: true });
    assert.equal(first.asked, 1);
    assert.match(
      first.err,
      /^tiny may do more than compute:\n {2}tiny\.yaml:\d+:\d+: it runs \/w\/mine\.js inside this/,
    );
    assert.deepEqual(await trust([plan(TRUSTED, "/w", "copy.yaml")], { folder, says: false }), { err: "", asked: 0 });
    const more = TRUSTED.replace("trusted: true }", "trusted: true }, { uses: ./b.js, permissions: { net: [c.org] } }");
    assert.equal((await trust([plan(more, "/w")], { folder, says: true })).asked, 1);
    assert.equal((await trust([plan(TRUSTED, "/elsewhere")], { folder, says: true })).asked, 1);
  }));

Deno.test("requireTrust() refuses when the person does, and when nobody can be asked", () =>
  inFolder(async (folder) => {
    await assert.rejects(trust([plan(TRUSTED, "/w")], { folder, says: false }), {
      name: "UsageError",
      message: "Cannot run tiny.yaml: what it may do was refused",
    });
    await assert.rejects(
      trust([plan(TRUSTED, "/w")], { folder }),
      /Cannot run tiny\.yaml: it runs \/w\/mine\.js .*, and nobody can be asked here; .* add --trust$/,
    );
    const { err } = await trust([plan(TRUSTED, "/w")], { folder, given: true });
    assert.match(err, /may do more than compute/);
  }));

Deno.test("requireTrust() goes on where nothing can be remembered", () =>
  inFolder(async (folder) => {
    const file = join(folder, "a file");
    await Deno.writeTextFile(file, "");
    const { err } = await trust([plan(TRUSTED, "/w")], { folder: join(file, "below"), given: true });
    assert.match(err, /not remembered/);
  }));

Deno.test("stateFolder() is where the system keeps such things", () => {
  const of = (names: Record<string, string>) => stateFolder((name) => names[name]);
  assert.equal(of({ HOME: "/h" }), "/h/.local/state/nonzero");
  assert.equal(of({ HOME: "/h", XDG_STATE_HOME: "/s" }), "/s/nonzero");
  assert.equal(of({}), null);
});

Deno.test("run refuses a stranger's trusted reward without --trust, and its file is never run", () =>
  inFolder(async (folder) => {
    const mark = join(folder, "ran"), file = join(folder, "tiny.yaml");
    await Deno.writeTextFile(file, TRUSTED);
    await Deno.writeTextFile(join(folder, "mine.js"), `Deno.writeTextFileSync(${JSON.stringify(mark)}, "");`);
    // A process of its own: where the tests have a terminal, it would be asked.
    const refused = [
      await commandLine(["run", file, "--runs", folder]),
      await inProcess(["run", file, "--json", "--runs", folder]),
    ];
    for (const { code, out, err } of refused) assert.deepEqual([code, /add --trust/.test(out + err)], [2, true], err);
    for (const words of [["run", file, "--dry-run"], ["check", file]]) {
      const { code, out, err } = await inProcess(words);
      assert.equal(code, 0, err);
      assert.match(out + err, /runs .*mine\.js inside this program/);
    }
    await assert.rejects(Deno.stat(mark), Deno.errors.NotFound);
  }));
