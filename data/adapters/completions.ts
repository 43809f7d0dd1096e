/**
 * Completions as JSON lines: TRL exports, verl's `rollout_data_dir/<step>.jsonl`, ms-swift's completions.jsonl.
 * @module
 */
import type { Adapter, Source } from "./adapter.ts";
import { CompletionRows, hasCompletion } from "./intake/completion_rows.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnRows, ownTable } from "./intake/own_table.ts";
import { eachLine } from "./source/lines.ts";
import { parseObject } from "./source/python_json.ts";

export const COMPLETIONS: Adapter = {
  about:
    "JSON lines of completions (prompt or input, completion or output, rewards, advantage, step), tables of our runs",
  sniff(_, text) {
    if (text === null) return 0;
    const start = text.trimStart();
    if (!start.startsWith("{")) return 0;
    const end = start.indexOf("\n");
    if (/^\{"train_step":\d+,"prompt_id":\d+,"sample":\d+,/.test(start)) return 0.97;
    if (end < 0 && start.length >= 60_000) {
      return /"(completion|output|response)"\s*:\s*["[]/.test(start) && /"(prompt|input)"\s*:/.test(start) ? 0.6 : 0;
    }
    const first = parseObject(end < 0 ? start : start.slice(0, end));
    if (first !== null && ownTable(Object.keys(first)) !== null) return 0.97;
    return first !== null && hasCompletion(first) ? 0.85 : 0;
  },
  async read(source: Source, intake: Intake) {
    const rows = new CompletionRows(intake, Number(/^(\d+)\.jsonl$/.exec(source.name)?.[1] ?? NaN));
    let own: OwnRows | null = null;
    await eachLine(source, intake, ({ text, number, ended }) => {
      if (text.trim() === "") return;
      const row = parseObject(text);
      if (row === null) {
        const problem = ended ? "a line that is no JSON object" : "a JSON object cut at the end of the file";
        return intake.skip(number, problem);
      }
      own ??= OwnRows.of(Object.keys(row));
      if (own !== null) own.add(row);
      else if (hasCompletion(row)) rows.add(row, number);
      else intake.skip(number, "a JSON object without a completion");
    });
    (own as OwnRows | null)?.finish(intake);
  },
};
