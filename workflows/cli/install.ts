/** `install`: writes a launcher `nonzero` that runs the same commands from any folder. @module */
import { dirname, join } from "node:path";
import { defineCommand, UsageError } from "./command.ts";
import { pathArgument, PROJECT } from "./paths.ts";
import { stdout } from "./terminal.ts";

/** Permissions of the launcher: those of `deno task run`; no net. */
export const PERMISSIONS = [
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-run",
  "--allow-ffi",
  "--allow-sys",
] as const;

const MARK = "Written by Nonzero: deno task install";

export const install = defineCommand({
  name: "install",
  about: "Write a launcher `nonzero` (same words, from any folder)",
  usage: "[--dir DIR] [--force]",
  words: [0, 0],
  options: {
    dir: { about: "folder for the launcher, one that is on PATH (default: ~/.local/bin)", value: "DIR" },
    force: { about: "replace a file of that name that Nonzero did not write" },
  },
  async run(_words, { dir, force }) {
    const home = Deno.env.get("HOME") ?? Deno.env.get("USERPROFILE");
    if (!dir && !home) throw new UsageError("Cannot install: neither HOME nor --dir says where");
    const folder = dir ? pathArgument(dir) : join(home!, ".local", "bin");
    const windows = Deno.build.os === "windows";
    const path = join(folder, windows ? "nonzero.cmd" : "nonzero");
    const existing = await readOrNull(path);
    if (existing !== null && !existing.includes(MARK) && !force) {
      throw new UsageError(`Cannot install "${path}": another program has that name; use --force or --dir`);
    }
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, windows ? batch() : script());
    if (!windows) await Deno.chmod(path, 0o755);
    stdout.line(`Wrote ${path}`);
    const onPath = (Deno.env.get("PATH") ?? "").split(windows ? ";" : ":").includes(folder);
    stdout.line(onPath ? "Try: nonzero --help" : `${folder} is not on PATH: add it, then try: nonzero --help`);
    return 0;
  },
});

function script(): string {
  return `#!/bin/sh
# ${MARK}
INIT_CWD="$PWD" exec ${quoted(Deno.execPath())} run -q --no-prompt ${PERMISSIONS.join(" ")} --config ${
    quoted(join(PROJECT, "deno.json"))
  } ${quoted(join(PROJECT, "workflows/cli/main.ts"))} "$@"
`;
}

function batch(): string {
  return `@echo off\r\nrem ${MARK}\r\nset INIT_CWD=%CD%\r\n"${Deno.execPath()}" run -q --no-prompt ${
    PERMISSIONS.join(" ")
  } --config "${join(PROJECT, "deno.json")}" "${join(PROJECT, "workflows/cli/main.ts")}" %*\r\n`;
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

async function readOrNull(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
