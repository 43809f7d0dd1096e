/** Which file may import which: one direction between folders and between their rooms, no circle, nothing for nobody. */
import assert from "node:assert/strict";
import { exportsOf, files, importsOf, MAY_IMPORT, none, read, ROOT, type Source, SOURCES, TESTS } from "./sources.ts";

/** Rooms in the order in which data passes through them: none imports a later one, not even a type. */
const ROOMS: Record<string, readonly string[]> = {
  gpu: [
    "onnx",
    "autodiff",
    "ort",
    "session.ts",
    "weights",
    "losses",
    "optimizers",
    "models",
    "training",
    "sampling",
    "language_model.ts",
  ],
  workflows: [
    "terminal",
    "language",
    "plan",
    "store",
    "engine",
    "doctor",
    "doctor_page",
    "translate",
    "preflight",
    "repair",
    "run",
    "explore",
    "live",
    "cron",
    "goldens",
    "cli",
    "entry.ts",
    "mod.ts",
  ],
};

/** The most rooms that one finds one's way in. */
const MOST_ROOMS = 18;

/** Files that others than the project import: programs with the library, cells of notebooks, whoever is given a file. */
const PUBLIC = {
  "workflows/mod.ts": "the library",
  "notebooks/display.ts": "cells of notebooks",
  "workflows/explore/capture.ts": "notebooks that run as a program",
  "workflows/cli/scaffold/own_reward.ts": "holds the text of a file that it writes",
};

/** A folder's sub-folder or loose file. */
const roomOf = (path: string) => path.split("/").slice(0, 2).join("/");

/** Values that a file imports: types leave no import behind. */
const values = (source: Source) => importsOf(source).filter(({ isType }) => !isType).map(({ target }) => target);

/** Circles among what imports what, each as a list of its members. */
function circles(imports: ReadonlyMap<string, Iterable<string>>): string[][] {
  const order = new Map<string, number>(), low = new Map<string, number>(), open: string[] = [], found: string[][] = [];
  const visit = (name: string): void => {
    order.set(name, order.size);
    low.set(name, order.get(name)!);
    open.push(name);
    for (const target of imports.get(name) ?? []) {
      if (!order.has(target)) visit(target);
      if (open.includes(target)) low.set(name, Math.min(low.get(name)!, low.get(target)!));
    }
    if (low.get(name) !== order.get(name)) return;
    const circle = open.splice(open.indexOf(name));
    if (circle.length > 1) found.push(circle);
  };
  for (const name of imports.keys()) if (!order.has(name)) visit(name);
  return found;
}

const fileCircles = (sources: readonly Source[]) =>
  circles(new Map(sources.map((source) => [source.path, values(source)]))).map((circle) => circle.join(" "));

/** Circles between the rooms of one folder: there, one of the arrows points back up. */
function roomCircles(sources: readonly Source[]): string[] {
  const rooms = new Map<string, Set<string>>();
  for (const source of sources) {
    const room = roomOf(source.path), others = rooms.get(room) ?? new Set();
    for (const target of values(source)) if (target.split("/")[0] === room.split("/")[0]) others.add(roomOf(target));
    rooms.set(room, others);
  }
  for (const [room, others] of rooms) others.delete(room);
  return circles(rooms).map((circle) => circle.join(" "));
}

/** Names that are exported and that no other file imports. */
function idleExports(sources: readonly Source[], others: readonly Source[]): string[] {
  const imported = new Map<string, Set<string> | null>();
  for (const source of [...sources, ...others]) {
    for (const { target, names } of importsOf(source)) {
      const before = imported.get(target);
      imported.set(target, names === null || before === null ? null : new Set([...before ?? [], ...names]));
    }
  }
  return sources.filter(({ path }) => !Object.hasOwn(PUBLIC, path)).flatMap((source) => {
    const names = imported.get(source.path);
    return names === null
      ? []
      : exportsOf(source).filter((name) => !names?.has(name)).map((n) => `${source.path}: ${n}`);
  });
}

for (const [folder, allowed] of Object.entries(MAY_IMPORT)) {
  Deno.test(`${folder}/ imports only ${["itself", ...allowed].join(", ")}`, () => {
    for (const { path, text } of SOURCES.filter(({ path }) => path.startsWith(`${folder}/`))) {
      for (const [, specifier] of text.matchAll(/(?:from|import)\s*\(?"(\.{1,2}\/[^"]+)"/g)) {
        const target = new URL(specifier!, new URL(path, ROOT)).href.slice(ROOT.href.length).split("/")[0]!;
        assert(
          target === folder || allowed.includes(target),
          `Cannot import "${specifier}" in ${path}: ${folder}/ may import ${allowed.join(", ") || "nothing"}`,
        );
      }
    }
  });
}

for (const [folder, rooms] of Object.entries(ROOMS)) {
  Deno.test(`${folder}/ has rooms of which none imports a later one`, () => {
    const room = (path: string) => path.split("/")[1]!, wrong: string[] = [];
    for (const source of SOURCES.filter(({ path }) => path.startsWith(`${folder}/`))) {
      const { path } = source;
      assert(rooms.includes(room(path)), `Cannot order ${path}: want one of ${rooms.join(", ")}`);
      for (const { target } of importsOf(source)) {
        const isBelow = !target.startsWith(`${folder}/`) || rooms.indexOf(room(target)) <= rooms.indexOf(room(path));
        if (!isBelow) wrong.push(`${path} imports ${target}`);
      }
    }
    none(wrong, "An arrow back up");
  });
}

Deno.test("no file imports itself by way of others, types apart, and no room of a folder", () => {
  none(fileCircles(SOURCES), "A circle of files");
  none(roomCircles(SOURCES), "A circle of rooms");
  const rooms = new Set(SOURCES.map(({ path }) => path).filter((path) => path.startsWith("workflows/")).map(roomOf));
  assert(rooms.size <= MOST_ROOMS, `workflows/ has ${rooms.size} rooms, want at most ${MOST_ROOMS}`);
});

Deno.test("a circle is found, of files and of rooms, and a type makes none", () => {
  const made = (back: string): Source[] => [
    { path: "gpu/a/one.ts", text: 'import { two } from "../b/two.ts";' },
    { path: "gpu/b/two.ts", text: 'export { three } from "./three.ts";' },
    { path: "gpu/b/three.ts", text: back },
  ];
  assert.deepEqual(fileCircles(made('import {\n  one,\n} from "../a/one.ts";')), [
    "gpu/a/one.ts gpu/b/two.ts gpu/b/three.ts",
  ]);
  assert.deepEqual(fileCircles(made('const { one } = await import("../a/one.ts");')).length, 1);
  const elsewhere = made('import { four } from "../a/four.ts";');
  assert.deepEqual([fileCircles(elsewhere), roomCircles(elsewhere)], [[], ["gpu/a gpu/b"]]);
  for (const type of ['import type { One } from "../a/one.ts";', 'import { type One } from "../a/one.ts";']) {
    assert.deepEqual([fileCircles(made(type)), roomCircles(made(type))], [[], []]);
  }
});

Deno.test("every export is imported by another file or a test", () => none(idleExports(SOURCES, TESTS), "For nobody"));

Deno.test("an export for nobody is found, and one that is passed on or loaded while it runs is not", () => {
  const made = {
    path: "data/a.ts",
    text: "export const used = 1;\nexport interface Idle {}\nexport { b as c } from './b.ts'",
  };
  const importing = (text: string) => idleExports([made], [{ path: "tests/a_test.ts", text }]);
  const both = ["data/a.ts: Idle", "data/a.ts: c"];
  assert.deepEqual(importing('import { used } from "../data/a.ts";'), both);
  assert.deepEqual(importing('export { used as other } from "../data/a.ts";'), both);
  assert.deepEqual(importing('const { used, c } = await import("../data/a.ts");'), ["data/a.ts: Idle"]);
  assert.deepEqual(importing('const c = (await import("../data/a.ts")).c;'), ["data/a.ts: used", "data/a.ts: Idle"]);
  assert.deepEqual(importing('import * as all from "../data/a.ts";'), []);
});

Deno.test("packages are imported by the names of deno.json, and notebooks import the two public entries", async () => {
  const { imports } = JSON.parse(await read("deno.json")) as { imports: Record<string, string> };
  const known = (specifier: string) =>
    Object.keys(imports).some((name) => name.endsWith("/") ? specifier.startsWith(name) : specifier === name);
  const wrong = SOURCES.flatMap(({ path, text }) =>
    Array.from(text.matchAll(/^(?:import|export)[^"]*?from "([^."][^"]*)";/gm), ([, specifier]) => specifier!)
      .filter((specifier) => !specifier.startsWith("node:") && !known(specifier))
      .map((specifier) => `${path} imports "${specifier}"`)
  );
  for await (const path of files("notebooks", /\.ipynb$/)) {
    const { cells } = JSON.parse(await read(path)) as { cells: { source: string | string[] }[] };
    const text = cells.map(({ source }) => typeof source === "string" ? source : source.join("")).join("\n");
    for (const [, specifier] of text.matchAll(/from "(\.{1,2}\/[^"]+)"/g)) {
      const target = new URL(specifier!, new URL(path, ROOT)).href.slice(ROOT.href.length);
      const isPublic = ["workflows/mod.ts", "notebooks/display.ts"].includes(target);
      // One notebook looks inside: how a gradient is made.
      const isInside = path.includes("/02_") && target.startsWith("gpu/");
      if (!isPublic && !isInside) wrong.push(`${path} imports "${specifier}"`);
    }
  }
  none(wrong, "Cannot import these");
});
