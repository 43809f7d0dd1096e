/** Stands in for Jupyter where a notebook's cells run as a program: keeps what they show, print and come to. @module */
import { JUPYTER_DISPLAY, KERNEL, type Shown } from "../../notebooks/display.ts";
import type { CellOutput } from "./notebook_cells.ts";

interface Displayed {
  readonly data: Record<string, unknown>;
  /** Whether it is what the cell came to. */
  readonly isResult: boolean;
}

type Stream = "stdout" | "stderr";

interface Printed {
  readonly stream: Stream;
  text: string;
}

/** What `show` asks of a kernel. */
interface Kernel {
  display(
    data: Record<string, unknown>,
    options?: { raw?: boolean; display_id?: string; update?: boolean },
  ): Promise<void>;
}

export class Capture implements Kernel {
  readonly #cells: (Displayed | Printed)[][] = [];
  readonly #ids = new Map<string, { cell: number; index: number }>();

  /** `atCell` is called before each cell: what the others showed can be put away. */
  constructor(readonly atCell: () => void = () => {}) {}

  begin(index: number): void {
    this.#cells[index] = [];
    this.atCell();
  }

  /** Shows a bundle in the cell that runs, or in place of what was shown under its id. */
  display(
    data: Record<string, unknown>,
    { display_id, update }: { display_id?: string; update?: boolean } = {},
  ): Promise<void> {
    const before = display_id === undefined ? undefined : this.#ids.get(display_id);
    const shown = { data, isResult: false };
    if (update && before) this.#cells[before.cell]![before.index] = shown;
    else {
      const cell = this.#cells.length - 1;
      this.#cells[cell]!.push(shown);
      if (display_id !== undefined) this.#ids.set(display_id, { cell, index: this.#cells[cell]!.length - 1 });
    }
    return Promise.resolve();
  }

  /** What the last expression of a cell comes to: shown as the kernel does, unless it is undefined. */
  async result(value: unknown): Promise<void> {
    if (value === undefined) return;
    const isShown = typeof value === "object" && value !== null && JUPYTER_DISPLAY in value;
    const data = isShown ? await (value as Shown)[JUPYTER_DISPLAY]() : { "text/plain": Deno.inspect(value) };
    this.#cells.at(-1)!.push({ data, isResult: true });
  }

  print(text: string, stream: Stream = "stdout"): void {
    const cell = this.#cells.at(-1), last = cell?.at(-1);
    if (last && "stream" in last && last.stream === stream) last.text += text;
    else cell?.push({ stream, text });
  }

  /** What each cell showed, as nbformat has it; lines printed one after the other are one output. */
  get outputs(): CellOutput[][] {
    return this.#cells.map((cell, index) => cell.map((shown) => outputOf(shown, index)));
  }
}

function outputOf(shown: Displayed | Printed, cell: number): CellOutput {
  if ("stream" in shown) {
    return { output_type: "stream", name: shown.stream, text: shown.text.split(/(?<=\n)/) };
  }
  const { data, isResult } = shown;
  return isResult
    ? { output_type: "execute_result", execution_count: cell + 1, data, metadata: {} }
    : { output_type: "display_data", data, metadata: {} };
}

/** Deno's own console, writing where it is told: `new Console((text, level) => …)`, 3 is an error, 2 a warning. */
type Consoles = new (print: (text: string, level: number) => void) => Console;
const WARNING = 2;

/** Puts itself where `show` looks before the kernel, and takes what is printed. */
export function install(capture: Capture): void {
  (globalThis as Record<symbol, unknown>)[KERNEL] = capture;
  // Tables, groups, counters and %s are then printed as in a cell of the kernel, which makes its console so.
  // deno-lint-ignore no-explicit-any
  const { Console } = (Deno as any)[(Deno as any).internal] as { Console: Consoles };
  const made = new Console((text, level) => capture.print(text, level >= WARNING ? "stderr" : "stdout"));
  Object.assign(console, made);
}
