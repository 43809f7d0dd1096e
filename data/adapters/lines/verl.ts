/**
 * verl's console line: `step:12 - actor/pg_loss:0.004 - critic/score/mean:np.float64(0.5) - …`, with any prefix.
 * @module
 */
import { scanNumber } from "../source/scan_number.ts";
import type { LineFormat } from "./line_format.ts";
import { rankOf } from "./line_format.ts";

const SEPARATOR = " - ";

const CONTINUED =
  /^([\s-]*)[A-Za-z_][\w/@.()-]*:(?:-?[\d.]+(?:e[-+]?\d+)?|nan|-?inf|np\.float\d+\([^)]*\))(?: - | -?\s*$)/;

export const VERL: LineFormat = {
  about: "step:N - name:value - name:value (verl and its forks)",
  open(intake) {
    const { stage } = intake;
    const { number: scan, expected } = stage;
    let open: number | null = null;
    return {
      end() {},
      line({ text, number, ended }) {
        let at = text.indexOf("step:");
        while (at > 0 && !" \t)]".includes(text[at - 1]!)) at = text.indexOf("step:", at + 1);
        let step: number, from: number;
        const prefix = at < 0 ? "" : text.slice(0, at);
        if (at >= 0) {
          if (!scanNumber(text, at + 5, scan)) return false;
          step = scan.value;
          from = scan.end;
          if (!text.startsWith(SEPARATOR, from) || text.indexOf(":", from) < 0) return false;
          from += SEPARATOR.length;
          open = step;
        } else {
          // A pasted line that a window has wrapped goes on where the step's line ended.
          const wrapped = open === null || text.length > 20_000 ? null : CONTINUED.exec(text);
          if (wrapped === null) {
            if (text.trim() !== "") open = null;
            return false;
          }
          step = open!;
          from = wrapped[1]!.length;
        }
        stage.reset();
        let fixed = true, lastFrom = from;
        while (from < text.length) {
          let end = text.indexOf(SEPARATOR, from);
          const last = end < 0;
          if (last) end = text.length;
          lastFrom = from;
          const guess = expected[stage.count];
          let colon: number, info;
          if (guess !== undefined && text.startsWith(guess.text, from)) {
            colon = from + guess.text.length - 1;
            info = guess.info;
          } else {
            colon = text.lastIndexOf(":", end - 1);
            if (colon > from) {
              info = stage.names.get(text.slice(from, colon).trim());
              expected[stage.count] = { text: structuredClone(text.slice(from, colon + 1)), info };
            }
          }
          if (info !== undefined && colon > from) {
            let valueAt = colon + 1;
            while (text.charCodeAt(valueAt) === 32) valueAt++;
            const paren = text.startsWith("np.", valueAt) || text.startsWith("tensor(", valueAt)
              ? text.indexOf("(", valueAt)
              : -1;
            if (scanNumber(text, paren > 0 ? paren + 1 : valueAt, scan)) {
              const tail = text.slice(scan.end, end).trim();
              if (tail === "" || tail === "-" || (paren > 0 && tail.startsWith(")"))) {
                // The last value of a line without an end may be cut: only one with all its decimals counts.
                const cut = last && !ended && tail === "" && !(fixed && scan.decimals === 3 && stage.count > 2);
                if (cut) intake.skip(number, `the value of "${info.printed}", at the cut end of the file`);
                else stage.add(info, scan.value, scan.decimals, from);
                if (scan.decimals !== 3 && scan.decimals !== -1) fixed = false;
              }
            } else if (text.startsWith("None", valueAt)) stage.add(info, NaN, -2, from);
          } else if (last && end - lastFrom > 2) intake.skip(number, "a cut value at the end of a step line");
          from = end + SEPARATOR.length;
        }
        if (stage.count === 0) return false;
        // Old versions print every float with three decimals: then 0.000 is not 0. New ones print all digits.
        for (let i = 0; i < stage.count; i++) if (stage.decimals[i]! >= 0) stage.decimals[i] = fixed ? 3 : -1;
        intake.mark("verl", "a line of the form step:N - name:value");
        return intake.commit({ line: number, step, rank: rankOf(prefix), metrics: true });
      },
    };
  },
};
