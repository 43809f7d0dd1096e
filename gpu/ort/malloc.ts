/** Has the C library give memory back to the system when it is freed. @module */
import { platform } from "./library.ts";

const M_MMAP_THRESHOLD = -3, LARGE = 1 << 20; // Bytes.

/** glibc's functions; null where the C library has none of them, nor the habits that they are for. */
let library: Deno.DynamicLibrary<typeof SYMBOLS> | null | undefined;

const SYMBOLS = {
  mallopt: { parameters: ["i32", "i32"], result: "i32" },
  malloc_trim: { parameters: ["usize"], result: "i32" },
} as const satisfies Deno.ForeignLibraryInterface;

function glibc(): typeof library {
  if (library !== undefined) return library;
  library = null;
  if (Deno.build.os !== "linux") return library;
  try {
    library = Deno.dlopen(platform().libc, SYMBOLS);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no such function
  }
  return library;
}

/**
 * glibc raises the size from which a piece has a mapping of its own with what is freed, to 32 MB: smaller pieces of ONNX
 * Runtime's arena then stay with the process after a trim, a third of a training step's memory (measured). A size that is
 * set stays.
 */
export function returnLargePieces(): void {
  glibc()?.symbols.mallopt(M_MMAP_THRESHOLD, LARGE);
}

/** Pages of smaller pieces go back too, which glibc keeps between pieces that are in use: 100 MB of a training step. */
export function returnSmallPieces(): void {
  glibc()?.symbols.malloc_trim(0n);
}
