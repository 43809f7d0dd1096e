/** Every command that is printed for a person works when it is pasted where the person stands. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { PROJECT } from "../../../workflows/terminal/caller.ts";
import { TINY } from "../cli/tiny.ts";

/** A folder of a user's own, with a space in its name, a workflow, and a launcher in another. */
async function withUser(body: (user: User) => Promise<void>): Promise<void> {
  const base = await Deno.makeTempDir({ prefix: "nonzero user " });
  try {
    const folder = join(base, "my work"), bin = join(base, "bin");
    await Deno.mkdir(folder);
    await Deno.writeTextFile(join(folder, "my tiny.yaml"), TINY);
    await body(new User(folder, bin));
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

class User {
  constructor(readonly folder: string, readonly bin: string) {}

  /** Pastes a line into a shell; `heard` gets what it has printed so far and may stop it. */
  async paste(line: string, heard: (said: string, pid: number) => void = () => {}) {
    // What says how a program was started is the tests' own: a new terminal has none of it.
    const { INIT_CWD: _here, npm_lifecycle_event: _npm, NONZERO_LAUNCHER: _launcher, ...env } = Deno.env.toObject();
    const child = new Deno.Command("sh", {
      args: ["-c", `exec ${line}`],
      cwd: this.folder,
      env: { ...env, NO_COLOR: "1", PATH: `${this.bin}:${env["PATH"]}` },
      clearEnv: true,
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const texts = await Promise.all([child.stdout, child.stderr].map(async (stream) => {
      let text = "";
      for await (const piece of stream.pipeThrough(new TextDecoderStream())) heard(text += piece, child.pid);
      return text;
    }));
    return { code: (await child.status).code, said: texts.join("\n") };
  }
}

/** The command behind a word that introduces it. */
function hint(said: string, word: string): string {
  const found = new RegExp(`^(?:  |.*; )${word}(?: with:)? +(\\S.*)$`, "m").exec(said);
  assert(found, `there is no hint "${word}" in:\n${said}`);
  return found[1]!;
}

const posix = { ignore: Deno.build.os === "windows" };

Deno.test("hints of the launcher work where the user stands", posix, () =>
  withUser(async (user) => {
    const task = `deno task --config '${join(PROJECT, "deno.json")}'`;
    const { code, said } = await user.paste(`${task} install --dir ${JSON.stringify(user.bin)}`);
    assert.equal(code, 0, said);
    assert.match(said, /^Try: nonzero --help$/m);

    const none = await user.paste(`nonzero runs --runs "my runs"`);
    const start = hint(none.said, "start one");
    assert.equal(start, 'nonzero start --runs "my runs"');
    assert.equal((await user.paste(`${start} --dry-run`)).code, 0);

    const whole = await user.paste(`nonzero run "my tiny.yaml" --runs "my runs" -p train_steps=1`);
    assert.equal(whole.code, 0, whole.said);
    const tried = await user.paste(hint(whole.said, "try"));
    assert.equal(tried.code, 0, tried.said);
    assert.match(tried.said, /^prompt +completion +tokens +log-prob +answer +reward$/m);

    let asked = false;
    const stopped = await user.paste(`nonzero run "my tiny.yaml" --runs "my runs" -p train_steps=25`, (said, pid) => {
      if (asked || !/^ +1 +0\.\d{3} /m.test(said)) return;
      asked = true;
      Deno.kill(pid, "SIGINT");
    });
    assert.equal(stopped.code, 130, stopped.said);
    const resumed = await user.paste(hint(stopped.said, "resume"));
    assert.equal(resumed.code, 0, resumed.said);
    assert.match(resumed.said, /^ok {2}/m);
  }));

Deno.test(
  "hints of deno task work from another folder, from the project and from one inside it",
  posix,
  () =>
    withUser(async (user) => {
      const task = `deno task --config '${join(PROJECT, "deno.json")}'`;
      const { said } = await user.paste(`${task} runs --runs none`);
      assert.equal((await user.paste(`${hint(said, "start one")} --dry-run`)).code, 0);
      for (const folder of [PROJECT, join(PROJECT, "workflows", "library")]) {
        const inside = new User(folder, user.bin);
        const { said } = await inside.paste("deno task runs --runs none");
        assert.equal(hint(said, "start one"), "deno task start --runs none");
        assert.equal((await inside.paste("deno task start --runs none --dry-run")).code, 0);
      }
    }),
);

Deno.test("no other file writes command lines of its own", async () => {
  // methods_page.ts and preflight_page.ts write pages of docs/, which say how they were written.
  const allowed = [
    "workflows/terminal/command_line.ts",
    "workflows/cli/docs.ts",
    "workflows/cli/methods_page.ts",
    "workflows/cli/preflight_page.ts",
    "workflows/cli/launcher.ts",
  ];
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(join(PROJECT, folder))) {
      const path = `${folder}/${name}`;
      if (isDirectory) await walk(path);
      else if (name.endsWith(".ts") && !allowed.includes(path)) {
        // What stands in comments is for those who read the code.
        const text = (await Deno.readTextFile(join(PROJECT, path))).replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
        if (/deno task \w|npx -y deno|nonzero (?:run|sample|start|diagnose|check|report) /.test(text)) found.push(path);
      }
    }
  };
  for (const folder of ["gpu", "data", "steps", "notebooks", "workflows"]) await walk(folder);
  assert.deepEqual(found, []);
});
