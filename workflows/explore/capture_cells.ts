/** Stands in for Jupyter where a notebook's cells run as a program: keeps what they show and print. @module */
import { KERNEL } from "../../notebooks/display.ts";
import type { CellOutput } from "./notebook_cells.ts";

interface Display {
  readonly data: Record<string, unknown>;
  readonly id: string | null;
}

/** What `show` asks of a kernel. */
interface Kernel {
  display(
    data: Record<string, unknown>,
    options?: { raw?: boolean; display_id?: string; update?: boolean },
  ): Promise<void>;
}

export class Capture implements Kernel {
  readonly #cells: (Display | string)[][] = [];
  #ids = new Map<string, { cell: number; index: number }>();

  begin(index: number): void {
    this.#cells[index] = [];
  }

  /** Shows a bundle in the cell that runs, or in place of what was shown under its id. */
  display(
    data: Record<string, unknown>,
    { display_id, update }: { display_id?: string; update?: boolean } = {},
  ): Promise<void> {
    const before = display_id === undefined ? undefined : this.#ids.get(display_id);
    const shown = { data, id: display_id ?? null };
    if (update && before) this.#cells[before.cell]![before.index] = shown;
    else {
      const cell = this.#cells.length - 1;
      this.#cells[cell]!.push(shown);
      if (display_id !== undefined) this.#ids.set(display_id, { cell, index: this.#cells[cell]!.length - 1 });
    }
    return Promise.resolve();
  }

  print(text: string): void {
    this.#cells.at(-1)?.push(text);
  }

  /** What each cell showed, as nbformat has it; lines printed one after the other are one output. */
  get outputs(): CellOutput[][] {
    return this.#cells.map((cell) => {
      const outputs: CellOutput[] = [];
      let printed = "";
      const flush = () => {
        if (printed !== "") outputs.push({ output_type: "stream", name: "stdout", text: lines(printed) });
        printed = "";
      };
      for (const shown of cell) {
        if (typeof shown === "string") printed += shown;
        else {
          flush();
          outputs.push({ output_type: "display_data", data: shown.data, metadata: {} });
        }
      }
      flush();
      return outputs;
    });
  }

  /** Writes the outputs to a file and ends the program: a cell may have left a listener behind. */
  async end(path: string): Promise<never> {
    await Deno.writeTextFile(path, JSON.stringify(this.outputs));
    Deno.exit(0);
  }
}

const lines = (text: string) => text.split(/(?<=\n)/);

/** Puts itself where `show` looks before the kernel, and takes what is printed. */
export function install(capture: Capture): void {
  (globalThis as Record<symbol, unknown>)[KERNEL] = capture;
  console.log = (...values: unknown[]) =>
    capture.print(`${values.map((value) => typeof value === "string" ? value : Deno.inspect(value)).join(" ")}\n`);
}
