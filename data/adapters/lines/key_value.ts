/**
 * One `name: value` per line, or several: torchforge, verl's one-metric-per-line variant, and hand-copied figures.
 *
 * Values may have thousands separators (1,568,987.96). A repeated name or a new step closes the record.
 * @module
 */
import { findOption } from "../../options.ts";
import { numberScan, scanNumber } from "../intake/scan_number.ts";
import type { LineFormat } from "./line_format.ts";

const PAIR = /^(?:[-*•]\s*)?["'`]?([A-Za-z_][\w./()%@ -]{0,120}?)["'`]?\s*[:=]\s*(\S.*)$/;
const MANY = /\s{2,}|\s*[|;]\s*|,\s+(?=[A-Za-z_])/;
const GROUPED = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?/;
const STEP_LINE = /^\W*(?:(?:training|global|train)[ _])?(?:step|iter(?:ation)?)\s*[:=#]?\s*(\d+)\b/i;

/** A printed number with or without thousands separators; the rest of the text must be empty, a unit or a remark. */
export function plainNumber(text: string, scan = numberScan()): { value: number; decimals: number } | null {
  const grouped = GROUPED.exec(text);
  const source = grouped === null ? text : grouped[0].replaceAll(",", "");
  const inner = /^(?:np\.\w+|tensor|array)\((.*)\)$/.exec(source)?.[1] ?? source;
  if (!scanNumber(inner, 0, scan)) return null;
  const rest = (grouped === null ? inner.slice(scan.end) : text.slice(grouped[0].length)).trim();
  if (rest !== "" && !/^(?:%|s|ms|[a-z]{1,3}\b|\(.*\))?[.,;]?$/i.test(rest) && !rest.startsWith("#")) return null;
  return { value: scan.value, decimals: grouped === null ? scan.decimals : -1 };
}

export const KEY_VALUE: LineFormat = {
  about: "name: value, one per line or a few (torchforge, verl's long form, copied figures)",
  open(intake) {
    const { stage } = intake;
    const scan = numberScan();
    let pending: { name: string; value: number; decimals: number }[] = [];
    let seen = new Set<string>(), step: number | undefined, first = 0;

    const flush = () => {
      if (pending.length === 0) return;
      stage.reset();
      for (const { name, value, decimals } of pending) stage.add(stage.names.get(name), value, decimals, 0);
      pending = [];
      seen = new Set();
      intake.commit({ line: first, step, metrics: true, weak: true });
      step = undefined;
    };

    return {
      end() {
        flush();
        step = undefined;
      },
      line({ text, number, ended }) {
        if (text.length > 2000 || (!text.includes(":") && !text.includes("=") && !/step/i.test(text))) return false;
        const trimmed = text.trim();
        const stepLine = /METRICS STEP (\d+)/.exec(trimmed) ?? STEP_LINE.exec(trimmed);
        if (stepLine !== null && trimmed.length < stepLine[0].length + stepLine.index + 8) {
          if (pending.length > 0) flush();
          step = Number(stepLine[1]);
          return true;
        }
        const parts = trimmed.split(MANY);
        let taken = 0;
        for (const [i, part] of parts.entries()) {
          const pair = PAIR.exec(part.trim());
          if (pair === null) continue;
          const [, name, value] = pair as unknown as [string, string, string];
          const info = stage.names.get(name.trim());
          if (info.isStep || !info.mapped || (info.isOption && !info.isStrong && findOption(name, null) !== null)) {
            continue;
          }
          if (value === "None") {
            if (seen.has(info.printed)) flush();
            if (pending.length === 0) first = number;
            pending.push({ name: info.printed, value: NaN, decimals: -2 });
            seen.add(info.printed);
            taken++;
            continue;
          }
          const found = plainNumber(value, scan);
          if (found === null) continue;
          if (!ended && i === parts.length - 1) {
            intake.skip(number, `the value of "${info.printed}", at the cut end of the file`);
            taken++;
            continue;
          }
          if (seen.has(info.printed)) flush();
          if (pending.length === 0) first = number;
          const integer = found.decimals === 0;
          pending.push({ name: info.printed, value: found.value, decimals: integer ? -1 : found.decimals });
          seen.add(info.printed);
          taken++;
        }
        return taken > 0;
      },
    };
  },
};
