/** What the reader asks of `node:path`, in a page, where a slash is what parts a path. @module */

/** The folder of a path; "." where none is written. */
export function dirname(path: string): string {
  const at = path.replace(/\/+$/, "").lastIndexOf("/");
  return at < 0 ? "." : at === 0 ? "/" : path.slice(0, at);
}

/** The last part of a path. */
export function basename(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1)!;
}

/** Parts as one path. */
export function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("/").replace(/\/{2,}/g, "/");
}
