/** Cells of a page's table that reach over several rows or columns, set out as a table of pipes has them. @module */

const MAX_SPAN = 200; // Rows or columns that one cell may reach over.

export class CellSpans {
  /** By column: the text of a cell that reaches into the rows below, and how many. */
  readonly #above = new Map<number, { readonly text: string; rows: number }>();
  #column = 0;
  #isOpen = false;
  /** Where the text of the open cell begins, and what it reaches over. */
  #from = 0;
  #rows = 1;
  #columns = 1;

  clear(): void {
    this.#above.clear();
    [this.#column, this.#isOpen] = [0, false];
  }

  /** The row so far up to where its next cell begins: with the cells that reach into it from above. */
  before(row: string, isFirst: boolean): string {
    if (isFirst) this.#column = 0;
    const closed = this.#isOpen ? this.close(row) : row;
    const text = this.#reaching(closed);
    return text === "" || text.endsWith(" ") ? text : `${text} `;
  }

  /** A cell begins, whose text stands from `from` on. */
  open(tag: string, from: number): void {
    [this.#rows, this.#columns, this.#isOpen, this.#from] = [
      spanOf(tag, "rowspan"),
      spanOf(tag, "colspan"),
      true,
      from,
    ];
  }

  /** The row with the open cell closed: empty cells for the columns that it reaches over. */
  close(row: string): string {
    if (!this.#isOpen) return row;
    this.#isOpen = false;
    const text = row.slice(this.#from).trim();
    for (let i = 0; i < this.#columns; i++) {
      if (this.#rows > 1) this.#above.set(this.#column + i, { text: i === 0 ? text : "", rows: this.#rows - 1 });
    }
    this.#column += this.#columns;
    return row + " | ".repeat(this.#columns - 1);
  }

  /** The whole row. */
  endRow(row: string): string {
    const whole = this.#reaching(this.close(row));
    this.#column = 0;
    return whole;
  }

  #reaching(row: string): string {
    for (let cell = this.#above.get(this.#column); cell !== undefined; cell = this.#above.get(this.#column)) {
      row += `${row === "" || row.endsWith(" ") ? "" : " "}| ${cell.text}`;
      if (--cell.rows === 0) this.#above.delete(this.#column);
      this.#column++;
    }
    return row;
  }
}

function spanOf(tag: string, name: string): number {
  const value = Number(new RegExp(`\\b${name}\\s*=\\s*["']?(\\d{1,4})`, "i").exec(tag)?.[1] ?? 1);
  return Math.min(Math.max(value, 1), MAX_SPAN);
}
