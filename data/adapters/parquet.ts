/** Parquet: TRL's `completions_00005.parquet`, a table of metrics, or an exported table of ours. @module */
import { messageOf } from "../error_text.ts";
import { ParquetFile } from "../parquet_file.ts";
import type { Adapter, Source } from "./adapter.ts";
import { CompletionRows, hasCompletion } from "./intake/completion_rows.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnRows } from "./intake/own_table.ts";
import { numberOf } from "./source/python_json.ts";

const MAX_BYTES = 1 << 30;
const MAX_ROWS = 50_000;

export const PARQUET: Adapter = {
  about: "Parquet files of completions (TRL log_completions) or metrics, and tables of our runs",
  sniff: ({ head }) =>
    head.length > 8 && head[0] === 80 && head[1] === 65 && head[2] === 82 && head[3] === 49 ? 0.99 : 0,
  async read(source: Source, intake: Intake) {
    const bytes = await source.bytes(MAX_BYTES);
    const wrap = (cause: unknown): never => {
      throw new SyntaxError(`Cannot read ${source.path} as Parquet: ${messageOf(cause)}`, { cause });
    };
    const file = await ParquetFile.open(bytes).catch(wrap);
    const total = file.rows, own = OwnRows.of(file.columns);
    if (own !== null) {
      // A row group at a time: of completions only the last train step's are kept.
      try {
        for await (const rows of file.groups(own.columns)) for (const row of rows) own.add(row);
      } catch (cause) {
        wrap(cause);
      }
      intake.source.bytes_read = bytes.length;
      return own.finish(intake);
    }
    const rows = await file.read(Math.min(total, MAX_ROWS)).catch(wrap);
    intake.source.bytes_read = bytes.length;
    if (total > MAX_ROWS) intake.source.partial = `the first ${MAX_ROWS} of ${total} rows are read`;
    const step = /(?:^|_)0*(\d+)\.parquet$/.exec(source.name)?.[1];
    const completions = new CompletionRows(intake, step === undefined ? NaN : Number(step));
    const { stage } = intake;
    rows.forEach((row, i) => {
      if (hasCompletion(row)) return completions.add(row, i + 1);
      stage.reset();
      for (const [name, value] of Object.entries(row)) {
        const number = numberOf(value);
        if (number !== null || value === null) stage.put(name, number);
      }
      intake.commitRow(i + 1);
    });
  },
};
