/** `export`: a run's tables or model in the formats of other tools. @module */
import { byteText } from "../../data/byte_text.ts";
import { join } from "node:path";
import { type TableName, TABLES } from "../../data/columns.ts";
import { isFile, textIfThere } from "../../data/file_system.ts";
import { CARD_MARK } from "../../data/hub/model_card.ts";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { RUN_FILES } from "../../data/run_folder.ts";
import { writeAll } from "../store/write_file.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { openTypedRun } from "../explore/find_run.ts";
import { pathArgument, runsFolder, shownPath } from "../terminal/paths.ts";
import { stdout } from "../terminal/terminal.ts";
import { requireWritable } from "./writable_folder.ts";

/** What a format writes: files by name. Texts and bytes come in pieces, so that a large table is never one string. */
type Files = AsyncIterable<readonly [name: string, pieces: Iterable<string | Uint8Array>]>;

const FORMATS = {
  parquet: async function* (run, tables) {
    const { toParquet } = await import("../../data/tables/formats/mod.ts");
    for (const name of tables) yield [`${name}.parquet`, [toParquet(name, run.table(name))]];
  },
  csv: async function* (run, tables) {
    const { toCsv } = await import("../../data/tables/formats/mod.ts");
    for (const name of tables) yield [`${name}.csv`, toCsv(run.table(name))];
  },
  jsonl: async function* (run, tables) {
    const { toJsonLines } = await import("../../data/tables/formats/mod.ts");
    for (const name of tables) yield [`${name}.jsonl`, toJsonLines(run.table(name))];
  },
  tensorboard: async function* (run) {
    const { toTensorboard } = await import("../../data/tables/formats/mod.ts");
    const { started, at } = trainStepTimes(run);
    yield [`events.out.tfevents.${Math.floor(started)}.nonzero`, toTensorboard(run.table("metrics"), started, at)];
  },
  trainer_state: async function* (run) {
    const { toTrainerState } = await import("../../data/tables/formats/mod.ts");
    yield ["trainer_state.json", [toTrainerState(run.table("metrics"))]];
  },
} as const satisfies Record<string, (run: RunFolder, tables: readonly TableName[]) => Files>;

/** Formats of the model. */
const WEIGHTS: readonly string[] = ["hf", "peft"];
/** Formats of one file per table. */
const PER_TABLE: readonly string[] = ["parquet", "csv", "jsonl"] satisfies (keyof typeof FORMATS)[];

export const exportRun = defineCommand({
  about: "Write a run's tables or model in other formats",
  usage: "RUN --format F --out DIR [--table NAME]...",
  words: [1, 1],
  options: {
    format: { about: "what to write", value: "F", choices: [...Object.keys(FORMATS), ...WEIGHTS] },
    out: { about: "folder for the files; made if absent", value: "DIR" },
    table: {
      about: "only this table (parquet, csv, jsonl); may be repeated",
      value: "NAME",
      multiple: true,
      choices: Object.keys(TABLES),
    },
    runs: { about: "folder of the runs (default: runs/ in the project)", value: "DIR" },
  },
  notes: [
    "hf is a Hugging Face folder of the weights: the run's export, else its newest checkpoint; an adapter is merged in.",
    "peft is the folder of the adapter alone, as PEFT loads it: the run's export, or its newest checkpoint where that is merged.",
  ],
  examples: ["last --format parquet --out tables", "last --format hf --out model"],
  async run([typed], { format, out, table, runs }) {
    if (format === undefined) {
      throw new UsageError(`Cannot export: want --format ${[...Object.keys(FORMATS), ...WEIGHTS].join(" | ")}`);
    }
    if (out === undefined) throw new UsageError("Cannot export: want --out DIR");
    const run = openTypedRun(typed!, runsFolder(runs));
    const folder = pathArgument(out);
    if (table && !PER_TABLE.includes(format)) {
      throw new UsageError(
        `Cannot export --table ${table[0]} as ${format}: it is no table of rows; want ${PER_TABLE.join(" | ")}`,
      );
    }
    requireWritable(folder, "the export", "--out");
    if (WEIGHTS.includes(format)) {
      const from = await exportModel(run, folder, format === "hf");
      stdout.line(`${shownPath(folder)}  from ${from}`);
      return 0;
    }
    const tables = ((table ?? Object.keys(TABLES)) as readonly TableName[]).filter((name) =>
      run.table(name).numRows() > 0
    );
    if (!tables.length) throw new UsageError(`Cannot export run ${run.manifest.id}: its tables have no rows yet`);
    for await (const [name, pieces] of FORMATS[format as keyof typeof FORMATS](run, tables)) {
      const path = join(folder, name);
      stdout.line(`${shownPath(path)}  ${byteText(await writePieces(path, pieces))}`);
    }
    return 0;
  },
});

/** Writes the run's policy; returns where its weights come from. */
async function exportModel(run: RunFolder, target: string, merge: boolean): Promise<string> {
  const { openPolicy } = await import("./open_policy.ts");
  const { exportOf } = await import("../../steps/resources/export.ts");
  const { cardOf } = await import("../../steps/resources/card.ts");
  const { settingValues } = await import("../../steps/options/settings_table.ts");
  const { policy, from, trainStep } = await openPolicy(run, { apart: !merge });
  try {
    const { id: runId, seed } = run.manifest, { model, folder: base } = policy;
    if (!merge && !model.adapted) {
      throw new UsageError(
        `Cannot export run ${runId} as peft: all of its weights train, and there is no adapter; want --format hf`,
      );
    }
    const of = { runId, seed, trainStep, folders: { run: run.path }, table: run.table, history: run.table };
    const card = exportedCard(run, !merge) ?? cardOf(of, "policy", base, !merge);
    const settings = settingValues(run.table("settings"));
    const told = exportOf(model, policy, { target, base, merge, dtype: "float32", settings, card });
    if (told !== null) stdout.line(told);
    return from;
  } finally {
    policy.release();
  }
}

/** The card of the run's own export where that is of the same kind: it alone still knows what the run began with. */
function exportedCard({ path }: RunFolder, isAdapter: boolean): string | null {
  const model = join(path, RUN_FILES.model), config = isAdapter ? "adapter_config.json" : "config.json";
  const card = isFile(join(model, config)) ? textIfThere(join(model, "README.md")) : null;
  return card?.includes(CARD_MARK) ? card : null;
}

/**
 * When the run began and when each train step ended, in seconds since 1970, from the run's events; where they do not
 * tell, as the train step before.
 */
function trainStepTimes(run: RunFolder): { readonly started: number; readonly at: (trainStep: number) => number } {
  const started = Date.parse(run.manifest.created) / 1000;
  const times = new Map<number, number>();
  for (const { event, train_step: step, time } of run.events().events) {
    if (event === "train_step" && typeof step === "number") times.set(step, Date.parse(String(time)) / 1000);
  }
  let last = started;
  return { started, at: (trainStep) => last = times.get(trainStep) ?? last };
}

async function writePieces(path: string, pieces: Iterable<string | Uint8Array>): Promise<number> {
  const encoder = new TextEncoder();
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  let size = 0;
  for (const piece of pieces) {
    const data = typeof piece === "string" ? encoder.encode(piece) : piece;
    size += data.length;
    writeAll(file, data);
  }
  return size;
}
