/** Which tests a source file can make fail, the nearest first. @module */
import { dirname, join } from "node:path/posix";

const IMPORTED = /(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+\.ts)"|new URL\("(\.{1,2}\/[^"]+\.ts)"/g;

/** For every file, the files that import it or name its URL. Paths are relative to the project. */
export function importers(sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const result = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const [, imported, named] of text.matchAll(IMPORTED)) {
      const target = join(dirname(path), (imported ?? named)!);
      result.set(target, [...result.get(target) ?? [], path]);
    }
  }
  return result;
}

/** Leading folders that two paths share. */
function shared(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  const at = left.findIndex((part, i) => part !== right[i]);
  return at < 0 ? left.length : at;
}

/**
 * Tests that bear the file's name, then those that reach it over one import, two, …; in a tie those of near folders.
 */
export function relatedTests(file: string, by: ReadonlyMap<string, readonly string[]>): string[] {
  const distance = new Map([[file, 0]]), open = [file];
  for (let path = open.shift(); path !== undefined; path = open.shift()) {
    for (const importer of by.get(path) ?? []) {
      if (distance.has(importer)) continue;
      distance.set(importer, distance.get(path)! + 1);
      open.push(importer);
    }
  }
  const stem = `tests/${file.replace(/\.ts$/, "")}`, own = `${stem}_test.ts`;
  const rank = (test: string) => test === own ? -2 : test.startsWith(`${stem}_`) ? -1 : distance.get(test)!;
  return [...distance.keys()].filter((path) => path.endsWith("_test.ts"))
    .sort((a, b) => rank(a) - rank(b) || shared(b, own) - shared(a, own) || (a < b ? -1 : 1));
}
