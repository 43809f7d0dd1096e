/**
 * Train steps of a log that prints none, where it tells how many updates lie between its records: by its options, by its
 * epochs, by the bar or the summary of transformers' Trainer. Records are evenly spaced there; one more may stand for the
 * first update (`logging_first_step`).
 * @module
 */
import type { Interval, Progress } from "../intake/progress.ts";
import type { RawTable } from "../intake/raw_table.ts";
import type { ImportedMessage, ImportedSetting } from "./imported_run.ts";
import { cellsOf } from "./resumes.ts";

/** How far a number of updates may be from a whole one: a share of it, and no more than this. */
const OFF = 0.05, MOST_OFF = 0.25;
/** Epochs that are printed with so few digits that all records have about the same tell nothing. */
const LEAST_SPAN = 8;
/** A first record this far into the first interval is that of the first update. */
const EARLY = 0.75;
const ROUNDED = 5e-4; // transformers 5 prints four digits.

/** What a log says besides its records. */
interface Told {
  /** Updates per record. */
  readonly interval: number | null;
  /** Whether the first update is printed, too; null where nobody says. */
  readonly first: boolean | null;
  /** Updates of the whole run. */
  readonly total: number | null;
  readonly updatesPerEpoch: number | null;
  /** How far that may be off, as a share of it. */
  readonly error: number;
  readonly bars: Interval | null;
}

/** What options, messages, bar and summary of a log say of its train steps. */
export function toldOf(
  settings: readonly ImportedSetting[],
  messages: readonly ImportedMessage[],
  { summary, interval: bars }: Progress,
): Told {
  const number = (wanted: (setting: ImportedSetting) => boolean) => {
    const found = settings.filter(wanted).map(({ value }) => value).filter((value) => typeof value === "number");
    return found.length > 0 && found.every((value) => value === found[0]) ? found[0]! : null;
  };
  const limit = positive(number(({ option }) => option === "train_steps"));
  const epochs = positive(number(({ option }) => option === "epochs"));
  const total = limit ?? positive(messages.find(({ kind }) => kind === "optimization_steps")?.value ?? null);
  const logged = positive(number(({ option }) => option === "logging_steps"));
  const first = settings.find(({ name }) => /(^|[._])logging_first_step$/.test(name))?.value;
  return {
    // Below 1 it is a share of the run.
    interval: logged !== null && logged < 1 ? total && Math.ceil(logged * total) : logged,
    first: typeof first === "boolean" ? first : null,
    total,
    bars,
    ...perEpoch({ total, epochs: limit === null ? epochs : null, summary }),
  };
}

const positive = (value: number | null) => value !== null && value > 0 ? value : null;

function perEpoch(
  { total, epochs, summary }: Pick<Told, "total"> & Pick<Progress, "summary"> & { readonly epochs: number | null },
): Pick<Told, "updatesPerEpoch" | "error"> {
  if (summary !== null && summary.epoch > 0) {
    const isWhole = total !== null && Math.abs(total / summary.updates - 1) < summary.error + OFF;
    const updates = isWhole ? total : summary.updates;
    return { updatesPerEpoch: updates / summary.epoch, error: isWhole ? ROUNDED : summary.error };
  }
  return { updatesPerEpoch: total === null || epochs === null ? null : total / epochs, error: 0 };
}

/** The train step of each record; null where nothing tells it. */
export function derivedSteps(table: RawTable, told: Told): number[] | null {
  if (table.rows < 2) return null;
  const epochs = evenEpochs(table), records = table.ordinal.at(-1)!;
  const updates = told.interval ?? byEpochs(epochs, told) ?? told.bars?.updates ?? null;
  if (updates === null || !Number.isInteger(updates)) return null;
  const start = epochs === null ? startByCount(records, updates, told) : startByEpoch(epochs, updates, told);
  if (start === null) return null;
  const steps = table.ordinal.map((at) => at === 1 && start.first ? 1 : updates * (at + start.before));
  return told.total !== null && steps.at(-1)! > told.total + updates ? null : steps;
}

/** Where the records begin: how many are missing before them, and whether the first is that of the first update. */
interface Start {
  readonly before: number;
  readonly first: boolean;
}

function startByEpoch({ start, slack }: Epochs, updates: number, { first }: Told): Start | null {
  if (updates > 1 && first !== false && start - slack < EARLY && (first === true || start + slack < EARLY)) {
    return { before: -1, first: true };
  }
  const whole = Math.round(start);
  return whole < 1 || Math.abs(start - whole) > MOST_OFF + slack ? null : { before: whole - 1, first: false };
}

/** Without epochs: the records are all of the run, or a bar agrees. */
function startByCount(records: number, updates: number, { total, first, bars }: Told): Start | null {
  if (bars?.updates === updates) return { before: bars.first ? -1 : 0, first: bars.first };
  const isFirst = first === true && updates > 1;
  if (total === null || Math.floor(total / updates) + (isFirst ? 1 : 0) !== records) return null;
  return { before: isFirst ? -1 : 0, first: isFirst };
}

function byEpochs(epochs: Epochs | null, { updatesPerEpoch, error }: Told): number | null {
  if (epochs === null || updatesPerEpoch === null) return null;
  const updates = epochs.each * updatesPerEpoch, whole = Math.round(updates);
  const isClear = whole >= 1 && updates * (error + epochs.error) < MOST_OFF;
  return isClear && Math.abs(updates - whole) <= Math.min(MOST_OFF, OFF * whole) ? whole : null;
}

/** Epochs of evenly spaced records. */
interface Epochs {
  /** Epochs from one record to the next, and how far that may be off, as a share of it. */
  readonly each: number;
  readonly error: number;
  /** The first record's, and its rounding, in records. */
  readonly start: number;
  readonly slack: number;
}

/** How epochs grow from record to record; null where they are rounded too much, missing, or do not grow evenly. */
function evenEpochs(table: RawTable): Epochs | null {
  const epochs = cellsOf(table, "epoch"), { ordinal } = table, last = epochs.length - 1;
  if (epochs.some((epoch) => Number.isNaN(epoch))) return null;
  const decimals = Math.max(0, ...table.columns.find(({ info }) => info.column === "epoch")!.decimals);
  // The first record may be that of the first update.
  const from = last > 1 ? 1 : 0, span = epochs[last]! - epochs[from]!;
  const rounding = (epoch: number) => Math.max(decimals > 0 ? 0.5 * 10 ** -decimals : 0, ROUNDED * epoch);
  const off = rounding(epochs[last]!) + rounding(epochs[from]!);
  if (!(span > LEAST_SPAN * off)) return null;
  const each = span / (ordinal[last]! - ordinal[from]!);
  const isEven = epochs.every((epoch, row) =>
    row === 0 || Math.abs(epoch - epochs[from]! - (ordinal[row]! - ordinal[from]!) * each) <= each + off
  );
  return isEven ? { each, error: off / span, start: epochs[0]! / each, slack: rounding(epochs[0]!) / each } : null;
}
