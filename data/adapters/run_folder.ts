/** Our own run folders: the manifest and the Arrow tables beside it. The tables alone are enough. @module */
import { dirname, join } from "node:path";
import { type TableName, TABLES } from "../columns.ts";
import { parseSegment, RUN_FILES } from "../run_folder.ts";
import { SegmentDigests } from "../segment_digests.ts";
import { anySegment, storedTables } from "../stored_tables.ts";
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { parseObject } from "./source/python_json.ts";

/** Alarms of the run that its verdict at the end no longer names. */
function overFindings(findings: unknown): string[] {
  return (Array.isArray(findings) ? findings as Record<string, unknown>[] : []).flatMap((finding) =>
    finding["at_end"] === false && finding["severity"] !== "info"
      ? [`${finding["cause"]} at train step ${finding["train_step"]}`]
      : []
  );
}

/** The run's folder, where the source is its manifest or one of its segments; null for any other file. */
function runFolder({ name, folder }: Pick<Source, "name" | "folder">): string | null {
  if (folder === null) return null;
  if (name === RUN_FILES.manifest) return folder;
  const [, tables, table] = /(?:^|\/)([^/]+)\/([^/]+)$/.exec(folder) ?? [];
  const isSegment = tables === RUN_FILES.tables && Object.hasOwn(TABLES, table!) && parseSegment(name) !== null;
  return isSegment ? dirname(dirname(folder)) : null;
}

/** The manifest of the run, or null and the reason in the report: its tables are there all the same. */
async function manifestOf(folder: string, source: Source, intake: Intake): Promise<Record<string, unknown> | null> {
  if (source.name !== RUN_FILES.manifest) {
    intake.leave(join(folder, RUN_FILES.manifest), "it is not there; the run is judged by its tables");
    return null;
  }
  const bytes = await source.bytes(1 << 26);
  intake.source.bytes_read = bytes.length;
  const manifest = parseObject(new TextDecoder().decode(bytes));
  if (manifest !== null) return manifest;
  if (anySegment(folder) === null) {
    throw new SyntaxError(`Cannot read ${source.path} as a run's manifest: it is no JSON object`);
  }
  intake.leave(source.path, "it is no JSON object; the run is judged by its tables");
  return null;
}

export const RUN_FOLDER: Adapter = {
  about: "a run folder of Nonzero: run.json and its tables",
  sniff(source, text) {
    const folder = runFolder(source);
    if (folder === null) return 0;
    return source.name !== RUN_FILES.manifest || /"format"\s*:\s*1\b/.test(text ?? "") || anySegment(folder) !== null
      ? 0.99
      : 0;
  },
  async read(source: Source, intake: Intake) {
    const folder = runFolder(source)!;
    const manifest = await manifestOf(folder, source, intake);
    intake.mark("nonzero", manifest === null ? "its tables lie in a run's folder" : `run ${String(manifest.id)}`);
    const { rows, damaged } = storedTables(folder);
    for (const { path, reason } of damaged) intake.leave(path, reason);
    const digests = new SegmentDigests(folder), reached = Number(manifest?.["train_step"] ?? Infinity);
    for (const gone of (Object.keys(TABLES) as TableName[]).flatMap((name) => digests.missing(name, reached))) {
      intake.leave(join(folder, gone), `it is not there, and ${RUN_FILES.segments} lists it: its rows are lost`);
    }
    const over = overFindings(manifest?.["findings"]);
    if (over.length > 0) intake.leave(`${source.path}: found while it ran, and not at its end`, over.join(", "));
    intake.takeTables(rows.tables);
  },
};
