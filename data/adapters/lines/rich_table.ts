/**
 * The completion tables that TRL prints with `log_completions`: a box titled "Step N" with prompt, completion, rewards.
 * @module
 */
import type { Intake } from "../intake/intake.ts";
import type { Line } from "../source/lines.ts";
import { wholeNumber } from "../source/scan_number.ts";
import type { LineFormat, LineReader } from "./line_format.ts";

const TITLE = /[╭┌][─ ]*(?:Step|step)\s+(\d+)/;

const MAX_ROWS = 512; // Rows that wait for the end of the box; more are handed on before.

export const RICH_TABLE: LineFormat = {
  about: "boxed completion tables (TRL log_completions)",
  words: ["─"],
  open: (intake) => new BoxReader(intake),
};

class BoxReader implements LineReader {
  #step: number | null = null;
  #header: readonly string[] | null = null;
  #rows: { cells: readonly string[]; readonly line: number }[] = [];
  #group = 0;
  #sample = 0;
  #lastPrompt: string | null = null;

  constructor(private readonly intake: Intake) {}

  line({ text, number }: Line): boolean {
    if (!/[─-╿]/.test(text)) return false;
    const title = TITLE.exec(text);
    if (title !== null) this.#open(Number(title[1]));
    else if (/[╰└┘┴╧]/.test(text)) {
      if (text.includes("╰") || !text.includes("│ └")) this.end();
      else this.#flush();
    } else if (text.includes("┃")) this.#head(text.split("┃").slice(1, -1).map((cell) => cell.trim()));
    else if (this.#header !== null && text.includes("│")) this.#row(this.#header, text, number);
    else return text.codePointAt(0)! >= 0x2500 && text.codePointAt(0)! <= 0x257f;
    return true;
  }

  end(): void {
    this.#flush();
    this.#header = null;
  }

  #open(step: number): void {
    this.end();
    this.#step = step;
    [this.#group, this.#sample, this.#lastPrompt] = [0, 0, null];
  }

  /** A long name goes on in the line below. */
  #head(cells: readonly string[]): void {
    if (cells.length < 2) return;
    this.#header = this.#header?.map((name, i) => cells[i] ? name + cells[i] : name) ?? cells;
  }

  #row(header: readonly string[], text: string, line: number): void {
    const all = text.split("│").map((cell) => cell.trim());
    const cells = all.slice(all.length - 2 - header.length >= 2 ? 2 : 1).slice(0, header.length);
    if (cells.length < header.length) return;
    const last = this.#rows.at(-1), hasNumbers = cells.some((cell, i) => i > 1 && cell !== "");
    if (last !== undefined && !hasNumbers) { // a wrapped row
      last.cells = last.cells.map((cell, i) => cells[i] ? `${cell}\n${cells[i]}` : cell);
      return;
    }
    if (this.#rows.length >= MAX_ROWS) this.#flush();
    this.#rows.push({ cells, line });
  }

  #flush(): void {
    const rows = this.#rows;
    if (this.#header === null) return;
    this.#rows = [];
    const names = this.#header.map((name) => name.toLowerCase());
    const [promptAt, textAt, advantageAt] = ["prompt", "completion", "advantage"].map((name) => names.indexOf(name));
    if (textAt! < 0) return;
    for (const { cells, line } of rows) {
      const value = (at: number) => wholeNumber(cells[at] ?? "");
      const rewards = new Map(
        this.#header.flatMap((name, i) =>
          [promptAt, textAt, advantageAt].includes(i) ? [] : [[name, value(i)] as const]
        ),
      );
      const prompt = promptAt! < 0 ? null : cells[promptAt!]!, text = cells[textAt!] ?? "";
      if (prompt !== this.#lastPrompt && this.#lastPrompt !== null) [this.#group, this.#sample] = [this.#group + 1, 0];
      this.#lastPrompt = prompt;
      this.intake.completion({
        line,
        train_step: this.#step,
        prompt_id: this.#group,
        sample: this.#sample++,
        prompt,
        text,
        reward: rewards.size === 1 ? [...rewards.values()][0]! : null,
        rewards,
        advantage: advantageAt! < 0 ? null : value(advantageAt!),
        cut: text.includes("…"),
      });
    }
  }
}
