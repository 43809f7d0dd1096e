/** The formats of rows, by the ending of a file's name. @module */
import type { OpenFile } from "../data_file.ts";
import { openArrow } from "./arrow.ts";
import { openSeparated } from "./csv.ts";
import { openJsonLines, openJsonList } from "./json.ts";
import { openParquet } from "./parquet.ts";

interface Format {
  readonly name: string;
  readonly open: OpenFile;
}

const TEXTS = {
  ".jsonl": { name: "JSON lines", open: openJsonLines },
  ".ndjson": { name: "JSON lines", open: openJsonLines },
  ".json": { name: "JSON", open: openJsonList },
  ".csv": { name: "CSV", open: openSeparated(",") },
  ".tsv": { name: "TSV", open: openSeparated("\t") },
} as const satisfies Record<string, Format>;

export const FORMATS: Readonly<Record<string, Format>> = {
  ...TEXTS,
  ".parquet": { name: "Parquet", open: openParquet },
  ".arrow": { name: "Arrow", open: openArrow },
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([ending, { name, open }]) => [`${ending}.gz`, { name: `${name}, gzip`, open }]),
  ),
};

/** The format of a file's name; null where its ending is none of them. */
export function formatOf(name: string): Format | null {
  const lower = name.toLowerCase();
  const ending = Object.keys(FORMATS).filter((one) => lower.endsWith(one)).sort((a, b) => b.length - a.length)[0];
  return ending === undefined ? null : FORMATS[ending]!;
}
