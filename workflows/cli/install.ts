/** `install`: writes a launcher `nonzero` that runs the same commands from any folder. @module */
import { join } from "node:path";
import { textIfThere } from "../../data/file_system.ts";
import { callerFolder, pathArgument, PROJECT, shownPath } from "../terminal/caller.ts";
import { commandLine, programOf } from "../terminal/command_line.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { batchLauncher, MARK, shellLauncher } from "./launcher.ts";
import { stdout } from "../terminal/terminal.ts";
import { requireWritable } from "./writable_folder.ts";

/** Permissions of the launcher: those of `deno task run`. The net is only for `pull` and `watch`, to which it adds it. */
export const PERMISSIONS = ["read", "write", "env", "run", "ffi", "sys"].map((name) => `--allow-${name}`);

/** Arguments of deno that run a file of the project with the permissions of the launcher. */
export function denoRun(path: string, args: readonly string[], more: readonly string[] = []): string[] {
  const flags = ["-q", "--no-prompt", ...PERMISSIONS, ...more, "--config", join(PROJECT, "deno.json")];
  return ["run", ...flags, join(PROJECT, path), ...args];
}

export const install = defineCommand({
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
    requireWritable(folder, "the launcher", "--dir");
    const path = join(folder, windows ? "nonzero.cmd" : "nonzero");
    const existing = textIfThere(path);
    if (existing !== null && !existing.includes(MARK) && !force) {
      throw new UsageError(`Cannot install "${path}": another program has that name; use --force or --dir`);
    }
    const launched = { project: PROJECT, folder, permissions: PERMISSIONS };
    await Deno.writeTextFile(path, windows ? batchLauncher(launched) : shellLauncher(launched));
    if (!windows) await Deno.chmod(path, 0o755);
    stdout.line(`Wrote ${shownPath(path)}`);
    const start = { launcher: path, path: Deno.env.get("PATH"), here: callerFolder(), project: PROJECT };
    const [program] = programOf(start);
    if (program === path) stdout.line(`${shownPath(folder)} is not on PATH: add it, or use the whole path`);
    stdout.line(`Try: ${commandLine(["--help"], start)}`);
    return 0;
  },
});
