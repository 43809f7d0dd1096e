/** Where a command may write a page: an HTML file that is not there, or one that we wrote. @module */
import { dirname } from "node:path";
import { existsSync } from "node:fs";
import { PAGE_MARK } from "../../notebooks/pages/parts.ts";
import { pathArgument, shownPath } from "../terminal/paths.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { requireWritable } from "./writable_folder.ts";

/** Bytes within which a page of ours says that it is one. */
const HEAD = 256;

/**
 * The path of the page that `option` names. A page is written last, so it is asked first whether it can be: throws
 * UsageError where not, and where something else would be lost by it.
 */
export function pageFile(typed: string, option: string): string {
  const path = pathArgument(typed),
    refused = (why: string) => new UsageError(`Cannot write the page "${typed}": ${why}`);
  const there = existsSync(path) ? Deno.statSync(path) : null;
  if (there?.isDirectory) throw refused("it is a folder; want a file");
  if (there !== null && !there.isFile) return path; // A pipe or a device keeps nothing.
  if (there !== null && !isOurs(path)) {
    throw refused("a file that is no page of Nonzero lies there; move it away, or want another name");
  }
  if (!/\.html?$/i.test(path)) throw refused("want a name that ends in .html");
  if (!existsSync(dirname(path))) throw refused(`there is no folder "${shownPath(dirname(path))}"`);
  requireWritable(dirname(path), "the page", `${option} FILE in another`);
  return path;
}

/** True of an empty file and of a page of ours. */
function isOurs(path: string): boolean {
  using file = Deno.openSync(path);
  const head = new Uint8Array(HEAD), read = file.readSync(head) ?? 0;
  return read === 0 || new TextDecoder().decode(head.subarray(0, read)).includes(PAGE_MARK);
}
