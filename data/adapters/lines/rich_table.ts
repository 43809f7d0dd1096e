/**
 * The completion tables that TRL prints with `log_completions`: a box titled "Step N" with prompt, completion, rewards.
 * @module
 */
import { numberScan, scanNumber } from "../source/scan_number.ts";
import type { LineFormat } from "./line_format.ts";

const TITLE = /[╭┌][─ ]*(?:Step|step)\s+(\d+)/;

export const RICH_TABLE: LineFormat = {
  about: "boxed completion tables (TRL log_completions)",
  open(intake) {
    const scan = numberScan();
    let step: number | null = null;
    let header: string[] | null = null;
    let rows: { cells: string[]; line: number }[] = [];
    let group = 0, sample = 0, lastPrompt: string | null = null;

    const value = (cell: string): number | null =>
      scanNumber(cell, 0, scan) && scan.end === cell.length ? scan.value : null;

    const flush = () => {
      if (header === null) return;
      const names = header.map((name) => name.toLowerCase());
      const promptAt = names.indexOf("prompt"),
        textAt = names.indexOf("completion"),
        advAt = names.indexOf("advantage");
      for (const { cells, line } of rows) {
        if (textAt < 0) continue;
        const rewards = new Map<string, number | null>();
        header.forEach((name, i) => {
          if (i !== promptAt && i !== textAt && i !== advAt) rewards.set(name, value(cells[i] ?? ""));
        });
        const prompt = promptAt < 0 ? null : cells[promptAt]!;
        if (prompt !== lastPrompt && lastPrompt !== null) [group, sample] = [group + 1, 0];
        lastPrompt = prompt;
        const text = cells[textAt] ?? "";
        intake.completion({
          line,
          train_step: step,
          prompt_id: group,
          sample: sample++,
          prompt,
          answer: null,
          text,
          reward: rewards.size === 1 ? [...rewards.values()][0]! : null,
          rewards,
          advantage: advAt < 0 ? null : value(cells[advAt] ?? ""),
          completion_tokens: null,
          truncated: null,
          cut: text.includes("…"),
        });
      }
      rows = [];
    };

    const end = () => {
      flush();
      header = null;
    };

    return {
      end,
      line({ text, number }) {
        const box = text.search(/[─-╿]/);
        if (box < 0) return false;
        const title = TITLE.exec(text);
        if (title !== null) {
          end();
          step = Number(title[1]);
          [group, sample, lastPrompt] = [0, 0, null];
          return true;
        }
        if (/[╰└┘┴╧]/.test(text)) {
          if (/[╰]/.test(text) || !text.includes("│ └")) end();
          else flush();
          return true;
        }
        if (text.includes("┃")) {
          const cells = text.split("┃").slice(1, -1).map((cell) => cell.trim());
          if (cells.length >= 2) {
            header = header === null ? cells : header.map((name, i) => cells[i] ? name + cells[i] : name);
          }
          return true;
        }
        if (header !== null && text.includes("│")) {
          let cells = text.split("│").map((cell) => cell.trim());
          cells = cells.slice(cells.length - 2 - header.length >= 2 ? 2 : 1);
          cells = cells.slice(0, header.length);
          if (cells.length < header.length) return true;
          const last = rows.at(-1);
          const hasNumbers = cells.some((cell, i) => i > 1 && cell !== "");
          if (hasNumbers || last === undefined) {
            if (rows.length > 0 && rows.length >= 512) flush();
            rows.push({ cells, line: number });
          } else last.cells = last.cells.map((cell, i) => cells[i] ? `${cell}\n${cells[i]}` : cell); // a wrapped row
          return true;
        }
        return text.codePointAt(0)! >= 0x2500 && text.codePointAt(0)! <= 0x257f;
      },
    };
  },
};
