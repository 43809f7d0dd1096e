/** Paths without their links: two ways to one file are one then, and `..` leads where the system goes. @module */
import { basename, dirname, join, relative, resolve } from "node:path";
import { orElse } from "./file_system.ts";

const MAX_LINKS = 40; // As many as Linux follows.

/** The path without its links, as far as it exists: one in the workflow's folder may lead elsewhere. */
export function whereItLeads(path: string, links = MAX_LINKS): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    // A link to nothing leads to where its target would be; a loop of links leads nowhere, and nothing is written.
    if (links === 0 || dirname(path) === path) return path;
    const target = orElse(() => resolve(dirname(path), Deno.readLinkSync(path)), null);
    return target === null ? join(whereItLeads(dirname(path), links), basename(path)) : whereItLeads(target, links - 1);
  }
}

/** The way from a folder, which need not be there yet, to another path, with slashes; absolute from another drive. */
export function wayFrom(folder: string, path: string): string {
  return (relative(whereItLeads(folder), whereItLeads(path)) || ".").replaceAll("\\", "/");
}
