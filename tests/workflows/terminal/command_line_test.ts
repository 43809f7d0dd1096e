import assert from "node:assert/strict";
import { delimiter, join } from "node:path";
import { pathArgument, PROJECT } from "../../../workflows/terminal/caller.ts";
import {
  commandLine,
  optionWords,
  programOf,
  quoted,
  resumeCommand,
  runsWords,
  type Start,
} from "../../../workflows/terminal/command_line.ts";

/** A project, a folder in it, one in it that has tasks of its own, and one elsewhere. */
async function withFolders(body: (start: (here: string, more?: Partial<Start>) => Start, base: string) => void) {
  const base = await Deno.makeTempDir();
  try {
    for (const folder of ["my project/sub/own", "elsewhere/bin"]) {
      await Deno.mkdir(join(base, folder), { recursive: true });
    }
    for (const file of ["my project/deno.json", "my project/sub/own/package.json", "elsewhere/bin/nonzero"]) {
      await Deno.writeTextFile(join(base, file), "{}");
    }
    const project = join(base, "my project");
    body((here, more = {}) => ({ here: join(base, here), project, ...more }), base);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

Deno.test("commandLine() names the project's configuration where deno task would not find it", () =>
  withFolders((start, base) => {
    assert.equal(commandLine(["run", "a.yaml"], start("my project")), "deno task run a.yaml");
    assert.equal(commandLine(["run", "a.yaml"], start("my project/sub")), "deno task run a.yaml");
    const far = ["deno", "task", "--config", join(base, "my project", "deno.json")];
    assert.deepEqual(programOf(start("my project/sub/own")), far);
    assert.deepEqual(programOf(start("elsewhere")), far);
    assert.equal(commandLine(["env"], start("elsewhere")), `deno task --config "${far[3]}" env`);
  }));

Deno.test("commandLine() goes through npx where the program came from there", () =>
  withFolders((start, base) => {
    const npm = "npx";
    assert.equal(commandLine(["start"], start("my project", { npm })), "npx -y deno@2.9.6 task start");
    const far = ["npx", "-y", "deno@2.9.6", "task", "--config", join(base, "my project", "deno.json")];
    assert.deepEqual(programOf(start("elsewhere", { npm })), far);
    assert.equal(commandLine(["start"], start("my project", { npm: "test" })), "deno task start");
  }));

Deno.test("commandLine() uses the launcher by name where PATH finds it, else by its path", () =>
  withFolders((start, base) => {
    const bin = join(base, "elsewhere", "bin"), launcher = join(bin, "nonzero");
    const path = [join(base, "nothing"), bin].join(delimiter);
    assert.equal(commandLine(["runs"], start("elsewhere", { launcher, path, npm: "npx" })), "nonzero runs");
    assert.deepEqual(programOf(start("my project", { launcher, path: "" })), [launcher]);
    assert.deepEqual(programOf(start("elsewhere", { launcher: "bin/nonzero", path })), ["nonzero"]);
    assert.deepEqual(programOf(start("elsewhere", { launcher: "bin/nonzero", path: "/usr/bin" })), ["bin/nonzero"]);
  }));

Deno.test({
  name: "quoted() words come back from a shell as they were",
  ignore: Deno.build.os === "windows",
  async fn() {
    const words = [
      ...["plain", "47+38=", "=ls", "two words", "it's", 'say "x"', "$HOME", "`id`", "a\\b", "wow!", "#", "*", "~"],
      ...["a\nb", "", "中文", "ｆｕｌｌ？", "{a,b}", "a;b", "a|b&c", "<x>", "-p", "é è", "'\"$"],
    ];
    const line = words.map(quoted).join(" ");
    const { stdout } = await new Deno.Command("sh", { args: ["-c", `printf '%s\\0' ${line}`] }).output();
    assert.deepEqual(new TextDecoder().decode(stdout).split("\0").slice(0, -1), words);
    assert.equal(quoted("47+38="), "47+38=");
    assert.equal(quoted("two words"), '"two words"');
  },
});

Deno.test("optionWords() keeps a value that begins with a dash from being an option", () => {
  assert.deepEqual(optionWords("prompt", "3-5="), ["--prompt", "3-5="]);
  assert.deepEqual(optionWords("prompt", "-3+5="), ["--prompt=-3+5="]);
});

Deno.test("resumeCommand() says where the runs lie, unless it is the project's own folder", () => {
  assert.deepEqual(runsWords(join(PROJECT, "runs")), []);
  assert.deepEqual(runsWords(pathArgument("mine")), ["--runs", "mine"]);
  assert.equal(resumeCommand(join(PROJECT, "runs", "r1")), commandLine(["run", "--resume", "r1"]));
  assert.equal(resumeCommand(pathArgument("mine/r1")), commandLine(["run", "--resume", "r1", "--runs", "mine"]));
});
