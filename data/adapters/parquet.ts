/**
 * Parquet: TRL's `completions_00005.parquet`, a table of metrics, or an exported table of ours.
 * @module
 */
import { ParquetFile } from "../parquet_file.ts";
import type { Adapter, Source } from "./adapter.ts";
import { CompletionRows, hasCompletion, numberOf } from "./intake/completion_rows.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnRows, ownTable } from "./intake/own_table.ts";

const MAX_BYTES = 1 << 30;
const MAX_ROWS = 50_000;

export const PARQUET: Adapter = {
  about: "Parquet files of completions (TRL log_completions) or metrics, and tables of our runs",
  sniff: ({ head }) =>
    head.length > 8 && head[0] === 80 && head[1] === 65 && head[2] === 82 && head[3] === 49 ? 0.99 : 0,
  async read(source: Source, intake: Intake) {
    const bytes = await source.bytes(MAX_BYTES);
    const wrap = (cause: unknown): never => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new SyntaxError(`Cannot read ${source.path} as Parquet: ${why}`, { cause });
    };
    const file = await ParquetFile.open(bytes).catch(wrap);
    const total = file.rows, own = ownTable(file.columns);
    if (own !== null) {
      const taken = new OwnRows(own, file.columns);
      for (const row of await file.read(total, taken.columns).catch(wrap)) taken.add(row);
      intake.source.bytes_read = bytes.length;
      return taken.finish(intake);
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
        if (number !== null) stage.add(stage.names.get(name), number, -1, 0);
        else if (value === null) stage.add(stage.names.get(name), NaN, -2, 0);
      }
      if (stage.count === 0 || !intake.commit({ line: i + 1, metrics: true })) {
        intake.skip(i + 1, "a row without a known metric");
      }
    });
  },
};
