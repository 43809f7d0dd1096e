/** A copy of the project in a temporary folder, in which one file at a time is changed and tests are run. @module */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
/** Not copied: history, results, and what is linked instead. */
const LEFT_OUT = new Set([".git", "runs", "node_modules"]);

/** How a run of tests ended. `hangs`: nothing was printed for a third of the limit before it was over. */
export interface TestRun {
  readonly ended: "passed" | "failed" | "hangs" | "out of time" | "does not compile";
  /** The first test that failed, and its file. */
  readonly test: string | null;
  readonly file: string | null;
}

export class ProjectCopy {
  private constructor(readonly folder: string) {}

  static async create(): Promise<ProjectCopy> {
    const folder = await Deno.makeTempDir({ prefix: "nonzero-mutations-" });
    await copyFolder(PROJECT, folder);
    await Deno.symlink(join(PROJECT, "node_modules"), join(folder, "node_modules"));
    return new ProjectCopy(folder);
  }

  read(path: string): string {
    return Deno.readTextFileSync(join(this.folder, path));
  }

  write(path: string, text: string): void {
    Deno.writeTextFileSync(join(this.folder, path), text);
  }

  /** Every TypeScript file by its path. */
  sources(): Map<string, string> {
    const result = new Map<string, string>();
    const walk = (folder: string) => {
      for (const { name, isDirectory } of Deno.readDirSync(join(this.folder, folder))) {
        const path = folder === "" ? name : `${folder}/${name}`;
        if (isDirectory && !LEFT_OUT.has(name)) walk(path);
        else if (name.endsWith(".ts")) result.set(path, this.read(path));
      }
    };
    walk("");
    return result;
  }

  /** Runs test files in one process until the first failure or the end of `ms`. */
  async test(paths: readonly string[], ms: number): Promise<TestRun> {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "-q", "--no-check", "--no-prompt", "--fail-fast", ...paths],
      cwd: this.folder,
      env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", MALLOC_ARENA_MAX: "2" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
    let said = "", last = performance.now(), late = false;
    const listen = async (stream: typeof child.stdout) => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) {
        said += text;
        last = performance.now();
      }
    };
    // The whole group: tests start programs of their own.
    const end = setTimeout(() => {
      late = true;
      Deno.kill(-child.pid, "SIGKILL");
    }, ms);
    const reading = Promise.all([listen(child.stdout), listen(child.stderr)]);
    const { success } = await child.status;
    clearTimeout(end);
    if (late) return { ended: performance.now() - last > ms / 3 ? "hangs" : "out of time", test: null, file: null };
    await reading;
    if (success) return { ended: "passed", test: null, file: null };
    if (/source code could not be parsed|does not provide an export named/.test(said)) {
      return { ended: "does not compile", test: null, file: null };
    }
    const [, test = null, file = null] = /^(.+) => \.?\/?(tests\/\S+?\.ts)(?::\d+)*$/m.exec(said) ??
      /^()(?:\.\/)?(tests\/\S+_test\.ts) \(uncaught error\)$/m.exec(said) ?? [];
    return { ended: "failed", test, file };
  }

  async remove(): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  for await (const { name, isFile, isDirectory } of Deno.readDir(from)) {
    if (LEFT_OUT.has(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    if (isDirectory) {
      await Deno.mkdir(target, { recursive: true });
      await copyFolder(source, target);
    } else if (isFile) {
      await Deno.mkdir(dirname(target), { recursive: true });
      await Deno.copyFile(source, target);
    }
  }
}
