/** What a notebook's kernel resolves the project's libraries by: the kernel takes no --config, and looks from its folder. @module */
import { dirname, join, resolve } from "node:path";
import { isFile } from "../../data/file_system.ts";

const NAMES = ["deno.json", "deno.jsonc"];

/** The nearest configuration at `folder` or above it, as Deno finds it; null where there is none. */
function nearestConfig(folder: string): string | null {
  for (let at = folder;; at = dirname(at)) {
    const found = NAMES.map((name) => join(at, name)).find(isFile);
    if (found !== undefined) return found;
    if (dirname(at) === at) return null;
  }
}

/** The text of a deno.json that names the project's libraries, in a folder outside of it. */
function configText(project: string): string {
  return JSON.stringify({ importMap: join(project, "deno.json"), nodeModulesDir: "none", lock: false }, null, 2) + "\n";
}

/**
 * Makes the imports of the project's files work in notebooks of `folder`: writes a deno.json there where none is found, and
 * returns its path; null where nothing was to do. Throws RangeError where the configuration of something else stands in
 * the way, naming it and what to add, and where none can be written.
 */
export function ensureConfig(folder: string, project: string): string | null {
  const found = nearestConfig(folder);
  if (found === null) return writeConfig(folder, project);
  if (found === join(project, "deno.json") || knows(found, project)) return null;
  throw new RangeError(
    `Cannot open notebooks of ${folder}: the kernel reads ${found}, by which Nonzero's libraries are not found; put into ` +
      `it "importMap": ${
        JSON.stringify(join(project, "deno.json"))
      } (with no "imports" of its own), move the notebook to ` +
      "another folder, or run it with --execute",
  );
}

function writeConfig(folder: string, project: string): string {
  const path = join(folder, "deno.json");
  try {
    Deno.writeTextFileSync(path, configText(project), { createNew: true });
    return path;
  } catch (cause) {
    throw new RangeError(
      `Cannot open notebooks of ${folder}: the kernel wants a deno.json there and none can be written; move the notebook ` +
        "to another folder, or run it with --execute",
      { cause },
    );
  }
}

/** Whether a configuration names the project's libraries: by its import map, or each of them itself. */
function knows(path: string, project: string): boolean {
  const config = read(path);
  if (config === null) return true; // with comments, or broken: Deno says what is wrong with it
  const { importMap, imports } = config;
  if (typeof importMap === "string" && imports === undefined) {
    return resolve(dirname(path), importMap) === join(project, "deno.json");
  }
  const wanted = read(join(project, "deno.json"))?.imports ?? {};
  return Object.keys(wanted).every((name) => name in (imports ?? {}));
}

interface Config {
  readonly importMap?: unknown;
  readonly imports?: Readonly<Record<string, string>>;
}

function read(path: string): Config | null {
  try {
    const value: unknown = JSON.parse(Deno.readTextFileSync(path));
    return typeof value === "object" ? value as Config : null;
  } catch {
    return null;
  }
}
