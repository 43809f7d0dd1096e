/** Finds JupyterLab and puts Deno's kernel where it looks for it, inside the project. @module */
import { join } from "node:path";

/** How JupyterLab is started. */
interface Jupyter {
  readonly program: string;
  readonly args: readonly string[];
  /** Its major version. */
  readonly version: number;
}

/** What a program prints; null where it cannot be started, or fails. */
type Probe = (program: string, args: readonly string[]) => string | null;

const printed: Probe = (program, args) => {
  try {
    const { success, stdout } = new Deno.Command(program, { args: [...args], stderr: "null", stdin: "null" })
      .outputSync();
    return success ? new TextDecoder().decode(stdout) : null;
  } catch {
    return null;
  }
};

/** JupyterLab of a virtual environment beside the project or the caller, or on PATH; null where there is none. */
export function findJupyter(folders: readonly string[], probe: Probe = printed): Jupyter | null {
  const bin = Deno.build.os === "windows" ? "Scripts" : "bin";
  const places = folders.flatMap((folder) => [".venv", "venv"].map((name) => join(folder, name, bin, "jupyter-lab")));
  const candidates = [
    ...places.map((program) => ({ program, args: [] })),
    { program: "jupyter-lab", args: [] },
    { program: "jupyter", args: ["lab"] },
    { program: "python3", args: ["-m", "jupyterlab"] },
  ];
  for (const { program, args } of candidates) {
    const version = /^(\d+)\./m.exec(probe(program, [...args, "--version"]) ?? "");
    if (version) return { program, args, version: Number(version[1]) };
  }
  return null;
}

/** The one command that installs it, by what this machine has. */
export function installLine(probe: Probe = printed): string {
  if (probe("uv", ["--version"]) !== null) return "uv tool install jupyterlab";
  if (probe("pipx", ["--version"]) !== null) return "pipx install jupyterlab";
  return "python3 -m venv .venv && .venv/bin/pip install jupyterlab";
}

/**
 * Writes the kernel's specification into `folder`, which is then one of JUPYTER_PATH: `deno jupyter --install` writes into
 * the home folder, where it would outlive the project and name the wrong deno after a move.
 */
export function writeKernel(folder: string, deno: string): string {
  const path = join(folder, "kernels", "deno");
  Deno.mkdirSync(path, { recursive: true });
  const kernel = {
    argv: [deno, "jupyter", "--kernel", "--conn", "{connection_file}"],
    display_name: "Deno",
    language: "typescript",
    env: { DENO_NO_UPDATE_CHECK: "1", MALLOC_ARENA_MAX: "2" },
  };
  Deno.writeTextFileSync(join(path, "kernel.json"), JSON.stringify(kernel, null, 2) + "\n");
  return path;
}
