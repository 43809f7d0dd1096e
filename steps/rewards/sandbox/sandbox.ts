/** One child process that runs one user's reward file without permissions, within limits of time and memory. @module */
import { dirname } from "@deno/std/path/dirname.js";
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import { toFileUrl } from "@deno/std/path/to_file_url.js";
import { messageOf } from "../../../data/error_text.ts";
import { orElse } from "../../../data/file_system.ts";
import type { RewardBatch } from "../reward.ts";
import { endingWithParent } from "./ends_with_parent.ts";
import type { BatchReply } from "./evaluate.ts";
import { MemoryReader } from "./resident_memory.ts";

export interface SandboxLimits {
  /** Time for one answer. */
  readonly timeoutMs: number;
  /** Resident memory of the process, about 60 MB of which are the runtime. */
  readonly memoryBytes: number;
  /** Hosts the code may reach. */
  readonly net: readonly string[];
  /** The program of the process (absolute path) that hears the requests; child.ts by default. It may read `path` too. */
  readonly program?: string;
}

interface StartOptions {
  /** Ends the child, also while it loads. */
  readonly signal?: AbortSignal;
  /** Time to load the file. */
  readonly loadMs?: number;
  /** Hears the number of the process. */
  readonly onSpawned?: (pid: number) => void;
}

type Request =
  | { readonly token: string; readonly load: string }
  | { readonly batch: RewardBatch; readonly options: Readonly<Record<string, unknown>>; readonly from?: number };

/** The child did not answer: killed or ended, with the reason as the end of a sentence about the reward. */
export class SandboxFailure extends Error {}

const LOAD_MS = 30_000; // Time to load a file, and between two looks at the memory.
const WATCH_MS = 25;
/** Longest answer, and longest text of a failure, in characters. */
const MAX_LINE = 64 * 2 ** 20;
const MAX_FAILURE = 2000;
const LEAST_HEAP_MB = 16; // Least heap of the child.
/** How a process ends that V8 ends for its memory; 133 and 134 are 128 plus the numbers of the two signals. */
const OUT_OF_MEMORY = { signals: ["SIGTRAP", "SIGABRT"] as readonly string[], codes: [133, 134] as readonly number[] };
/** Deno keeps caches and storage below these folders: without one, code that may not write writes nothing at all. */
const NOWHERE = Deno.build.os === "windows" ? "NUL" : "/dev/null";
const STORAGE_VARIABLES = ["DENO_DIR", "TMPDIR", "TMP", "TEMP"];
/** Variables that the system itself needs; the code cannot read them. */
const KEPT_VARIABLES = ["SystemRoot"];
const CHILD = fromFileUrl(new URL("./child.ts", import.meta.url)) as string;
/** What the child's worker is loaded from. */
const OWN_FILES = ["worker.ts", "evaluate.ts", "thrown.ts"].map((name) => fromFileUrl(new URL(name, import.meta.url)));

export class Sandbox {
  readonly #child: Deno.ChildProcess;
  readonly #limits: SandboxLimits;
  readonly #memory = new MemoryReader();
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #stderr: Promise<void>;
  readonly #watch: ReturnType<typeof setInterval>;
  /** Every answer begins with it; the child keeps it from the user's code. */
  readonly #token = crypto.randomUUID();
  /** Gets what the code writes to the console. */
  print: (text: string) => void;
  #decoder = new TextDecoder();
  #text = "";
  #killedFor: string | null = null;
  #closed: Promise<void> | null = null;

  private constructor(path: string, limits: SandboxLimits, print: (text: string) => void) {
    this.#limits = limits;
    this.#child = spawnChild(path, limits);
    // A waiting sandbox does not keep this program alive; a request does.
    keepsAlive(this.#child, false);
    this.#writer = this.#child.stdin.getWriter();
    this.#reader = this.#child.stdout.getReader();
    this.print = print;
    this.#stderr = this.#forward(this.#child.stderr).catch((error) =>
      this.#kill(`printed what cannot be kept: ${messageOf(error)}`)
    );
    // Also between answers: code goes on by its timers. While this program is too busy to look, the child does.
    this.#watch = setInterval(() => this.#bound(), WATCH_MS);
    Deno.unrefTimer(this.#watch);
  }

  /**
   * Starts a child and loads the file at an absolute path. Throws Error when the file has no score function or does not
   * load.
   */
  static async start(
    path: string,
    limits: SandboxLimits,
    print: (text: string) => void,
    { signal, loadMs = LOAD_MS, onSpawned }: StartOptions = {},
  ): Promise<Sandbox> {
    const sandbox = new Sandbox(path, limits, print);
    onSpawned?.(sandbox.#child.pid);
    const stop = () => sandbox.kill();
    signal?.addEventListener("abort", stop);
    try {
      const reply = await sandbox.ask({ token: sandbox.#token, load: toFileUrl(path).href }, 1, () => false, loadMs);
      if ("failure" in reply) throw new Error(reply.failure);
    } catch (error) {
      await sandbox.close();
      if (error instanceof SandboxFailure) throw new Error(`it ${error.message} while loading`, { cause: error });
      throw error;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    return sandbox;
  }

  /** True while it can be asked. */
  get alive(): boolean {
    return this.#killedFor === null && this.#closed === null;
  }

  /**
   * Sends one request and hands over its answers, each within the time limit, until there are `answers` of them or
   * `receive` returns true ("enough": the child is ended). Returns the last one. Throws SandboxFailure when the child
   * hung, died, used too much memory or wrote anything that is not an answer; it is then dead and must be closed.
   */
  async ask(
    request: Request,
    answers: number,
    receive: (reply: BatchReply) => boolean = () => false,
    limitMs = this.#limits.timeoutMs,
  ): Promise<BatchReply> {
    const body = new TextEncoder().encode(JSON.stringify(request));
    const wanted = !("batch" in request) ? 0 : request.from === undefined ? request.batch.texts.length : 1;
    const frame = new Uint8Array(4 + body.length);
    new DataView(frame.buffer).setUint32(0, body.length, true);
    frame.set(body, 4);
    keepsAlive(this.#child, true);
    let last: BatchReply = { values: [] };
    // A child that died breaks the pipe; reading then finds its end and says why.
    const written = this.#writer.write(frame).catch(() => {});
    try {
      for (let i = 0; i < answers; i++) {
        const timer = setTimeout(() => this.#kill(`gave no answer within ${limitMs / 1000} s`), limitMs);
        try {
          last = this.#parse(await this.#line(), wanted);
        } finally {
          clearTimeout(timer);
        }
        if (receive(last)) {
          this.#kill("was stopped");
          return last;
        }
      }
      await written;
      if (this.#text !== "") throw this.#malformed(this.#text);
      return last;
    } finally {
      keepsAlive(this.#child, false);
    }
  }

  /** Ends the child and waits until it is gone. */
  close(): Promise<void> {
    return this.#closed ??= (async () => {
      keepsAlive(this.#child, true);
      this.#kill("was closed");
      await this.#writer.close().catch(() => {});
      await this.#reader.cancel().catch(() => {});
      await this.#child.status;
      await this.#stderr;
      this.#memory.close();
    })();
  }

  /** Ends the child at once, without waiting: for the end of the program. */
  kill(): void {
    this.#kill("was closed");
  }

  #bound(): void {
    const bytes = this.#memory.residentBytes(this.#child.pid);
    if (bytes === null || bytes <= this.#limits.memoryBytes) return;
    this.#kill(`used ${megabytes(bytes)} MB of memory, allowed are ${megabytes(this.#limits.memoryBytes)}`);
  }

  #kill(reason: string): void {
    if (this.#killedFor !== null) return;
    this.#killedFor = reason;
    clearInterval(this.#watch);
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      // It has ended by itself in the meantime.
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  /** The next line of stdout, without its end. What does not begin with the token is refused before its end is there. */
  async #line(): Promise<string> {
    for (let searched = 0;;) {
      const end = this.#text.indexOf("\n", searched);
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return line;
      }
      searched = this.#text.length;
      if (searched > this.#token.length && !this.#text.startsWith(this.#token)) throw this.#malformed(this.#text);
      if (searched > MAX_LINE) this.#kill(`wrote more than ${megabytes(MAX_LINE)} MB`);
      const { value, done } = await this.#reader.read();
      if (done) throw new SandboxFailure(await this.#end());
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  async #end(): Promise<string> {
    const { code, signal } = await this.#child.status;
    if (this.#killedFor !== null) return this.#killedFor;
    this.#killedFor = "has ended";
    const memory = OUT_OF_MEMORY.signals.includes(signal!) || OUT_OF_MEMORY.codes.includes(code)
      ? ", out of memory"
      : "";
    return `ended the process (${signal ?? `exit code ${code}`}${memory})`;
  }

  async #forward(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) this.print(text);
  }

  /** A reply of `wanted` values. The child is not believed: code of the user's lives in its process. */
  #parse(line: string, wanted: number): BatchReply {
    if (!line.startsWith(`${this.#token} `)) throw this.#malformed(line);
    const text = line.slice(this.#token.length + 1);
    const reply = replyOf(text, wanted);
    if (reply === null) throw this.#malformed(text);
    return reply;
  }

  #malformed(text: string): SandboxFailure {
    this.#kill("wrote to stdout");
    return new SandboxFailure(
      `wrote ${JSON.stringify(text.slice(0, 80))} to stdout, where only answers belong; print with console.log`,
    );
  }
}

/** Whether a child keeps this program alive. Of one that is just ending Deno refuses to say: its streams are gone first. */
function keepsAlive(child: Pick<Deno.ChildProcess, "ref" | "unref">, alive: boolean): void {
  try {
    if (alive) child.ref();
    else child.unref();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}

/** Plain values only, or a failure's text; null for everything else. */
function replyOf(text: string, wanted: number): BatchReply | null {
  const reply: unknown = orElse(() => JSON.parse(text), null);
  if (typeof reply !== "object" || reply === null) return null;
  const { failure, values } = reply as { readonly failure?: unknown; readonly values?: unknown };
  if (typeof failure === "string") return { failure: failure.slice(0, MAX_FAILURE) };
  if (!Array.isArray(values) || values.length !== wanted) return null;
  const usable = values.every((value) =>
    value === null || (typeof value === "number" ? Number.isFinite(value) : typeof value?.found === "string")
  );
  return usable ? { values } : null;
}

/** A child that may read the file and our own, write nothing, and use as much memory as it is allowed. */
function spawnChild(path: string, { net, memoryBytes, program: own = CHILD }: SandboxLimits): Deno.ChildProcess {
  const heap = Math.max(LEAST_HEAP_MB, Math.floor(memoryBytes / 2 ** 20));
  const [program, args] = endingWithParent(Deno.execPath(), [
    ...["run", "--quiet", "--no-prompt", "--no-remote", "--no-npm", "--no-config", "--no-lock"],
    `--allow-read=${[path, ...OWN_FILES].map((file) => file.replaceAll(",", ",,")).join(",")}`,
    ...(net.length > 0 ? [`--allow-net=${net.join(",")}`] : []),
    `--v8-flags=--max-old-space-size=${heap}`,
    own,
    String(memoryBytes),
  ]);
  const kept = KEPT_VARIABLES.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const nowhere = STORAGE_VARIABLES.map((name) => [name, NOWHERE]);
  return new Deno.Command(program, {
    args,
    // A neutral folder: its path is nobody's business.
    cwd: Deno.build.os === "windows" ? dirname(path) : "/",
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    clearEnv: true,
    env: { ...Object.fromEntries([...kept, ...nowhere]), NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).spawn();
}

const megabytes = (bytes: number) => Math.round(bytes / 2 ** 20);
