/**
 * The debug file of Visual-RFT, VLM-R1 and R1-V: a dashed line with a reward, then `content:` and `sol:` blocks.
 * @module
 */
import type { LineFormat } from "./line_format.ts";

const HEAD = /^-{5,}\s+(\S+)\s+([A-Za-z][^:]*?):\s*(-?[\d.]+|nan|None|True|False)\s*-{5,}\s*(.*)$/;
const FIELD =
  /^(content|completion|sol|solution|problem|prompt|question|student_answer\w*|ground_truth\w*|iou_results)\s*:\s*(.*)$/i;
const ONE_LINE = /^content:\s*(.*?)\s*(?:\bsol(?:ution)?:\s*(.*))?$/is;

export const DEBUG_BLOCK: LineFormat = {
  about: "dashed reward lines with content and solution (Visual-RFT, VLM-R1, R1-V debug files)",
  open(intake) {
    let block: { name: string; reward: number | null; line: number; fields: Map<string, string>; key: string } | null =
      null;
    let sample = 0;

    const flush = () => {
      if (block === null) return;
      const { name, reward, line, fields } = block;
      block = null;
      const text = fields.get("content") ?? fields.get("completion") ?? "";
      const answer = fields.get("sol") ?? fields.get("solution") ?? null;
      intake.completion({
        line,
        train_step: null,
        prompt_id: 0,
        sample: sample++,
        prompt: fields.get("problem") ?? fields.get("question") ?? fields.get("prompt") ?? null,
        answer: answer?.trim() ?? null,
        text: text.trim(),
        reward,
        rewards: new Map([[name, reward]]),
        advantage: null,
        completion_tokens: null,
        truncated: null,
        cut: text.includes("[...]"),
      });
      if (/IoU|Confidence/i.test(name) && fields.has("student_answer_bbox")) intake.mark("visual-rft", name);
    };

    return {
      end: flush,
      line({ text, number }) {
        const head = text.startsWith("----- ") || /^-{6,40} /.test(text) ? HEAD.exec(text) : null;
        if (head !== null) {
          flush();
          const [, , title, value, rest] = head as unknown as [string, string, string, string, string];
          const reward = value === "None" ? null : value === "True" ? 1 : value === "False" ? 0 : Number(value);
          const fields = new Map<string, string>();
          const one = ONE_LINE.exec(rest);
          if (one !== null) {
            fields.set("content", one[1]!);
            if (one[2] !== undefined) fields.set("sol", one[2]);
          }
          block = { name: title.trim(), reward, line: number, fields, key: "content" };
          return true;
        }
        if (block === null) return false;
        if (text.includes("'learning_rate'") || text.includes("%|")) {
          flush(); // a console that mixes debug output and records
          return false;
        }
        const field = FIELD.exec(text);
        if (field !== null) {
          block.key = field[1]!.toLowerCase();
          block.fields.set(block.key, field[2]!);
        } else {
          const old = block.fields.get(block.key) ?? "";
          if (old.length < 100_000) block.fields.set(block.key, old + "\n" + text);
        }
        return true;
      },
    };
  },
};
