/** Numbers of a table with a comma in them: `0,62` is a decimal, `1,200` the same or a thousand, as its table writes. @module */

const NUMBER = /^[-+]?\d+(?:[.\u00a0\u202f ]\d{3})*,\d+(?:[eE][-+]?\d+)?$/;
/** Three figures behind the comma, and no zero before it: thousands, where nothing says otherwise. */
const MAY_BE_THOUSANDS = /^[-+]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;

export class CommaNumbers {
  #isDecimal: boolean;

  /** Between commas, a comma within quotes may be either. */
  constructor(separator: string) {
    this.#isDecimal = separator === ";";
  }

  /** The cells of a row: one that can be a decimal only settles it for all that follow, and for its own row. */
  look(cells: readonly string[]): void {
    if (!this.#isDecimal) {
      this.#isDecimal = cells.some((cell) => NUMBER.test(cell.trim()) && !MAY_BE_THOUSANDS.test(cell.trim()));
    }
  }

  /** Null for a text that is no such number. */
  read(text: string): number | null {
    if (!text.includes(",")) return null;
    if (this.#isDecimal && NUMBER.test(text)) return Number(text.replace(/[.\u00a0\u202f ]/g, "").replace(",", "."));
    return MAY_BE_THOUSANDS.test(text) ? Number(text.replaceAll(",", "")) : null;
  }
}
