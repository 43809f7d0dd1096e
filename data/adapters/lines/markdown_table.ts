/**
 * Tables as notebooks and issues show them: `Step | Training Loss | reward | …`, also transposed, also tab-separated.
 * @module
 */
import { numberScan, scanNumber } from "../source/scan_number.ts";
import type { NameInfo } from "../intake/name_info.ts";
import type { LineFormat } from "./line_format.ts";

const RULE = /^[\s|:+-]+$/;
/** A line without one of these heads no table. */
const HEADER = /step|iter|window|metric|reward|loss/i;
const MAX_CELLS = 5000;

/** Cells between pipes, tabs, or (where `spaced`) two spaces and more. */
function cellsOf(text: string, spaced: boolean): string[] | null {
  const tab = !text.includes("|") && text.includes("\t");
  if (!tab && !text.includes("|")) {
    if (!spaced || !/^\s*(step\s{2,}|-?\d)/i.test(text)) return null;
    return text.trim().split(/^\s*step\s/i.test(text) ? /\s{2,}/ : /\s+/, MAX_CELLS);
  }
  let body = text.trim();
  if (!tab) {
    if (body.startsWith("|")) body = body.slice(1);
    if (body.endsWith("|")) body = body.slice(0, -1);
  }
  const cells = body.split(tab ? "\t" : "|");
  return cells.length > MAX_CELLS ? null : cells.map((cell) => cell.trim().replaceAll("**", "").replaceAll("`", ""));
}

export const MARKDOWN_TABLE: LineFormat = {
  about: "Step | Training Loss | reward (notebooks, Unsloth, issues), upright or transposed",
  open(intake) {
    const { stage } = intake;
    const scan = numberScan();
    let header: { infos: NameInfo[]; stepAt: number; spaced: boolean } | null = null;
    let transposed: { steps: number[]; rows: { info: NameInfo; values: (string | null)[]; line: number }[] } | null =
      null;

    const number = (cell: string): { value: number; decimals: number } | null => {
      if (cell === "" || cell === "-" || cell === "—" || /^no log$/i.test(cell)) return null;
      const text = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(cell) ? cell.replaceAll(",", "") : cell;
      return scanNumber(text, 0, scan) && scan.end === text.length
        ? { value: scan.value, decimals: scan.decimals === 0 ? -1 : scan.decimals }
        : null;
    };

    const endTransposed = () => {
      if (transposed === null) return;
      const { steps, rows } = transposed;
      transposed = null;
      if (rows.length === 0) return;
      steps.forEach((step, j) => {
        stage.reset();
        for (const { info, values } of rows) {
          const found = values[j] == null ? null : number(values[j]!);
          if (found !== null) stage.add(info, found.value, found.decimals, 0);
        }
        if (stage.count > 0) {
          intake.commit({ line: rows[0]!.line, step: Number.isNaN(step) ? undefined : step, metrics: true });
        }
      });
    };

    const end = () => {
      endTransposed();
      header = null;
    };

    return {
      end,
      line({ text, number: line, ended }) {
        if (header === null && transposed === null && (text.length > 20_000 || !HEADER.test(text))) return false;
        const cells = cellsOf(text, header?.spaced ?? header === null);
        if (cells === null || cells.length < 2) {
          if (text.trim() !== "") end();
          return false;
        }
        if (RULE.test(text) && text.includes("--")) return header !== null || transposed !== null;
        const numeric = cells.map(number);
        const isStep = (cell: string) => /^(global[_ ])?(step|iter(ation)?)s?( range)?$|^(step )?window$/i.test(cell);
        const heads = cells.slice(1).map((cell) => /^(?:step|iter(?:ation)?)[ _]*(\d+)$/i.exec(cell));
        if (heads.every((head) => head !== null)) {
          end();
          transposed = { steps: heads.map((head) => Number(head[1])), rows: [] };
          return true;
        }
        const stepAt = cells.findIndex(isStep);
        if (stepAt === 0 && cells.length > 2 && numeric.slice(1).every((found) => found !== null)) {
          end();
          transposed = { steps: numeric.slice(1).map((found) => found!.value), rows: [] };
          return true;
        }
        if (
          /^(metric|name|key)s?$/i.test(cells[0]!) && cells.length === 2 && /^(value|mean|result)s?$/i.test(cells[1]!)
        ) {
          end();
          transposed = { steps: [NaN], rows: [] };
          return true;
        }
        if (numeric.every((found) => found === null)) {
          const infos = cells.map((cell) => stage.names.get(cell));
          const known = infos.filter((info) => info.mapped).length;
          if (stepAt >= 0 ? known > 0 : known >= 2 && known * 2 >= cells.length) {
            end();
            header = { infos, stepAt, spaced: !text.includes("|") && !text.includes("\t") };
            return true;
          }
        }
        if (transposed !== null) {
          const info = stage.names.get(cells[0]!);
          if (cells.length < 2 || cells[0] === "" || numeric.slice(1).every((found) => found === null)) {
            endTransposed();
            return false;
          }
          const values: (string | null)[] = cells.slice(1);
          if (!ended) values[values.length - 1] = null;
          transposed.rows.push({ info, values, line });
          return true;
        }
        if (header === null) return false;
        // A table of window means (`1-50`): the window's last step.
        const window = header.stepAt < 0 ? null : /^(\d+)\s*(?:-|–|to)\s*(\d+)$/.exec(cells[header.stepAt] ?? "");
        const step = window === null ? numeric[header.stepAt] : { value: Number(window[2]), decimals: -1 };
        if (header.stepAt >= 0 && step == null) return false;
        if (cells.length > header.infos.length + 1) return false;
        stage.reset();
        const whole = ended || text.trimEnd().endsWith("|") ? cells.length : cells.length - 1;
        if (whole < cells.length) intake.skip(line, "the last cell of a table that ends without a line break");
        for (let i = 0; i < whole && i < header.infos.length; i++) {
          const found = i === header.stepAt ? null : numeric[i];
          if (found != null) stage.add(header.infos[i]!, found.value, found.decimals, 0);
        }
        return stage.count > 0 ? intake.commit({ line, step: step?.value, metrics: true }) : true;
      },
    };
  },
};
