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

/** Of a long run the completions at its start and at its end are read. */
const FIRST_COMPLETIONS = 4000;
const LAST_COMPLETIONS = 12000;

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

/** The options in force as the steps wrote them; the workflow's parameters where there is no such table yet. */
async function readSettings(intake: Intake, folder: string, params: unknown): Promise<void> {
  const tables = await segments(folder, "settings");
  for (const { count, columns } of tables) {
    for (let row = 0; row < count; row++) {
      const value: unknown = JSON.parse(String(columns.get("value")![row]));
      intake.setting(String(columns.get("name")![row]), value, typeof value, row + 1, 1, "nonzero");
    }
  }
  if (tables.length > 0 || params === null || typeof params !== "object") return;
  for (const [name, value] of Object.entries(params as object)) {
    intake.setting(name, value, typeof value, 1, 1, "nonzero");
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
    await readSettings(intake, source.folder!, manifest.params);
    const metrics = await segments(source.folder!, "metrics");
    const phases = new Set(metrics.flatMap(({ columns }) => Array.from(columns.get("phase") ?? [])));
    // A warm start before rollouts is no run of its own: what the run is about is its last phase.
    const phase = phases.has("rollout") ? "rollout" : [...phases].at(-1);
    let from = 0;
    for (const rows of metrics) {
      readMetrics(intake, rows, from, phase);
      from += rows.count;
    }
    for (const { count, columns } of await segments(source.folder!, "messages")) {
      const kinds = columns.get("kind"), texts = columns.get("text");
      for (let row = 0; row < count; row++) intake.message(String(kinds?.[row]), String(texts?.[row]), null, row + 1);
    }
    const completions = new CompletionRows(intake, NaN);
    const stored = await segments(source.folder!, "completions");
    const total = stored.reduce((sum, { count }) => sum + count, 0);
    let before = 0;
    for (const { count, columns } of stored) {
      const names = [...columns.keys()].filter((name) =>
        !((TABLES.completions as Record<string, { type: string }>)[name]?.type ?? "").startsWith("list")
      );
      for (let row = 0; row < count; row++, before++) {
        if (before >= FIRST_COMPLETIONS && before < total - LAST_COMPLETIONS) continue;
        const object: Record<string, unknown> = Object.create(null);
        for (const name of names) {
          if (!["entropy", "correct", "prompt_id", "sample"].includes(name)) object[name] = columns.get(name)![row];
        }
        if (typeof object.text === "string") completions.add(object, row + 1);
      }
    }
  },
};
