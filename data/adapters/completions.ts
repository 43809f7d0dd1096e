/**
 * Completions as JSON lines: TRL exports, verl's `rollout_data_dir/<step>.jsonl`, ms-swift's completions.jsonl.
 * @module
 */
import type { Adapter, Source } from "./adapter.ts";
import { CompletionRows, hasCompletion } from "./intake/completion_rows.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnRows, ownTable } from "./intake/own_table.ts";
import { encodingOf, textChunks } from "./source/text.ts";

const MAX_LINE = 1 << 25;

/** JSON.parse that knows Python's bare NaN and Infinity; null where the line is no whole object. */
export function parseObject(line: string): Record<string, unknown> | null {
  const parse = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  };
  let found = parse(line);
  if (found === null && /NaN|Infinity/.test(line)) {
    const quoted = line.replace(/([:[,]\s*)(-?(?:NaN|Infinity))(?=\s*[,}\]])/g, '$1"\\u0000$2"');
    found = parse(quoted);
  }
  return found !== null && typeof found === "object" && !Array.isArray(found) ? found as Record<string, unknown> : null;
}

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
    const record = intake.source;
    const rows = new CompletionRows(intake, Number(/^(\d+)\.jsonl$/.exec(source.name)?.[1] ?? NaN));
    let held = "", number = 0, own: OwnRows | null = null;
    const take = (line: string, ended: boolean) => {
      number++;
      if (line.trim() === "") return;
      const row = parseObject(line), table = row === null || own !== null ? null : ownTable(Object.keys(row));
      if (table !== null) own = new OwnRows(table, Object.keys(row!));
      if (row !== null && own !== null) own.add(row);
      else if (row !== null && hasCompletion(row)) rows.add(row, number);
      else if (row === null) {
        intake.skip(number, ended ? "a line that is no JSON object" : "a JSON object cut at the end of the file");
      } else intake.skip(number, "a JSON object without a completion");
    };
    const count = async function* () {
      for await (const chunk of source.chunks()) {
        record.bytes_read += chunk.length;
        yield chunk;
      }
    };
    for await (const piece of textChunks(count(), encodingOf(source.head))) {
      held += piece;
      let from = 0;
      for (let end = held.indexOf("\n"); end >= 0; end = held.indexOf("\n", from)) {
        take(held.slice(from, end), true);
        from = end + 1;
      }
      held = held.slice(from);
      if (held.length > MAX_LINE) {
        intake.skip(number + 1, `a line longer than ${MAX_LINE} characters`);
        held = "";
      }
    }
    if (held !== "") take(held, false);
    (own as OwnRows | null)?.finish(intake);
  },
};
