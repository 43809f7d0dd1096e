import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT } from "../../../workflows/terminal/caller.ts";
import { commandLine } from "./command_line.ts";
import { fabricateRun, RUN_A, RUN_B } from "./fabricated_run.ts";
import { inProcess } from "./in_process.ts";
import { MISTAKES } from "./mistakes.ts";
import { TINY } from "./tiny.ts";
import { COMMANDS } from "../../../workflows/cli/mod.ts";
import { helpText } from "../../../workflows/cli/help_text.ts";

Deno.test("every command has its own name, one line about it, and a help that fits 100 columns", async () => {
  for (const [name, load] of Object.entries(COMMANDS)) {
    const command = await load();
    assert.equal(command.name, name);
    assert(!command.about.includes("\n"));
    for (const line of helpText(command).split("\n")) assert(line.length <= 100, `${name}: ${line}`);
  }
});

Deno.test("a command starts without the files that only others import", async () => {
  const { unstable } = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));
  assert.deepEqual(unstable, ["lazy-dynamic-imports"]);
});

/** What the lines of MISTAKES stumble over. */
function prepare(folder: string): void {
  Deno.writeTextFileSync(join(folder, "tiny.yaml"), TINY);
  Deno.writeFileSync(join(folder, "bytes.yaml"), Uint8Array.of(0xff, 0xfe, 0x00, 0x81));
  Deno.symlinkSync("nowhere", join(folder, "dangling.yaml"));
  for (const name of ["folder", "runs/0damaged"]) Deno.mkdirSync(join(folder, name), { recursive: true });
  Deno.writeTextFileSync(join(folder, "runs/0damaged/run.json"), "{");
  for (const id of [RUN_A, RUN_B]) fabricateRun(join(folder, "runs"), id);
}

/** Words of a line in which '' is an empty one and `~` the folder. */
const words = (line: string, folder: string) =>
  line.split(" ").map((word) => word === "''" ? "" : word.replace(/^~/, folder));

Deno.test("a mistake on the command line is one line that says what to do, exit 2, before anything is done", async (t) => {
  const folder = await Deno.makeTempDir();
  try {
    prepare(folder);
    for (const [line, answer] of MISTAKES) {
      await t.step(line, async () => {
        const { code, out, err } = await inProcess(words(line, folder));
        assert.match(err.trimEnd(), answer);
        assert.equal(err.trimEnd().split("\n").length, 1, err);
        assert.doesNotMatch(err, /^ +at |os error|--allow-(?:all|read|write|env|net|run|ffi|sys)|This is a bug/m);
        assert.equal(out, "");
        assert.equal(code, 2);
      });
    }
    const left = Array.from(Deno.readDirSync(folder), ({ name }) => name).sort();
    assert.deepEqual(left, ["bytes.yaml", "dangling.yaml", "folder", "runs", "tiny.yaml"]);
    assert.deepEqual(Array.from(Deno.readDirSync(join(folder, "runs"))).length, 3);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("every command has --help and --version, and does nothing else then", async () => {
  const { version } = JSON.parse(await Deno.readTextFile(join(PROJECT, "deno.json")));
  const said = `nonzero ${version} (deno ${Deno.version.deno})\n`;
  for (const name of Object.keys(COMMANDS)) {
    for (const args of [[name, "--help"], [name, "-h"], ["help", name]]) {
      const { code, out, err } = await inProcess(args);
      assert.deepEqual([code, err], [0, ""], name);
      assert(out.includes("\nUsage: ") && out.includes("--version"), out);
    }
    assert.deepEqual(await inProcess([name, "--version"]), { code: 0, out: said, err: "" });
  }
  for (const flag of ["--version", "-V"]) assert.equal((await inProcess([flag])).out, said);
});

Deno.test("main suggests the command that was meant, exit 2", async () => {
  const { code, out, err } = await commandLine(["rnu"]);
  assert.equal(code, 2);
  assert.equal(out, "");
  assert.match(err, /^Cannot run "rnu": it is no command; did you mean "run"\?/);
});

Deno.test("main prints the list of commands", async () => {
  const { code, out } = await inProcess(["--help"]);
  assert.equal(code, 0);
  for (const name of Object.keys(COMMANDS)) assert.match(out, new RegExp(`^  ${name} `, "m"));
});
