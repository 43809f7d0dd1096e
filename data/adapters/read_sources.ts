/** Reads files that are open already, wherever they lie: on a disk, in a stream, in a browser. @module */
import type { Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { ADAPTERS } from "./mod.ts";
import { headText } from "./source/text.ts";

/** Called after each file, for progress. */
export type OnSource = (path: string, bytes: number) => void;

/** Reads sources as one run. `alone` says that there is one, which is given by itself: what it is no log of is told then. */
export async function readSources(
  sources: AsyncIterable<Source> | Iterable<Source>,
  intake: Intake,
  { alone = false, onSource }: { readonly alone?: boolean; readonly onSource?: OnSource | undefined } = {},
): Promise<void> {
  for await (const source of sources) {
    await readSource(source, intake, alone);
    onSource?.(source.path, intake.source.bytes_read);
  }
}

/** Reads one source with the surest adapter; a file that cannot be read becomes a line of the report. */
export async function readSource(source: Source, intake: Intake, alone: boolean): Promise<void> {
  const text = headText(source.head);
  let best: keyof typeof ADAPTERS | null = null, score = 0;
  for (const name of Object.keys(ADAPTERS) as (keyof typeof ADAPTERS)[]) {
    const sure = ADAPTERS[name].sniff(source, text);
    if (sure > score) [best, score] = [name, sure];
  }
  const size = Number.isNaN(source.size) ? source.head.length : source.size;
  const record = intake.openSource(source.path, best ?? "unknown", size);
  if (best === null && source.head.length > 0) {
    record.partial = "it is binary and of no known format";
    if (alone) intake.skip(null, "a binary file of no known format");
    return;
  }
  try {
    if (source.head.length > 0) await ADAPTERS[best!].read(source, intake);
    else {
      for await (const _ of source.chunks()) break; // throws what is wrong with it
      record.partial = "it is empty";
    }
  } catch (error) {
    // A broken file must not hide the others of its folder: what was read stays, the reason goes into the report.
    if (!(error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError)) throw error;
    record.partial = error.message;
    intake.skip(null, error.message);
  }
  if (Number.isNaN(source.size)) record.bytes = record.bytes_read;
  if (record.bytes_read === 0) record.bytes_read = record.partial === null ? size : 0;
}

/** True of a folder of posts: what people write is of a run each, whatever lies beside it. */
export const areSeveralPosts = ({ sources }: Intake): boolean =>
  sources.length > 1 && sources.every(({ format }) => format === "post");
