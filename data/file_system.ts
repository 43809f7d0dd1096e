/** Looks at paths: that nothing is there is an answer, not an error. @module */

/** What a person calls what is no file, or null for one. Reading a pipe waits for a writer that may never come. */
export function notAFile(info: Deno.FileInfo): string | null {
  if (info.isFile) return null;
  if (info.isDirectory) return "a folder";
  if (info.isFifo) return "a pipe";
  if (info.isSocket) return "a socket";
  return "a device";
}

/** What `look` gives, or `otherwise` where it throws one of `errors`. */
function unless<T, U>(errors: readonly (new () => Error)[], look: () => T, otherwise: U): T | U {
  try {
    return look();
  } catch (error) {
    if (errors.some((kind) => error instanceof kind)) return otherwise;
    throw error;
  }
}

/** Nothing is there either where a part of the path is a file. */
const absent = () => [Deno.errors.NotFound, Deno.errors.NotADirectory];

/** What `look` gives, or `otherwise` whatever error it throws: where that is told elsewhere, or no reason is wanted. */
export function orElse<T, U>(look: () => T, otherwise: U): T | U {
  return unless([Error], look, otherwise);
}

/** What `look` gives, or `otherwise` where nothing is there. */
export function ifThere<T, U>(look: () => T, otherwise: U): T | U {
  return unless([Deno.errors.NotFound], look, otherwise);
}

/** Whether a file lies there, or a link to one. */
export function isFile(path: string): boolean {
  return unless(absent(), () => Deno.statSync(path).isFile, false);
}

/** Whether a folder lies there, or a link to one. */
export function isFolder(path: string): boolean {
  return unless(absent(), () => Deno.statSync(path).isDirectory, false);
}

/** Whether anything has that name, also a link to nothing. */
export function isThere(path: string): boolean {
  return unless(absent(), () => Deno.lstatSync(path) !== null, false);
}

/** The text of a file; null when it is absent. */
export function textIfThere(path: string): string | null {
  return ifThere(() => Deno.readTextFileSync(path), null);
}

/** Names in a folder, sorted; none when the folder is absent. */
export function listFolder(path: string): string[] {
  return ifThere(() => [...Deno.readDirSync(path)].map(({ name }) => name).sort(), []);
}
