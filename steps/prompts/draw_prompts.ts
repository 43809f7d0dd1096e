/** Which prompts a train step samples: the split in a shuffled order, or those that a policy sometimes solves. @module */
import type { ColumnTable } from "arquero";
import { shuffle, uniform } from "../../data/random.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { drawWeight, passRates } from "./pass_rates.ts";

export interface DrawnPrompt {
  readonly prompt_id: number;
  readonly prompt: string;
  readonly answer: string;
}

export interface Draw {
  readonly seed: number;
  readonly trainStep: number;
  /** Which sampling of the train step, from 1. */
  readonly batch: number;
  readonly split: string;
  readonly count: number;
  /** Prompts that this train step has sampled before: they are drawn again only where nothing else is left. */
  readonly drawn: ReadonlySet<number>;
  /** Rows of the table `groups` of earlier train steps and this one, where pass rates decide; else null. */
  readonly groups: ColumnTable | null;
}

/** `uniform`: the split in an order that is shuffled anew for every pass over it; `pass_rate`: weighted by `drawWeight`. */
export function drawPrompts(prompts: ColumnTable, draw: Draw): DrawnPrompt[] {
  const splits = columnArray(prompts, "split"), rows: number[] = [];
  for (let i = 0; i < splits.length; i++) if (splits[i] === draw.split) rows.push(i);
  if (rows.length === 0) {
    throw new RangeError(
      `Cannot sample: table "prompts" has no row of split "${draw.split}"; give load_prompts more prompts`,
    );
  }
  const ids = columnArray(prompts, "prompt_id") as ArrayLike<number>;
  const [texts, answers] = ["prompt", "answer"].map((name) => columnArray(prompts, name) as ArrayLike<string>);
  const chosen = draw.groups ? byPassRate(rows, ids, draw, draw.groups) : inOrder(prompts, rows, ids, draw);
  return chosen.map((row) => ({ prompt_id: ids[row]!, prompt: texts![row]!, answer: answers![row]! }));
}

/** Rows where the passes over the split have come to; further batches have passes of their own. */
function inOrder(prompts: ColumnTable, rows: readonly number[], ids: ArrayLike<number>, draw: Draw): number[] {
  const { seed, trainStep, batch, count, drawn } = draw;
  const stream = batch === 1 ? "prompt_order" : `prompt_order.${batch}`, size = rows.length;
  const left = rows.some((row) => !drawn.has(ids[row]!)), chosen: number[] = [];
  for (let at = (trainStep - 1) * count; chosen.length < count; at++) {
    const row = rows[passOrder(prompts, { seed, stream, pass: Math.floor(at / size), size })[at % size]!]!;
    if (!left || !drawn.has(ids[row]!)) chosen.push(row);
  }
  return chosen;
}

/**
 * Weighted, without replacement: the smallest of -ln(u) / weight with u uniform (Efraimidis and Spirakis 2006).
 * RangeError where there are fewer prompts than are wanted.
 */
function byPassRate(rows: readonly number[], ids: ArrayLike<number>, draw: Draw, groups: ColumnTable): number[] {
  const { seed, trainStep, batch, count, drawn } = draw, rates = passRates(groups);
  const left = rows.filter((row) => !drawn.has(ids[row]!));
  if (left.length < count) {
    throw new RangeError(
      `Cannot draw ${count} prompts by pass rate: split "${draw.split}" has ${left.length} that this train step has not ` +
        "sampled; give load_prompts more prompts, or lower prompts_per_step",
    );
  }
  const keyed = left.map((row) => {
    const id = ids[row]!, u = uniform(seed, `prompt_draw.${batch}`, trainStep, id, 0);
    return { row, key: -Math.log1p(-u) / drawWeight(rates.get(id) ?? null) };
  });
  return keyed.sort((a, b) => a.key - b.key || a.row - b.row).slice(0, count).map(({ row }) => row);
}

interface Pass {
  readonly seed: number;
  readonly stream: string;
  readonly pass: number;
  readonly size: number;
}

/** The orders asked for last, by the table they order: a pass serves many train steps, and a shuffle is slow. */
const LAST_ORDERS = new WeakMap<
  ColumnTable,
  Map<string, { readonly key: string; readonly order: readonly number[] }>
>();

function passOrder(prompts: ColumnTable, { seed, stream, pass, size }: Pass): readonly number[] {
  const orders = LAST_ORDERS.get(prompts) ?? new Map(), key = `${seed}.${pass}.${size}`;
  LAST_ORDERS.set(prompts, orders);
  const last = orders.get(stream);
  if (last?.key === key) return last.order;
  const order = shuffle(Array.from({ length: size }, (_, i) => i), seed, stream, pass);
  orders.set(stream, { key, order });
  return order;
}
