/**
 * DeepSpeed-Chat: `epoch: 0|step: 12|ppo_ep: 1|act_loss: 0.1|cri_loss: 0.2|…`, later `Epoch: 0 | Step: 12 | Actor Loss: 0.1`,
 * then a line with the average reward.
 * @module
 */
import { scanNumber } from "../source/scan_number.ts";
import type { LineFormat } from "./line_format.ts";

export const DEEPSPEED_CHAT: LineFormat = {
  about: "epoch: N|step: N|act_loss: x|cri_loss: x, and average reward score: x (DeepSpeed-Chat)",
  words: ["epoch:", "average reward score:"],
  open(intake) {
    const { stage } = intake, { number: scan } = stage;
    let step: number | undefined;
    /** The cells of a line with a step; the last one of a cut file is left out. */
    const losses = (text: string, ended: boolean) => {
      const cells = text.split("|");
      for (const cell of ended ? cells : cells.slice(0, -1)) {
        const colon = cell.indexOf(":");
        if (colon < 0 || !scanNumber(cell.slice(colon + 1).replace(/^ +/, ""), 0, scan)) continue;
        const name = cell.slice(0, colon).trim().toLowerCase();
        if (name === "step") step = scan.value;
        else stage.put(name, scan.value);
      }
    };
    return {
      end() {},
      line({ text, number, ended }) {
        const isReward = /^average reward score:/i.test(text) && ended;
        if (!isReward && !text.includes("|")) return false;
        const lower = text.toLowerCase(), at = lower.indexOf("epoch:");
        stage.reset();
        if (at >= 0 && text.includes("|", at) && lower.includes("step:", at)) {
          losses(text.slice(at), ended);
          if (stage.count < 2) return false;
          intake.mark("deepspeed-chat", text);
        } else if (isReward && scanNumber(text, text.indexOf(":") + 2, scan)) {
          stage.put("average reward score", scan.value);
        } else return false;
        return intake.commit({ line: number, step, metrics: true });
      },
    };
  },
};
