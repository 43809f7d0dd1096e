/** Which special tokens stand around a text (tokenizers: post-processors). @module */
import { type Part, partsAt, unsupported } from "./part.ts";

/** Ids before and behind a text. */
export interface Frame {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

const NONE: Frame = { before: [], after: [] };
const KNOWN = ["Sequence", "ByteLevel", "TemplateProcessing", "BertProcessing", "RobertaProcessing"];

/** What a post-processor puts around a single text. Throws a RangeError for one that is not here. */
export function frameOf(part: Part | null, place = "post_processor"): Frame {
  if (part === null) return NONE;
  switch (part.type) {
    case "ByteLevel":
      return NONE;
    case "Sequence":
      return partsAt(`${place}.processors`, part["processors"]).map((one, i) =>
        frameOf(one, `${place}.processors[${i}]`)
      )
        .reduce(
          (inner, outer) => ({ before: [...outer.before, ...inner.before], after: [...inner.after, ...outer.after] }),
          NONE,
        );
    case "TemplateProcessing":
      return template(part, place);
    case "BertProcessing":
    case "RobertaProcessing":
      return { before: [idOf(part["cls"], place)], after: [idOf(part["sep"], place)] };
  }
  throw unsupported(`${place}.type`, part.type, KNOWN);
}

function idOf(entry: unknown, place: string): number {
  if (Array.isArray(entry) && Number.isSafeInteger(entry[1])) return entry[1];
  throw new RangeError(`${place} is without its token and id`);
}

function template(part: Part, place: string): Frame {
  const single = part["single"],
    tokens = (part["special_tokens"] ?? {}) as Readonly<Record<string, { readonly ids?: unknown }>>;
  const before: number[] = [], after: number[] = [];
  let side = before;
  for (const item of Array.isArray(single) ? single : []) {
    const name: unknown = item?.SpecialToken?.id;
    if (item?.Sequence !== undefined) side = after;
    else {
      const ids = typeof name === "string" ? tokens[name]?.ids : undefined;
      if (!Array.isArray(ids) || !ids.every(Number.isSafeInteger)) {
        throw new RangeError(`${place}.single names ${JSON.stringify(item)}, which special_tokens lacks`);
      }
      side.push(...ids);
    }
  }
  if (side === before) throw new RangeError(`${place}.single has no Sequence`);
  return { before, after };
}
