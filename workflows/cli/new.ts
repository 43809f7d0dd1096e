/** `new`: scaffolds one file with its test and its line in the folder's table. @module */
import { dirname, join } from "node:path";
import { didYouMean } from "../suggest.ts";
import { defineCommand, UsageError } from "./command.ts";
import { pathArgument, PROJECT, shownPath } from "./paths.ts";
import { type Kind, KINDS } from "./scaffold/kinds.ts";
import { addToRegistry, camelCase } from "./scaffold/register.ts";
import { stdout } from "./terminal.ts";

export const newThing = defineCommand({
  name: "new",
  about: "Scaffold a step, reward, advantage, task, diagnosis, chart or workflow with its test",
  usage: "KIND NAME [--into DIR]",
  words: [2, 2],
  options: { into: { about: "project folder to write into (default: this one)", value: "DIR" } },
  notes: ["Kinds:", ...Object.entries(KINDS).map(([name, kind]) => `  ${name.padEnd(12)}${kind.about}`)],
  async run([kindName, name], { into }) {
    if (!Object.hasOwn(KINDS, kindName!)) {
      throw new UsageError(
        `Cannot make a new "${kindName}": it is no kind${didYouMean(kindName!, Object.keys(KINDS))}`,
      );
    }
    if (!/^[a-z][a-z0-9_]{0,60}$/.test(name!)) {
      throw new UsageError(`Cannot name it "${name}": want snake_case: a letter a to z, then letters, digits and _`);
    }
    const written = await scaffold(KINDS[kindName as keyof typeof KINDS], name!, into ? pathArgument(into) : PROJECT);
    for (const path of written) stdout.line(shownPath(path));
    return 0;
  },
});

/** Writes the files; returns their paths. Nothing is written when one of them exists. */
export async function scaffold(kind: Kind, name: string, project: string): Promise<string[]> {
  const value = camelCase(name);
  const extension = kind.registered ? ".ts" : ".yaml";
  const files: [path: string, text: string][] = [[
    join(project, kind.folder, name + extension),
    kind.source(name, value),
  ]];
  const test = kind.test(name, value);
  if (test) files.push([join(project, "tests", kind.folder, `${name}_test.ts`), test]);
  for (const [path] of files) {
    if (await exists(path)) throw new UsageError(`Cannot write "${path}": it exists`);
  }
  if (kind.registered) {
    const registry = join(project, kind.folder, "mod.ts");
    const text = await Deno.readTextFile(registry);
    await Deno.writeTextFile(registry, addToRegistry(text, name, value, registry));
    files.push([registry, ""]);
  }
  for (const [path, text] of files) {
    if (!text) continue;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { createNew: true });
  }
  return files.map(([path]) => path);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
