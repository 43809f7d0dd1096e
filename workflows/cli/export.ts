/** `export`: a run's tables or model in the formats of other tools. @module */
import { byteText } from "../../data/byte_text.ts";
import { join } from "node:path";
import { type TableName, TABLES } from "../../data/columns.ts";
import { missingText } from "../../data/segment_digests.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { openTypedRun, shownStatus } from "../explore/find_run.ts";
import { quoted } from "../terminal/command_line.ts";
import { pathArgument, runsFolder, shownPath } from "../terminal/paths.ts";
import { stderr, stdout } from "../terminal/terminal.ts";
import { writeExport } from "./export_files.ts";
import { EXPORT_FORMATS, type ExportFormatName, type ExportSource, exportSource } from "./export_formats.ts";
import { requireWritable } from "./writable_folder.ts";

/** Formats of the model. */
const WEIGHTS: readonly string[] = ["hf", "peft"];
const ALL = [...Object.keys(EXPORT_FORMATS), ...WEIGHTS];

export const exportRun = defineCommand({
  about: "Write a run's tables or model in other formats",
  usage: "RUN --format F --out DIR [--table NAME]...",
  words: [1, 1],
  options: {
    format: { about: "what to write", value: "F", choices: ALL },
    out: { about: "folder for the files; made if absent", value: "DIR" },
    table: {
      about: "only this table; of a tracker, those beside its own files (metrics: none); may be repeated",
      value: "NAME",
      multiple: true,
      choices: Object.keys(TABLES),
    },
    runs: { about: "folder of the runs (default: runs/ in the project)", value: "DIR" },
  },
  notes: [
    ...Object.values(EXPORT_FORMATS).map(({ about }) => about),
    "hf: a Hugging Face folder of the weights: the run's export, else its newest checkpoint; an adapter is merged in.",
    "peft: the folder of the adapter alone, as PEFT loads it: the run's export, or its newest checkpoint where that is merged.",
    "Beside a tracker's files lie the tables that the doctor reads, as Parquet: `diagnose DIR` then says what it says of the run.",
    "Files are replaced where an export wrote them, and are all written or none.",
  ],
  examples: [
    "last --format parquet --out tables",
    "last --format tensorboard --out logs/first",
    "last --format hf --out model",
  ],
  async run([typed], { format, out, table, runs }) {
    if (format === undefined) throw new UsageError(`Cannot export: want --format ${ALL.join(" | ")}`);
    if (out === undefined) throw new UsageError("Cannot export: want --out DIR");
    const run = openTypedRun(typed!, runsFolder(runs));
    const folder = pathArgument(out);
    if (table && WEIGHTS.includes(format)) {
      throw new UsageError(
        `Cannot export --table ${table[0]} as ${format}: it is no table of rows; want ${
          Object.keys(EXPORT_FORMATS).join(" | ")
        }`,
      );
    }
    if (WEIGHTS.includes(format)) {
      requireWritable(folder, "the export", "--out");
      const { exportModel } = await import("./export_model.ts");
      const from = await exportModel(run, folder, format === "hf");
      stdout.line(`${shownPath(folder)}  from ${from}`);
      return 0;
    }
    const name = format as ExportFormatName;
    const source = exportSource(run, name, folder, table as readonly TableName[] | undefined);
    requireWritable(folder, "the export", "--out");
    if (shownStatus(run) === "running") {
      stderr.line(`Run ${run.manifest.id} is still running: what it has done up to now is exported.`);
    }
    for (const gone of run.missing(table as readonly TableName[] | undefined)) {
      stderr.line(missingText(shownPath(join(run.path, gone))));
    }
    for (const { path, files, bytes } of writeExport(folder, EXPORT_FORMATS[name].files(source))) {
      stdout.line(`${shownPath(join(folder, path))}  ${files > 1 ? `${files} files, ` : ""}${byteText(bytes)}`);
    }
    const { opens } = EXPORT_FORMATS[name] as { opens?: (source: ExportSource) => readonly string[] };
    if (opens) stderr.line(`Open it: ${opens(source).map((word, i) => i === 0 ? word : quoted(word)).join(" ")}`);
    return 0;
  },
});
