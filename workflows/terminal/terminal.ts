/** What reaches the terminal: stdout for results, stderr for progress, colours only where they are wanted. @module */
import { inspect } from "node:util";

import { printableJson, printableLines } from "../../data/printable.ts";

export { printable } from "../../data/printable.ts";
export { shortened, textTable, wrapped } from "./text_width.ts";

export type Style = "bold" | "dim" | "red" | "yellow" | "green" | "blue";

const encoder = new TextEncoder();

/** One stream of the terminal. */
export class Output {
  readonly colored: boolean;
  /** A terminal, not a file or a pipe. */
  readonly live: boolean;
  /** What happens when nobody reads any more (`| head`): the program ends quietly, unless a run has something to save. */
  onClosed: () => void = () => Deno.exit(0);
  #closed = false;

  /** `kind` is the terminal's, as TERM says it: a dumb one knows neither colours nor how to erase a line. */
  constructor(
    private readonly stream: { writeSync(bytes: Uint8Array): number; isTerminal(): boolean },
    kind: string | undefined = Deno.env.get("TERM"),
  ) {
    this.live = stream.isTerminal() && kind !== "dumb";
    this.colored = this.live && !Deno.noColor;
  }

  /** Columns of the terminal, 80 where it reports none; 100 for a file or a pipe. */
  get columns(): number {
    if (!this.live) return 100;
    try {
      return Deno.consoleSize().columns || 80;
    } catch (error) {
      if (error instanceof Error) return 80; // a terminal without a size
      throw error;
    }
  }

  style(text: string, ...styles: readonly Style[]): string {
    if (!this.colored) return text;
    return styles.reduce((inner, style) => {
      const [open, close] = inspect.colors[style]!;
      return `\x1b[${open}m${inner}\x1b[${close}m`;
    }, text);
  }

  /** Writes all bytes; what comes after the pipe was closed is dropped. */
  write(text: string): void {
    if (this.#closed) return;
    let bytes = encoder.encode(text);
    try {
      while (bytes.length) bytes = bytes.subarray(this.stream.writeSync(bytes));
    } catch (error) {
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
      this.#closed = true;
      this.onClosed();
    }
  }

  /** What is not printable goes out as �, so that a stranger's text moves nothing; styles of ours stay. */
  line(text = ""): void {
    this.write(printableLines(text, this.colored) + "\n");
  }

  /** A line of JSON, which means the same on a terminal and off it. */
  json(text: string): void {
    this.write(printableJson(text) + "\n");
  }
}

/** What a text for the terminal is laid out by. */
export type Screen = Pick<Output, "style" | "columns">;

export const stdout = new Output(Deno.stdout);
export const stderr = new Output(Deno.stderr);

/** 75 → "1 min 15 s". Rounded before it is taken apart: 299.7 s are 5 min, not 4 min 60 s. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  if (Number(seconds.toFixed(1)) < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
