/**
 * Our own run folders: the manifest and the Arrow tables beside it.
 * @module
 */
import { type TableName, TABLES } from "../columns.ts";
import { parseSegment, RUN_FILES } from "../run_folder.ts";
import { columnArray, decodeTable } from "../tables/mod.ts";
import type { Adapter, Source } from "./adapter.ts";
import { parseObject } from "./completions.ts";
import { CompletionRows } from "./intake/completion_rows.ts";
import type { Intake } from "./intake/intake.ts";

type Rows = { count: number; columns: Map<string, ArrayLike<unknown>> };

/** The segments of a table, in the order of their train steps. */
async function segments(folder: string, table: TableName): Promise<Rows[]> {
  const path = `${folder}/${RUN_FILES.tables}/${table}`;
  const there = await Deno.stat(path).then(({ isDirectory }) => isDirectory, () => false);
  if (!there) return [];
  const names = (await Array.fromAsync(Deno.readDir(path))).map(({ name }) => name).filter((name) =>
    parseSegment(name) !== null
  );
  names.sort((a, b) => parseSegment(a)!.first - parseSegment(b)!.first);
  const rows: Rows[] = [];
  for (const name of names) {
    const decoded = decodeTable(await Deno.readFile(`${path}/${name}`));
    const columns = new Map(decoded.columnNames().map((column) => [column, columnArray(decoded, column)] as const));
    rows.push({ count: decoded.numRows(), columns });
  }
  return rows;
}

function readMetrics(intake: Intake, { count, columns }: Rows, from: number, phase: unknown): void {
  const { stage } = intake;
  const numeric = [...columns].filter(([name]) => {
    const type = (TABLES.metrics as Record<string, { type: string }>)[name]?.type ?? "float64";
    return name !== "train_step" && /^(int|float)/.test(type);
  });
  const steps = columns.get("train_step"), phases = columns.get("phase");
  for (let row = 0; row < count; row++) {
    if (phases !== undefined && phases[row] !== phase) continue;
    stage.reset();
    for (const [name, values] of numeric) {
      const value = values[row];
      if (typeof value === "number") stage.add(stage.names.get(name), value, -1, 0);
    }
    if (stage.count > 0) intake.commit({ line: from + row + 1, step: Number(steps?.[row] ?? NaN), metrics: true });
  }
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
    const { params } = manifest;
    if (params !== null && typeof params === "object") {
      for (const [name, value] of Object.entries(params)) intake.setting(name, value, typeof value, 1, 1, "nonzero");
    }
    const metrics = await segments(source.folder!, "metrics");
    const phases = new Set(metrics.flatMap(({ columns }) => Array.from(columns.get("phase") ?? [])));
    for (const phase of phases.size === 0 ? [undefined] : phases) {
      intake.newSegment(`phase ${String(phase)}`);
      let from = 0;
      for (const rows of metrics) {
        readMetrics(intake, rows, from, phase);
        from += rows.count;
      }
    }
    const completions = new CompletionRows(intake, NaN);
    for (const { count, columns } of await segments(source.folder!, "completions")) {
      const names = [...columns.keys()].filter((name) =>
        !((TABLES.completions as Record<string, { type: string }>)[name]?.type ?? "").startsWith("list")
      );
      for (let row = 0; row < count; row++) {
        const object: Record<string, unknown> = Object.create(null);
        for (const name of names) {
          if (!["entropy", "correct", "prompt_id", "sample"].includes(name)) object[name] = columns.get(name)![row];
        }
        if (typeof object.text === "string") completions.add(object, row + 1);
      }
    }
  },
};
