/** Every source file with its text, read once, and what it imports and exports: what the conventions are held against. */
import assert from "node:assert/strict";

export const ROOT = new URL("../../", import.meta.url);

/** What each folder may import, besides itself. */
export const MAY_IMPORT: Record<string, readonly string[]> = {
  gpu: [],
  data: [],
  notebooks: ["data"],
  steps: ["gpu", "data", "notebooks"],
  workflows: ["steps", "gpu", "notebooks", "data"],
};

export interface Source {
  /** From the project's folder. */
  readonly path: string;
  readonly text: string;
}

/** One import of a file of the project, or one export of what another file has. */
export interface Import {
  readonly target: string;
  /** Names as the target has them; null: all of them. */
  readonly names: readonly string[] | null;
  readonly isType: boolean;
}

export async function* files(folder: string, ends: RegExp): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(`${folder}/`, ROOT))) {
    const path = `${folder}/${entry.name}`;
    if (entry.name.startsWith(".")) continue; // what editors, JupyterLab and a notebook that runs leave for a while
    if (entry.isDirectory) yield* files(path, ends);
    else if (ends.test(entry.name)) yield path;
  }
}

export const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));

export async function exists(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(new URL(path, ROOT))).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function sources(folders: readonly string[]): Promise<Source[]> {
  const found: Source[] = [];
  for (const folder of folders) {
    for await (const path of files(folder, /\.ts$/)) found.push({ path, text: await read(path) });
  }
  return found.sort((a, b) => a.path < b.path ? -1 : 1);
}

export const SOURCES: readonly Source[] = await sources(Object.keys(MAY_IMPORT));
export const TESTS: readonly Source[] = await sources(["tests"]);

/** One message with every offender: fixing them one by one would take as many runs. */
export function none(offenders: readonly string[], rule: string): void {
  assert(offenders.length === 0, `${rule}:\n  ${offenders.join("\n  ")}`);
}

const resolved = (path: string, specifier: string) =>
  new URL(specifier, new URL(path, ROOT)).href.slice(ROOT.href.length);

const words = (list: string) => list.split(",").map((word) => word.trim()).filter(Boolean);
const STATIC = /^(?:import|export) (type )?(?:(\{[^}]*\})|\* as \w+|\*|\w+(?:, (\{[^}]*\}))?) from "(\.[^"]+)"/gm;
const DYNAMIC =
  /(?:\{([^{}]*)\} = await import\("(\.[^"]+)"\))|(?:\(await import\("(\.[^"]+)"\)\)\.(\w+))|(typeof )?import\("(\.[^"]+)"\)/g;

/** What a file imports of the project, statically or while it runs. */
export function importsOf({ path, text }: Source): Import[] {
  const found: Import[] = [];
  for (const [, type, list, second, specifier] of text.matchAll(STATIC)) {
    const all = list === undefined ? [] : words(list.slice(1, -1));
    const names = all.map((word) => word.replace(/^type /, "").split(" as ")[0]!);
    const more = second === undefined ? [] : words(second.slice(1, -1));
    found.push({
      target: resolved(path, specifier!),
      names: list === undefined ? null : [...names, ...more],
      isType: type !== undefined || (list !== undefined && all.every((word) => word.startsWith("type "))),
    });
  }
  for (const [, list, first, second, name, type, third] of text.matchAll(DYNAMIC)) {
    const names = list !== undefined
      ? words(list).map((word) => word.split(":")[0]!)
      : name !== undefined
      ? [name]
      : null;
    found.push({ target: resolved(path, (first ?? second ?? third)!), names, isType: type !== undefined });
  }
  for (const [, specifier] of text.matchAll(/^import "(\.[^"]+)"/gm)) {
    found.push({ target: resolved(path, specifier!), names: [], isType: false });
  }
  return found;
}

const DECLARED =
  /^export (?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (?:(\w+)|\{([^}]*)\})|^export (?:type )?\{([^}]*)\}/gm;

/** The names that a file exports. */
export function exportsOf({ text }: Source): string[] {
  return Array.from(
    text.matchAll(DECLARED),
    ([, name, parts, list]) =>
      name !== undefined
        ? [name]
        : words(parts ?? list!).map((word) =>
          word.replace(/^type /, "").split(parts === undefined ? " as " : ": ").at(-1)!
        ),
  )
    .flat();
}
