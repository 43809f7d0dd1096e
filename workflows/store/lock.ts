/**
 * One process per run folder: an advisory lock on its file `lock`, which also says who holds it.
 *
 * The operating system frees the lock with the process, so a lock left behind by a crash is taken over at once.
 * @module
 */
import { join } from "node:path";
import { ifThere } from "../../data/file_system.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { SetAside } from "./set_aside.ts";
import { writeAll, writing } from "./write_file.ts";

interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

/** Another live process holds the lock; the command line exits 75. */
export class LockHeldError extends Error {
  override readonly name = "LockHeldError";
  constructor(readonly path: string, readonly holder: LockHolder | null) {
    const who = holder === null ? "another process" : `process ${holder.pid} on ${holder.host} (since ${holder.time})`;
    super(`Cannot lock ${path}: ${who} holds it; wait for it or stop it`);
  }
}

export interface RunLock {
  /** Who held it before and did not free it: its process is gone. */
  readonly stale: LockHolder | null;
  /** Where what was no file in its place lies now, relative to the folder. */
  readonly aside: string | null;
  release(): void;
}

/**
 * Takes the lock of a folder, or throws LockHeldError. `time` is written into the file; what is no file in its place is
 * moved to set_aside/.
 */
export function acquireLock(folder: string, time: Date): RunLock {
  const path = join(folder, RUN_FILES.lock);
  const aside = isFileOrAbsent(path) ? null : new SetAside(folder).move(RUN_FILES.lock);
  const file = writing(path, 0, () => Deno.openSync(path, { read: true, write: true, create: true }));
  try {
    const taken = file.tryLockSync(true);
    const stale = readHolder(path);
    if (!taken) throw new LockHeldError(path, stale);
    const holder: LockHolder = { pid: Deno.pid, host: Deno.hostname(), time: time.toISOString() };
    const bytes = new TextEncoder().encode(JSON.stringify(holder) + "\n");
    writing(path, bytes.length, () => {
      file.truncateSync(0);
      writeAll(file, bytes);
    });
    return {
      stale,
      aside,
      release() {
        // Emptied, not removed: removing would let a third process lock a file that has no name any more.
        file.truncateSync(0);
        file.unlockSync();
        file.close();
      },
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** A pipe would be waited for, a link would lead to a file of somebody's. Nobody holds a lock of that kind. */
function isFileOrAbsent(path: string): boolean {
  return ifThere(() => Deno.lstatSync(path).isFile, true);
}

/** What `action` gives; when it throws the locks are freed. */
export function freeing<T>(locks: readonly RunLock[], action: () => T): T {
  try {
    return action();
  } catch (error) {
    for (const lock of locks) lock.release();
    throw error;
  }
}

/** Who holds the lock of a folder, as far as its file says; null where nobody does. */
export function lockHolder(folder: string): LockHolder | null {
  return ifThere(() => readHolder(join(folder, RUN_FILES.lock)), null);
}

/** Who is written into a lock file; null when it is empty (freed) or half written. */
function readHolder(path: string): LockHolder | null {
  const text = Deno.readTextFileSync(path);
  const match = /^\{"pid":(\d+),"host":"([^"]*)","time":"([^"]*)"\}\n$/.exec(text);
  return match ? { pid: Number(match[1]), host: match[2]!, time: match[3]! } : null;
}
