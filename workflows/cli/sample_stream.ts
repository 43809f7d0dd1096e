/** Shows a completion on a terminal while it is written. @module */
import { type Output, printable } from "../terminal/terminal.ts";

export class SampleStream {
  #shown = "";

  constructor(
    private readonly out: Pick<Output, "write" | "style">,
    private readonly decode: (ids: ArrayLike<number>) => string,
  ) {}

  /** Writes what is new of a completion's text; a character whose bytes are not all there waits for them. */
  show(ids: ArrayLike<number>): void {
    const text = this.decode(ids).replace(/\ufffd+$/, "");
    if (!text.startsWith(this.#shown) || text === this.#shown) return;
    this.out.write(this.out.style(printable(text.slice(this.#shown.length)), "dim"));
    this.#shown = text;
  }

  /** Ends the line, so that what follows begins on its own. */
  end(): void {
    if (this.#shown !== "") this.out.write("\n\n");
    this.#shown = "";
  }
}
