/** NeMo-RL's printed blocks: a heading `Step 3/100`, then `• Loss: 0.0012` lines under "Training Results". @module */
import type { LineFormat } from "./line_format.ts";
import { plainNumber } from "./key_value.ts";

const HEADING = /[=─━-]{2,}\s*Step\s+(\d+)\s*\/\s*\d+\s*[=─━-]{2,}/;
const BULLET = /^\W*[•●*]\s*([A-Za-z][^:]{1,80}):\s*(.+?)\s*$/;

export const NEMO_RL: LineFormat = {
  about: "Step N/M headings with bulleted results (NeMo-RL)",
  words: ["step"],
  open(intake) {
    const { stage } = intake;
    let step: number | null = null, first = 0;
    let pending: [string, number, number][] = [];
    const flush = () => {
      if (step === null || pending.length === 0) return;
      stage.reset();
      for (const [name, value, decimals] of pending) stage.add(stage.info(name), value, decimals);
      pending = [];
      intake.commit({ line: first, step, metrics: true });
    };
    return {
      end: flush,
      get isOpen() {
        return step !== null;
      },
      line({ text, number, ended }) {
        const heading = text.length < 300 && text.includes("Step") ? HEADING.exec(text) : null;
        if (heading !== null) {
          flush();
          step = Number(heading[1]);
          return true;
        }
        if (step === null) return false;
        const bullet = BULLET.exec(text);
        if (bullet === null) return false;
        const found = plainNumber(bullet[2]!.replace(/\s*\(.*\)$/, "").replace(/ tokens?$/, ""));
        if (found === null || !ended) return false;
        intake.mark("nemo-rl", text);
        if (pending.length === 0) first = number;
        pending.push([bullet[1]!.trim(), found.value, found.decimals]);
        return true;
      },
    };
  },
};
