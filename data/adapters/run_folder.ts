/**
 * Our own run folders: the manifest and the Arrow tables beside it.
 * @module
 */
import { RUN_FILES } from "../run_folder.ts";
import { storedTables } from "../stored_tables.ts";
import type { Adapter, Source } from "./adapter.ts";
import { parseObject } from "./completions.ts";
import type { Intake } from "./intake/intake.ts";
import { takeTables } from "./intake/own_run.ts";

/** Alarms of the run that its verdict at the end no longer names. */
function overFindings(findings: unknown): string[] {
  return (Array.isArray(findings) ? findings as Record<string, unknown>[] : []).flatMap((finding) =>
    finding["at_end"] === false && finding["severity"] !== "info"
      ? [`${finding["cause"]} at train step ${finding["train_step"]}`]
      : []
  );
}

export const RUN_FOLDER: Adapter = {
  about: "a run folder of Nonzero: run.json and its tables",
  sniff: ({ name, folder }, text) =>
    name === RUN_FILES.manifest && folder !== null && text !== null && /"format"\s*:\s*1\b/.test(text) ? 0.99 : 0,
  async read(source: Source, intake: Intake) {
    const bytes = await source.bytes(1 << 26);
    intake.source.bytes_read = bytes.length;
    const manifest = parseObject(new TextDecoder().decode(bytes));
    if (manifest === null) {
      throw new SyntaxError(`Cannot read ${source.path} as a run's manifest: it is no JSON object`);
    }
    intake.mark("nonzero", `run ${String(manifest.id)}`);
    const { rows, damaged } = storedTables(source.folder!);
    for (const { path, reason } of damaged) intake.leave(path, reason);
    const over = overFindings(manifest["findings"]);
    if (over.length > 0) intake.leave(`${source.path}: found while it ran, and not at its end`, over.join(", "));
    takeTables(intake, rows.tables);
  },
};
