/**
 * How much memory another process has in use, on Linux.
 *
 * Deno reads /proc only with all permissions, so the file is read through the C library; V8's own limit does not
 * count typed arrays.
 * @module
 */

const PAGE = 4096;

/** Opens the C library; null elsewhere. */
const libc = Deno.build.os === "linux"
  ? () =>
    Deno.dlopen("libc.so.6", {
      open: { parameters: ["buffer", "i32"], result: "i32" },
      read: { parameters: ["i32", "buffer", "usize"], result: "isize" },
      close: { parameters: ["i32"], result: "i32" },
    })
  : null;

/** Reads the resident size of processes; `close` it. */
export class MemoryReader {
  readonly #libc = libc?.() ?? null;
  readonly #buffer = new Uint8Array(256);

  /** Resident bytes of a process; null when it is gone or the system is not Linux. */
  residentBytes(pid: number): number | null {
    if (!this.#libc) return null;
    const { open, read, close } = this.#libc.symbols;
    const file = open(new TextEncoder().encode(`/proc/${pid}/statm\0`), 0);
    if (file < 0) return null;
    const length = Number(read(file, this.#buffer, BigInt(this.#buffer.length)));
    close(file);
    const pages = new TextDecoder().decode(this.#buffer.subarray(0, Math.max(0, length))).split(" ")[1];
    return pages === undefined ? null : Number(pages) * PAGE;
  }

  close(): void {
    this.#libc?.close();
  }
}
