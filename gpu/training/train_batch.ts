/** Batches as callers give them: unpadded rows, checked, spread to what a graph reads, and cut into slices. @module */
import { type Aggregation, type AggregationTotals, tokenCoefficients } from "../losses/aggregations.ts";
import { type Loss, objectiveOf } from "../losses/mod.ts";
import { rowsOf, type Unit, UNITS } from "../losses/objective.ts";
import { longest, type Rows, unpad } from "../models/padding.ts";

/** Token ids, unpadded, prompts with the images they carry (`PromptIds`); completions of a prompt stand together, `group` of them each. */
export interface Sequences {
  readonly prompts: Rows;
  readonly group: number;
  readonly completions: Rows;
  /**
   * Packed rows: for each token of a completion the number of the sequence it belongs to, rising from 0, that of the
   * prompt. Sequences of a row do not see each other, and each begins at position 0; group 1.
   */
  readonly segments?: Rows;
  /**
   * Tokens that the longest sequence has, or could have had, of all that was read together: some models read every row with
   * other frequencies beyond a length (`longFrom`). Where absent the longest one's here.
   */
  readonly positions?: number;
}

/** A number is that of a whole row, a list has one per token; one number alone is the batch's. */
type Input = number | ArrayLike<number> | Rows;

export interface TrainBatch extends Sequences {
  /** 1 on tokens that count; all of them where absent. */
  readonly completionMask?: Rows;
  /** What the objective reads, by its names: a row per completion, pair or batch. */
  readonly inputs?: Readonly<Record<string, Input>>;
}

/** Which gradient of a run it is. */
export interface DropoutKey {
  readonly trainStep: number;
  /** The update within the train step, and the batch within the update. */
  readonly update: number;
  readonly part: number;
}

/** What bounds the memory of a pass and changes nothing else. */
export interface PassLimits {
  /** Prompts (with their groups) per run of the graph. All where absent. */
  readonly promptsPerPass?: number;
  /** The backward pass computes each layer again instead of keeping it: a third more time, far less memory. */
  readonly recompute?: boolean;
  /** Bytes of logits that a pass computes at once; HEAD_BYTES where absent. */
  readonly headBytes?: number;
}

export interface TrainSettings extends PassLimits {
  readonly loss: Loss;
  /** How losses per token become one number; losses of anything else become their mean. */
  readonly aggregation: Aggregation;
  /** Counts of the whole update, where this batch is only a part of it. */
  readonly totals?: Partial<AggregationTotals>;
  /** Logits are divided by it, as when sampling. */
  readonly temperature: number;
  /** Key of what an adapter with dropout leaves out, the same for the same key; needed where there is dropout. */
  readonly draws?: DropoutKey;
}

/** A batch or a part of it; `first` is the part's first completion, `positions` the whole batch's. */
export interface Slice extends Sequences {
  readonly first: number;
}

/** Tokens of the longest row, prompt and completion; those of a prompt stand together, `group` of them each. */
export function longestRow(prompts: Rows, group: number, completions: Rows): number {
  return completions.reduce(
    (most, { length }, r) => Math.max(most, length + prompts[Math.floor(r / group)]!.length),
    0,
  );
}

/** Tokens of the longest sequence: that of the longest row, or of packed rows the longest that begins at position 0. */
export function longestSequence({ prompts, group, completions, segments }: Sequences): number {
  if (!segments) return longestRow(prompts, group, completions);
  return segments.reduce((most, row, r) => {
    const tokens = new Map([[0, prompts[r]!.length]]);
    for (const segment of Array.from(row)) tokens.set(segment, (tokens.get(segment) ?? 0) + 1);
    return Math.max(most, ...tokens.values());
  }, 0);
}

/** A batch cut into slices of at most `most` prompts. */
export function slicesOf(
  sequences: Sequences,
  most: number,
): Slice[] {
  const { prompts, group, completions, segments, positions = 0 } = sequences;
  if (completions.length !== prompts.length * group) {
    throw new RangeError(
      `Cannot read a batch of ${completions.length} completions: want ${prompts.length} prompts times group ${group}`,
    );
  }
  if (segments && (group !== 1 || segments.some((row, r) => row.length !== completions[r]!.length))) {
    throw new RangeError(
      `Cannot read packed rows: group is ${group} and segments have other lengths than completions, want group 1 and one ` +
        "number per token",
    );
  }
  if (!(most >= 1)) throw new RangeError(`Cannot cut a batch into slices of ${most} prompts: want at least 1`);
  const whole = Math.max(positions, longestSequence(sequences)), result = [];
  for (let p = 0; p < prompts.length; p += most) {
    const first = p * group;
    result.push({
      prompts: prompts.slice(p, p + most),
      group,
      completions: completions.slice(first, (p + most) * group),
      ...(segments ? { segments: segments.slice(first, p + most) } : {}),
      first,
      positions: whole,
    });
  }
  return result;
}

/** Numbers of a train graph's input for a whole batch: a row per `unit`. */
export interface InputRows {
  readonly unit: Unit;
  readonly rows: Rows;
}

/** The rows of an input that belong to a slice. */
export function rowsOfSlice({ unit, rows }: InputRows, { first, completions }: Slice): Rows {
  const from = first / UNITS[unit].completions;
  return rows.slice(from, from + rowsOf(unit, completions.length));
}

/**
 * Every input of the train graph by name, in the order that the loss reads them, and how many tokens count.
 * Throws a RangeError for what is missing or of another length.
 */
export function inputRows(
  batch: TrainBatch,
  settings: TrainSettings,
): { readonly inputs: Readonly<Record<string, InputRows>>; readonly tokens: number } {
  const { completions, group } = batch, objective = objectiveOf(settings.loss);
  const inputs: Record<string, InputRows> = {};
  rowsOf(objective.unit, group); // a row is of one group: refuses a pair across two
  for (const [name, unit] of Object.entries(objective.inputs(settings.loss))) {
    const given = batch.inputs?.[name];
    if (given === undefined) {
      throw new RangeError(`Cannot compute the loss: it reads "${name}", which the batch has not`);
    }
    rowsOf(unit, group);
    inputs[name] = { unit, rows: spread(name, given, unit, completions) };
  }
  const mask = spread("completion_mask", batch.completionMask ?? completions.map(() => 1), "token", completions);
  const width = longest(completions), padded = new Float32Array(completions.length * width);
  mask.forEach((row, r) => padded.set(row, r * width));
  inputs.completion_mask = { unit: "token", rows: mask };
  inputs.coefficients = { unit: objective.unit, rows: coefficients(objective.unit, padded, width, batch, settings) };
  for (const [name, { aggregation, among }] of Object.entries(objective.weights?.(settings.loss) ?? {})) {
    const marked = among === undefined ? padded : marks(padded, inputs[among]!.rows, width);
    inputs[name] = { unit: "token", rows: coefficients("token", marked, width, batch, { ...settings, aggregation }) };
  }
  return { inputs, tokens: padded.reduce((a, b) => a + b, 0) };
}

/** The padded mask [B, T] times an input's rows. */
function marks(mask: Float32Array, rows: Rows, width: number): Float32Array {
  const result = mask.slice();
  rows.forEach((row, r) => {
    for (let t = 0; t < row.length; t++) result[r * width + t]! *= row[t]!;
  });
  return result;
}

/** What a batch gives, as one row per `unit`: a number stands for each of the row's. */
function spread(name: string, given: Input, unit: Unit, completions: Rows): Rows {
  const { row, perToken } = UNITS[unit], list = typeof given === "number" ? [given] : given;
  const count = rowsOf(unit, completions.length);
  const rows = Array.from({ length: count }, (_, r) => {
    const size = perToken ? completions[r]?.length ?? 0 : 1, value = list[r] ?? [];
    const values = typeof value === "number" ? new Float64Array(size).fill(value) : value;
    if (values.length === size) return values;
    throw new RangeError(`Cannot compute the loss: "${name}" of ${row} ${r} has ${values.length} values, want ${size}`);
  });
  if (list.length === count) return rows;
  throw new RangeError(`Cannot compute the loss: "${name}" has ${list.length} rows, want ${count}`);
}

/** The weight of every number of the loss: of tokens by the aggregation, of anything else an equal share of the update. */
function coefficients(
  unit: Unit,
  mask: Float32Array,
  width: number,
  { completions }: Sequences,
  { aggregation, totals }: TrainSettings,
): Rows {
  if (UNITS[unit].perToken) return unpad(tokenCoefficients(aggregation, mask, width, totals), width, completions);
  const share = 1 / rowsOf(unit, totals?.sequences ?? completions.length);
  return Array.from({ length: rowsOf(unit, completions.length) }, () => [share]);
}
