import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureConfig } from "../../../workflows/explore/notebook_config.ts";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url)).replace(/[\\/]$/, "");

async function withFolder(body: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("ensureConfig() leaves the project's own folders and what it wrote before alone", () =>
  withFolder((folder) => {
    assert.equal(ensureConfig(join(PROJECT, "notebooks"), PROJECT), null);
    assert.equal(ensureConfig(folder, PROJECT), join(folder, "deno.json"));
    assert.equal(ensureConfig(folder, PROJECT), null);
    Deno.mkdirSync(join(folder, "below"));
    assert.equal(ensureConfig(join(folder, "below"), PROJECT), null);
  }));

Deno.test("ensureConfig() lets files of any folder import the project, without arguments of Deno", () =>
  withFolder(async (folder) => {
    const href = pathToFileURL(join(PROJECT, "workflows/mod.ts")).href, file = join(folder, "cell.ts");
    Deno.writeTextFileSync(file, `import { show } from "${href}"; console.log(typeof show, Deno.cwd());`);
    const run = () => new Deno.Command(Deno.execPath(), { args: ["run", "-A", "-q", file], cwd: folder }).output();
    const before = await run();
    assert.equal(before.success, false);
    ensureConfig(folder, PROJECT);
    const { stdout, stderr } = await run();
    assert.equal(new TextDecoder().decode(stdout), `function ${folder}\n`, new TextDecoder().decode(stderr));
  }));

Deno.test("ensureConfig() refuses the configuration of something else and leaves it as it is", () =>
  withFolder((folder) => {
    const path = join(folder, "deno.json"), text = '{"imports": {"zod": "npm:zod@4"}}';
    Deno.writeTextFileSync(path, text);
    assert.throws(() => ensureConfig(folder, PROJECT), /Cannot open notebooks of .*deno\.json.*"importMap": /s);
    assert.equal(Deno.readTextFileSync(path), text);
    Deno.writeTextFileSync(path, Deno.readTextFileSync(join(PROJECT, "deno.json")));
    assert.equal(ensureConfig(folder, PROJECT), null);
  }));
