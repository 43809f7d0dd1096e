/** A Python that has a package, for tests that hold ours beside another program. @module */
import { trlPython } from "./trl.ts";

/** NONZERO_PEERS_PYTHON, `.venv-peers/bin/python` or python3, the first that has the package; null where none has. */
export function pythonWith(name: string): string | null {
  const has = (python: string) => {
    const script = `import importlib.util, sys; sys.exit(importlib.util.find_spec("${name}") is None)`;
    try {
      return new Deno.Command(python, { args: ["-c", script], stdout: "null", stderr: "null" }).outputSync().success;
    } catch {
      return false; // There is no such program.
    }
  };
  return [trlPython(), "python3"].find((python) => python !== null && has(python)) ?? null;
}
