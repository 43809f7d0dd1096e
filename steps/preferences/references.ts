/** The reference's log-probs of preferences: computed once and kept in the table, or anew for each batch. @module */
import { columnArray, tableOf } from "../../data/tables/mod.ts";
import type { StepContext } from "../step.ts";
import { type BatchReference, type Logprobs, mismatched, sequencesOf } from "./batches.ts";
import type { Example } from "./examples.ts";

type List = ArrayLike<number>;

/** Columns that hold the log-probs of an example's completions. */
const COLUMNS = { pairs: ["chosen_ref_logprobs", "rejected_ref_logprobs"], labelled: ["ref_logprobs"] } as const;
const MISMATCHED = "mismatched_ref_logprobs";

/** What the reference says of a batch, and of its mismatched pairs where those are wanted. */
export type Reference = (batch: readonly Example[], wantsKl: boolean) => Promise<BatchReference>;

export interface ReferenceOptions {
  /** The batches in which mismatched pairs are made, the same in every epoch; null: they are not wanted. */
  readonly klBatches: readonly (readonly Example[])[] | null;
  readonly pairs: boolean;
}

/** Asks the reference for each batch; of a prompt's own completion and the mismatched one at once, which read it once. */
export function askedReference(logprobs: Logprobs): Reference {
  return async (batch, wantsKl) => {
    if (!wantsKl) return { own: await logprobs(sequencesOf(batch)), mismatched: null };
    const { prompts, completions: others } = mismatched(batch);
    const completions = batch.flatMap(({ completions: [own] }, r) => [own!, others[r]!]);
    const rows = await logprobs({ prompts, group: 2, completions });
    return { own: rows.filter((_, i) => i % 2 === 0), mismatched: rows.filter((_, i) => i % 2 === 1) };
  };
}

/**
 * Computes the log-probs of the examples once, and writes them into the table `preferences`: a resumed step reads them
 * from there.
 */
export async function keptReference(
  context: StepContext,
  examples: readonly Example[],
  logprobs: Logprobs,
  { klBatches, pairs }: ReferenceOptions,
): Promise<Reference> {
  const columns = pairs ? COLUMNS.pairs : COLUMNS.labelled, wanted = [...columns, ...(klBatches ? [MISMATCHED] : [])];
  const table = context.table("preferences");
  // A run that goes on beyond the updates it was planned with reads rows that nobody has asked for.
  const areThere = (name: string) => {
    if (!table.column(name)) return false;
    const lists = columnArray(table, name) as ArrayLike<List>;
    return (name === MISMATCHED ? klBatches!.flat() : examples).every(({ row }) => lists[row]!.length > 0);
  };
  if (!(context.position > 0 && wanted.every(areThere))) {
    const lists = new Map<string, List[]>(
      wanted.map((name) => [name, Array.from({ length: table.numRows() }, () => [])]),
    );
    const own = await logprobs(sequencesOf(examples));
    own.forEach((list, i) =>
      lists.get(columns[i % columns.length]!)![examples[Math.floor(i / columns.length)]!.row] = list
    );
    for (const batch of klBatches ?? []) {
      (await logprobs(mismatched(batch))).forEach((list, i) => lists.get(MISMATCHED)![batch[i]!.row] = list);
    }
    context.write({ preferences: table.assign(tableOf("preferences", Object.fromEntries(lists))) });
  }
  const kept = context.table("preferences");
  const read = (name: string) => Array.from(columnArray(kept, name) as ArrayLike<List>);
  const own = columns.map(read), other = klBatches ? read(MISMATCHED) : null;
  return (batch, wantsKl) =>
    Promise.resolve({
      own: batch.flatMap(({ row }) => own.map((lists) => lists[row]!)),
      mismatched: wantsKl && other !== null ? batch.map(({ row }) => other[row]!) : null,
    });
}
