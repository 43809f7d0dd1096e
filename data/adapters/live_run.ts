/** A run whose log is still being written: it is fed bytes as they come, and says at any time what they hold. @module */
import { concat } from "@deno/std/bytes/concat.js";
import { Intake } from "./intake/intake.ts";
import { readSource } from "./read_sources.ts";
import { finish } from "./run/finish.ts";
import type { ImportedRun } from "./run/imported_run.ts";
import { HEAD, LiveSource } from "./source/live_source.ts";
import { headText } from "./source/text.ts";
import { TRAINER_STATE } from "./trainer_state.ts";
import { openFile } from "./source/walk.ts";

/** How a followed source is called: its path in reports, and its file name, which tells what an unknown line is. */
interface LiveName {
  readonly path: string;
  readonly name: string;
}

export class LiveRun {
  readonly #intake = new Intake();
  /** What came before the format can be told. */
  #head: Uint8Array[] = [];
  #source: LiveSource | null = null;
  #reading: Promise<void> = Promise.resolve();
  #failure: unknown = null;

  constructor(private readonly named: LiveName) {}

  /** Reads what lies beside the log, such as configurations; before the first `feed`. */
  async readBeside(files: readonly { readonly file: string; readonly path: string }[]): Promise<void> {
    for (const { file, path } of files) {
      const source = await openFile(file, path).catch((error: unknown) => {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
        return null; // it has gone since it was listed
      });
      if (source !== null) await readSource(source, this.#intake, false);
    }
  }

  /** Takes the next bytes, cut anywhere; resolves when every whole line in them is read. Throws what a reader throws. */
  async feed(bytes: Uint8Array): Promise<void> {
    if (this.#source === null) {
      this.#head.push(bytes.slice());
      const head = concat(this.#head);
      if (!this.#tells(head)) return;
      this.#open(head);
      await this.#source!.read();
    } else await this.#source.feed(bytes);
    this.#check();
  }

  /** Grows whenever something was taken from the log. */
  get taken(): number {
    return this.#intake.taken;
  }

  /** Why what is fed is not read, or null: it is binary, say. */
  get unread(): string | null {
    return this.#source === null ? null : this.#intake.source.partial;
  }

  /** Nothing more comes: a last line without its end counts, too. */
  async end(): Promise<void> {
    if (this.#source === null) this.#open(concat(this.#head));
    this.#source!.close();
    await this.#reading;
    this.#check();
  }

  /** What was read so far: one run, more where the log restarts. */
  runs(): ImportedRun[] {
    return finish(this.named.path, this.#intake);
  }

  /** Whether so much of the beginning shows its format: one line; of JSON over many lines, what it is about. */
  #tells(head: Uint8Array): boolean {
    if (head.length >= HEAD) return true;
    const text = headText(head);
    if (text === null) return head.length >= 512;
    const first = /^\s*([^\r\n]+)[\r\n]/.exec(text)?.[1]?.trim();
    if (first === undefined) return false;
    const { name } = this.named;
    return !/^[{[]$/.test(first) || TRAINER_STATE.sniff(new LiveSource(name, name, head), text) > 0;
  }

  #open(head: Uint8Array): void {
    const { path, name } = this.named, source = new LiveSource(path, name, head);
    this.#head = [];
    this.#source = source;
    this.#reading = readSource(source, this.#intake, true)
      .catch((error: unknown) => void (this.#failure = error)).finally(() => source.close());
  }

  #check(): void {
    const failure = this.#failure;
    this.#failure = null;
    if (failure !== null) throw failure;
  }
}
