import assert from "node:assert/strict";
import { join } from "node:path";
import { PERMISSIONS } from "../../../workflows/cli/install.ts";
import { batchLauncher, MARK, shellLauncher } from "../../../workflows/cli/launcher.ts";

/** A project whose program prints what it was given, two folders for programs, and one to stand in. */
async function withLauncher(
  where: (base: string) => string,
  body: (
    base: string,
    start: (path: string, from?: string, command?: string) => Promise<{ code: number; out: string; err: string }>,
  ) => Promise<void>,
) {
  const base = await Deno.makeTempDir({ prefix: "nonzero launcher " });
  try {
    const project = join(base, "the project"), folder = where(base);
    for (const part of ["the project/workflows/cli", "new/bin", "node", "none", "tools", "some where"]) {
      await Deno.mkdir(join(base, part), { recursive: true });
    }
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(join(project, "workflows/cli/main.ts"), "");
    const program = (name: string, version: string) =>
      `#!/bin/sh\nif [ "$1" = --version ]; then echo "${version}"; exit; fi\n` +
      `echo ${name} "$INIT_CWD" "$NONZERO_LAUNCHER"; for word; do echo "<$word>"; done\n`;
    const programs = { "new/bin/deno": "deno 2.9.6 (stable)", "node/npx": "11.0.0", "none/deno": "deno 1.46.3" };
    for (const [path, version] of Object.entries(programs)) {
      await Deno.writeTextFile(join(base, path), program(path, version), { mode: 0o755 });
    }
    await Deno.symlink("/usr/bin/dirname", join(base, "tools/dirname"));
    const text = shellLauncher({ project: `${project}/`, folder, permissions: PERMISSIONS });
    await Deno.writeTextFile(join(folder, "nonzero"), text, { mode: 0o755 });
    await body(base, async (path, from = folder, command = "run") => {
      const { code, stdout, stderr } = await new Deno.Command(join(from, "nonzero"), {
        args: [command, "my file.yaml", "$HOME", "it's"],
        cwd: join(base, "some where"),
        env: { PATH: [...path.split(":"), "tools"].map((name) => join(base, name)).join(":") },
        clearEnv: true,
      }).output();
      const decoder = new TextDecoder();
      return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
    });
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

const posix = { ignore: Deno.build.os === "windows" };

Deno.test(
  "shellLauncher() finds deno when it runs, and names nothing of the machine but the project",
  posix,
  () =>
    withLauncher((base) => join(base, "bin"), async (base, start) => {
      const text = await Deno.readTextFile(join(base, "bin/nonzero"));
      assert(text.includes(MARK));
      assert(!text.includes(Deno.execPath()) && !/_npx|node_modules|\.cache/.test(text));
      const { code, out, err } = await start("new/bin:node");
      assert.equal(code, 0, err);
      const [first, ...words] = out.trimEnd().split("\n");
      assert.equal(first, `new/bin/deno ${join(base, "some where")} ${join(base, "bin/nonzero")}`);
      assert.deepEqual(words.slice(-4), ["<run>", "<my file.yaml>", "<$HOME>", "<it's>"]);
      assert.equal(words.at(-5), `<${join(base, "the project/workflows/cli/main.ts")}>`);
      for (const permission of PERMISSIONS) assert(words.includes(`<${permission}>`));
    }),
);

Deno.test(
  "launchers open the network for a command as its task does, and for no other",
  posix,
  () =>
    withLauncher((base) => join(base, "bin"), async (base, start) => {
      const batch = batchLauncher({ project: base, folder: base, permissions: PERMISSIONS });
      const tasks: Record<string, { command: string }> =
        JSON.parse(Deno.readTextFileSync(new URL("../../../deno.json", import.meta.url))).tasks;
      const opened = ["pull", "watch"];
      for (const command of ["run", "diagnose", ...opened]) {
        const net = /--allow-net\S*/.exec(tasks[command]!.command)?.[0];
        assert.equal(net !== undefined, opened.includes(command));
        const { out } = await start("new/bin", undefined, command);
        assert.equal(/<(--allow-net[^>]*)>/.exec(out)?.[1], net, out);
        if (net) assert(batch.includes(`if "%~1"=="${command}" set "net=${net}"`));
      }
    }),
);

Deno.test(
  "shellLauncher() takes npx where deno is absent or too old, and says so where both are",
  posix,
  () =>
    withLauncher((base) => join(base, "bin"), async (_, start) => {
      assert.match((await start("none:node")).out, /^node\/npx .*\n<-y>\n<deno@2\.9\.6>\n<run>/);
      assert.match((await start("node")).out, /^node\/npx /);
      const { code, err } = await start("none");
      assert.equal(err, "Cannot start Nonzero: want deno 2.9 or newer on PATH, or npx\n");
      assert.equal(code, 2);
    }),
);

Deno.test(
  "shellLauncher() says where the project was when it is gone, exit 2",
  posix,
  () =>
    withLauncher((base) => join(base, "bin"), async (base, start) => {
      await Deno.rename(join(base, "the project"), join(base, "moved"));
      const { code, out, err } = await start("new/bin");
      assert.equal(code, 2);
      assert.equal(out, "");
      assert.equal(
        err,
        `Cannot start Nonzero: it is no longer in ${
          join(base, "the project")
        }; where it is now, run: deno task install\n`,
      );
    }),
);

Deno.test(
  "shellLauncher() inside the project moves with it",
  posix,
  () =>
    withLauncher((base) => join(base, "the project/my/bin"), async (base, start) => {
      await Deno.rename(join(base, "the project"), join(base, "moved"));
      const { code, out, err } = await start("new/bin", join(base, "moved/my/bin"));
      assert.equal(code, 0, err);
      assert(out.includes(`<${join(base, "moved/workflows/cli/main.ts")}>`), out);
    }),
);

Deno.test("batchLauncher() says the same in the words of Windows", () => {
  const text = batchLauncher({ project: "C:\\my project\\", folder: "C:\\bin", permissions: PERMISSIONS });
  assert.match(text, /^set "project=C:\\my project"\r$/m);
  assert.match(text, /npx -y deno@2\.9\.6 run/);
  assert(text.split("\n").every((line) => line === "" || line.endsWith("\r")));
});
