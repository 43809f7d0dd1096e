/** Has the C library give large pieces of memory back to the system when they are freed. @module */
import { platform } from "./library.ts";

const M_MMAP_THRESHOLD = -3, LARGE = 1 << 20; // Bytes.

/**
 * glibc raises the size from which a piece has a mapping of its own with what is freed, to 32 MB: smaller pieces of ONNX
 * Runtime's arena then stay with the process after a trim, a third of a training step's memory (measured). A size that is
 * set stays. Other C libraries have no such function, nor the habit.
 */
export function returnLargePieces(): void {
  if (Deno.build.os !== "linux") return;
  try {
    const library = Deno.dlopen(platform().libc, { mallopt: { parameters: ["i32", "i32"], result: "i32" } });
    library.symbols.mallopt(M_MMAP_THRESHOLD, LARGE);
    library.close();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // no such function
  }
}
