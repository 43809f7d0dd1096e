/**
 * DeepSpeed-Chat: `epoch: 0|step: 12|ppo_ep: 1|act_loss: 0.1|cri_loss: 0.2|…`, later `Epoch: 0 | Step: 12 | Actor Loss: 0.1`,
 * then a line with the average reward.
 * @module
 */
import { scanNumber } from "../source/scan_number.ts";
import type { LineFormat } from "./line_format.ts";

export const DEEPSPEED_CHAT: LineFormat = {
  about: "epoch: N|step: N|act_loss: x|cri_loss: x, and average reward score: x (DeepSpeed-Chat)",
  open(intake) {
    const { stage } = intake;
    let step = NaN;
    return {
      end() {},
      line({ text, number, ended }) {
        const at = text.toLowerCase().indexOf("epoch:");
        if (at >= 0 && text.includes("|", at) && text.toLowerCase().includes("step:", at)) {
          stage.reset();
          const cells = text.slice(at).split("|");
          for (const [i, cell] of cells.entries()) {
            const colon = cell.indexOf(":");
            if (colon < 0 || (i === cells.length - 1 && !ended)) continue;
            let valueAt = colon + 1;
            while (cell.charCodeAt(valueAt) === 32) valueAt++;
            if (!scanNumber(cell, valueAt, stage.number)) continue;
            const name = cell.slice(0, colon).trim().toLowerCase();
            if (name === "step") step = stage.number.value;
            else stage.add(stage.names.get(name), stage.number.value, stage.number.decimals, at);
          }
          if (stage.count < 2) return false;
          for (let i = 0; i < stage.count; i++) stage.decimals[i] = -1;
          intake.mark("deepspeed-chat", text);
          return intake.commit({ line: number, step: Number.isNaN(step) ? undefined : step, metrics: true });
        }
        if (/^average reward score:/i.test(text) && ended) {
          stage.reset();
          if (!scanNumber(text, text.indexOf(":") + 2, stage.number)) return false;
          stage.add(stage.names.get("average reward score"), stage.number.value, -1, 0);
          return intake.commit({ line: number, step: Number.isNaN(step) ? undefined : step, metrics: true });
        }
        return false;
      },
    };
  },
};
