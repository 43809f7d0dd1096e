/** What a path is before it is read: reading a pipe waits for a writer that may never come. @module */

/** What a person calls it, or null for a file. */
export function notAFile(info: Deno.FileInfo): string | null {
  if (info.isFile) return null;
  if (info.isDirectory) return "a folder";
  if (info.isFifo) return "a pipe";
  if (info.isSocket) return "a socket";
  return "a device";
}

/** Whether a file lies there; false where nothing does. */
export function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw error;
  }
}
