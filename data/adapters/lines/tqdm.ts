/**
 * Metrics in the tail of a progress bar: OpenRLHF's `Train epoch [1/1]: 50%|█| 4/8 [00:10<…, act_loss=0.01, kl=0]`.
 * @module
 */
import { mayBeMessage } from "../prose/messages.ts";
import { wholeNumber } from "../source/scan_number.ts";
import type { LineFormat } from "./line_format.ts";

const BAR = /\|\s*(\d+)\/(\d+)\s*\[([^\]]{0,2000})\]/g;
const PAIR = /([A-Za-z_][\w/]*)=([^,\s\]]+)/g;

export const TQDM: LineFormat = {
  about: "a progress bar with name=value pairs at its end (OpenRLHF and other tqdm users)",
  words: ["%|", "it/s", "s/it"],
  open(intake) {
    const { stage } = intake;
    let last = "";
    return {
      end() {},
      line({ text, number }, isPlain) {
        const isBar = text.includes("%|");
        if (!isBar && !text.includes("it/s") && !text.includes("s/it")) return false;
        // Most bars have no metrics in their tail; an error that is printed behind one stays an error.
        if (!text.includes("=")) return isBar && (isPlain || !mayBeMessage(text));
        let found = false;
        for (const [, , , inside] of text.matchAll(BAR)) {
          const comma = inside!.indexOf("=");
          if (comma < 0) continue;
          const body = inside!.slice(inside!.lastIndexOf(",", comma) + 1);
          if (body === last) {
            found = true; // the bar is drawn again with the same values
            continue;
          }
          stage.reset();
          for (const [, name, printed] of body.matchAll(PAIR)) {
            const value = wholeNumber(printed!);
            if (value !== null) stage.put(name!, value);
          }
          if (stage.count === 0 || !stage.infos.slice(0, stage.count).some((info) => info.mapped)) continue;
          last = body;
          if (/Train epoch|Episode|act_loss/.test(text)) intake.mark("openrlhf", text);
          if (intake.commit({ line: number, metrics: true, weak: true })) found = true;
        }
        return found || isBar;
      },
    };
  },
};
