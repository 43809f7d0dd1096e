/** mlx-lm: `Iter 10: Train loss 0.123, Learning Rate 1.000e-05, It/sec 0.5, Tokens/sec 100.0, …`. @module */
import { scanNumber } from "../source/scan_number.ts";
import type { LineFormat } from "./line_format.ts";

/** mlx-lm-lora says which loss it trains by; "Starting training" is mlx-lm's own. */
const STARTED = /^Starting (ORPO|CPO|DPO|SimPO) training\b/i;
const ITER = /Iter (\d+):\s*/;

export const MLX: LineFormat = {
  about: "Iter N: Train loss x, Val loss y, name z (mlx-lm)",
  words: ["iter ", "training"],
  open(intake) {
    const { stage } = intake, scan = stage.number;
    return {
      end() {},
      line({ text, number, ended }) {
        if (text.length > 5000) return false;
        const started = text.includes("training") ? STARTED.exec(text) : null;
        if (started !== null) {
          intake.setting("loss_type", started[1]!.toLowerCase(), "string", number, started.index + 1);
          return true;
        }
        if (!text.includes("Iter ")) return false;
        const iter = ITER.exec(text);
        if (iter === null) return false;
        stage.reset();
        const parts = text.slice(iter.index + iter[0].length).split(/,\s*/);
        let evaluation = false;
        parts.forEach((part, i) => {
          const found = /^([A-Za-z][\w/ ]*?)[\s:]+([-+]?(?:[\d.]|nan|inf).*)$/i.exec(part.trim());
          if (found === null || (!ended && i === parts.length - 1)) return;
          const [, printed, value] = found as unknown as [string, string, string];
          if (!scanNumber(value, 0, scan)) return;
          if (/^val /i.test(printed)) evaluation = true;
          const name = printed.replace(/^train (?!loss)/i, "").replace(/^train loss$/i, "loss");
          stage.add(stage.info(name), scan.value, scan.decimals);
        });
        if (stage.count === 0) return false;
        intake.mark("mlx", text);
        return intake.commit({ line: number, step: Number(iter[1]), metrics: true, evaluation });
      },
    };
  },
};
