/** A run as a person explores it: its tables, findings and charts, whether it is ours or another system's. @module */
import type { ColumnTable } from "arquero";
import type { ImportedRun } from "../../data/adapters/run/imported_run.ts";
import { type TableName, TABLES } from "../../data/columns.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { RUN_FILES, type RunManifest } from "../../data/run_folder.ts";
import type { RunRows } from "../../data/run_rows.ts";
import { storedTables } from "../../data/stored_tables.ts";
import { emptyTable, tableOfRows } from "../../data/tables/mod.ts";
import type { ChartView } from "../../notebooks/chart_view.ts";
import type { Chart, ChartTables, Row } from "../../notebooks/charts/chart.ts";
import type { ChartName } from "../../notebooks/charts/mod.ts";
import { type Bundle, JUPYTER_DISPLAY } from "../../notebooks/display.ts";
import { laterWins } from "../../notebooks/later_wins.ts";
import type { PictureView } from "../../notebooks/pictures/picture_view.ts";
import type { DrawOptions } from "../../notebooks/draw.ts";
import { reportRows } from "../../steps/metrics/report_rows.ts";
import type { CannotTell, Diagnosis, Found } from "../../steps/diagnoses/diagnosis.ts";
import { tableView } from "../../steps/diagnoses/view/table_view.ts";
import { type Facts, factsOf, settingsFacts } from "./compare_runs.ts";
import { examineRun } from "../doctor/examine_run.ts";
import type { Examined } from "../doctor/examined.ts";
import { boxUnitOfRun } from "../run/box_unit.ts";
import { chartTables } from "../run/chart_tables.ts";
import { storedFindings } from "../run/stored_findings.ts";
import { chartOf, drawable } from "./chart_of.ts";
import { shownStatus } from "./find_run.ts";
import { runBundle } from "./run_bundle.ts";
import { completionPictures, evaluationPictures, type PictureOptions } from "./run_pictures.ts";
import { withEvents } from "./live_metrics.ts";
import type { BoxUnits } from "../../notebooks/pictures/picture.ts";

/** Of completions, a chart in a notebook reads so much, an even choice of segments: the first one is there in seconds. */
const MOST_BYTES = 2 ** 27;

/** What was found in a run: a cause with its severity, train steps, message and hint. */
interface RunFindingRow {
  readonly cause: string;
  readonly severity: string;
  readonly train_steps: readonly number[];
  readonly message: string;
  readonly hint: string;
}

/** The tables of a run by name, each read when it is first asked for. */
type RunTables = Readonly<Record<TableName, ColumnTable>>;

/** How a chart of a run is drawn. */
interface ChartOptions extends Omit<DrawOptions, "findings"> {
  /** What was found is laid under it. */
  readonly findings?: boolean;
}

type Verdict = Examined["diagnosis"]["verdict"];

/** Where the rows of a run come from. */
interface Origin {
  readonly table: (name: TableName) => ColumnTable;
  readonly chartTables: () => ChartTables;
  readonly findings: () => readonly RunFindingRow[];
  readonly verdict: () => Verdict | null;
  readonly facts: () => readonly Facts[];
  readonly rows: () => RunRows;
}

export class Run {
  readonly #origin: Origin;
  #tables: RunTables | null = null;
  #drawn: ChartTables | null = null;

  private constructor(
    /** The run's folder, or the file or folder that holds a foreign one. */
    readonly path: string,
    readonly name: string,
    /** `nonzero`, or the system that wrote it; null where nobody knows. */
    readonly system: string | null,
    /** What run.json says; null for a foreign run. */
    readonly manifest: RunManifest | null,
    /** Keys of the manifest that could not be read. */
    readonly unknown: ReadonlySet<string>,
    /** How it stands: killed is one that claims to run and has no process; null for a foreign run, and where nobody knows. */
    readonly status: string | null,
    /** What of its folder could not be read so far: run.json, tables. */
    readonly lost: readonly string[],
    origin: Origin,
  ) {
    this.#origin = origin;
  }

  /** A run of ours: also one that still goes on, whose last train steps stand in its events alone. */
  static ofFolder(folder: RunFolder, lost?: readonly string[]): Run {
    const { manifest, path, unknown } = folder, status = unknown.has("status") ? null : shownStatus(folder);
    const metrics = () => withEvents(folder);
    // Where it is told what is lost, the tables that can be read are read; else a table is opened when it is asked for.
    const table = (name: TableName) => lost ? folder.table(name) : advised(() => folder.lazyTable(name));
    return new Run(path, manifest.name, "nonzero", manifest, unknown, status, lost ?? [], {
      table: (name) => name === "metrics" ? advised(metrics) : table(name),
      chartTables: () =>
        Object.defineProperties(chartTables(folder, MOST_BYTES), {
          metrics: { value: reportRows(metrics()), enumerable: true },
          // Also what was found at the end, which no step has put into the table.
          findings: { get: () => storedFindings(folder).map(findingRow), enumerable: true },
        }),
      findings: () => storedFindings(folder).map(findingRow),
      verdict: () => manifest.verdict?.verdict ?? null,
      facts: () => factsOf(folder),
      rows: () => storedTables(path).rows,
    });
  }

  /** Another system's run, diagnosed when its findings are asked for. */
  static ofLog(log: ImportedRun): Run {
    let diagnosed: Examined["diagnosis"] | null = null, found: readonly RunFindingRow[] | null = null;
    const diagnosis = () => diagnosed ??= examineRun(log).diagnosis;
    const findings = () => found ??= diagnosis().findings.map((finding) => findingRow({ ...finding }));
    const { path, part } = log, name = nameOf(path);
    return new Run(
      path,
      part.of > 1 ? `${name} (${part.run ?? `${part.index} of ${part.of}`})` : name,
      log.system,
      null,
      new Set(),
      null,
      [],
      {
        table: (table) =>
          table === "findings" ? findingsTable(findings()) : log.rows.tables[table] ?? emptyTable(table),
        chartTables: () => ({
          ...Object.fromEntries(
            Object.entries(log.rows.tables).map((
              [name, table],
            ) => [name, name === "metrics" ? laterWins(reportRows(table)) : reportRows(table)]),
          ),
          findings: findings() as readonly object[] as readonly Row[],
        }),
        findings,
        verdict: () => diagnosis().verdict,
        rows: () => log.rows,
        facts: () => [[], [], [], [], [], settingsFacts(log.rows.tables.settings ?? emptyTable("settings"))],
      },
    );
  }

  /** What its random numbers follow; null for a foreign run, and where nobody knows. */
  get seed(): number | null {
    return this.manifest === null || this.unknown.has("seed") ? null : this.manifest.seed;
  }

  /** Every table, empty where the run has none: `run.tables.metrics`. */
  get tables(): RunTables {
    if (this.#tables !== null) return this.#tables;
    const read = new Map<TableName, ColumnTable>();
    const tables = {};
    for (const name of Object.keys(TABLES) as TableName[]) {
      const get = () => {
        if (!read.has(name)) read.set(name, this.#origin.table(name));
        return read.get(name)!;
      };
      Object.defineProperty(tables, name, { get, enumerable: true });
    }
    return this.#tables = tables as RunTables;
  }

  /** The same by name. Throws RangeError for a name that no table has. */
  table(name: TableName): ColumnTable {
    if (name in this.tables) return this.tables[name];
    throw new RangeError(`Cannot read table "${name}"${didYouMean(name, Object.keys(TABLES))}`);
  }

  /** `run.tables.completions`: every sampled completion, as far as the run kept them. */
  get completions(): ColumnTable {
    return this.tables.completions;
  }

  /** What the doctor found, worst first. */
  get findings(): readonly RunFindingRow[] {
    return this.#origin.findings();
  }

  /** What the doctor came to: faulty, benign, or insufficient to tell; null of a run of ours that it has not judged yet. */
  get verdict(): Verdict | null {
    return this.#origin.verdict();
  }

  /** Names of the charts whose columns this run has. */
  get charts(): ChartName[] {
    return drawable(this.#chartTables);
  }

  /**
   * A chart of the run, by its name or your own definition. `findings: true` lays what was found under it. Throws
   * RangeError for a name that no chart has, and one that names the missing columns where it cannot be drawn.
   */
  chart(chart: ChartName | Chart, { findings, ...options }: ChartOptions = {}): ChartView {
    const laid = findings ? { findings: this.findings as readonly object[] as readonly Row[] } : {};
    return chartOf(chart, this.#chartTables, { ...options, ...laid });
  }

  /** Completions of one train step as pictures with their boxes. Throws RangeError where none has an image. */
  pictures(options: PictureOptions = {}): PictureView {
    return completionPictures(this, this.completions, options);
  }

  /**
   * What the same prompts with images were answered before and after training, as pictures: the largest gains, some of the
   * middle, and the losses. Throws RangeError for a run without two such evaluations.
   */
  picturesBeforeAfter(options: Pick<PictureOptions, "limit" | "theme"> = {}): PictureView {
    return evaluationPictures(this, this.tables.evaluations, options);
  }

  /** Unit of the boxes in answers and completions. */
  get boxUnit(): BoxUnits {
    return this.manifest === null ? "thousandths" : boxUnitOfRun(this.path);
  }

  /** Asks one rule about the run, of yours or of the doctor's: what it found, what it lacks, or null. */
  check(diagnosis: Diagnosis): Found | CannotTell | null {
    return diagnosis.check(tableView(this.#origin.rows()));
  }

  /** What is known of the run besides its rows, part by part: machine, parameters, settings, results. */
  facts(): readonly Facts[] {
    return this.#origin.facts();
  }

  /** Reads everything again: of a run that goes on. */
  refresh(): void {
    this.#tables = this.#drawn = null;
  }

  [JUPYTER_DISPLAY](): Bundle {
    return runBundle(this);
  }

  get #chartTables(): ChartTables {
    return this.#drawn ??= this.#origin.chartTables();
  }
}

/** What a log is called: its file; of a file that every run of its system has, the folder too. */
function nameOf(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== ""), name = parts.at(-1) ?? path;
  return name === "trainer_state.json" ? parts.slice(-2).join("/") : name;
}

/** Reads a table; of a part of it that cannot be read it is said how one comes to the others. */
function advised(read: () => ColumnTable): ColumnTable {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError && error.message.includes(`/${RUN_FILES.tables}/`))) throw error;
    if (error.message.endsWith("to read the other rows")) throw error;
    throw new SyntaxError(`${error.message}; move that file away to read the other rows`, { cause: error });
  }
}

function findingRow(row: Readonly<Record<string, unknown>>): RunFindingRow {
  const steps = row["train_steps"];
  return {
    cause: String(row["cause"]),
    severity: String(row["severity"]),
    train_steps: Array.isArray(steps) ? steps as number[] : [],
    message: String(row["message"]),
    hint: String(row["hint"]),
  };
}

function findingsTable(findings: readonly RunFindingRow[]): ColumnTable {
  return tableOfRows(
    "findings",
    findings.map((finding) => ({ ...finding, train_step: finding.train_steps[0] ?? null })),
  );
}
