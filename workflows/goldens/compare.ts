/** Compares what a formula gave with what the original gave, number by number. @module */
import type { Data, Tolerance } from "./topic.ts";

/** The first number that is too far off. */
interface Difference {
  /** Where in the outputs, e.g. `metrics.kl` or `grad_logprobs[1][3]`. */
  readonly place: string;
  readonly got: string;
  readonly want: string;
}

export interface Comparison {
  /**
   * The largest |got - want| / (|want| + absolute / relative): above `relative` it is a difference. Where the tolerance
   * has no relative part, the largest |got - want|.
   */
  readonly error: number;
  readonly difference: Difference | null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !isList(value);
const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** A value in a word or two. */
export const shown = (value: unknown) =>
  value === undefined
    ? "missing"
    : isList(value)
    ? `a list of ${value.length}`
    : typeof value === "object" && value !== null
    ? "an object"
    : typeof value === "string"
    ? JSON.stringify(value)
    : String(value);

/** As `Comparison.error`: 0 for equal numbers, NaN and infinities included. */
function errorOf(got: number, want: number, { relative, absolute }: Tolerance): number {
  if (Object.is(got, want) || got === want) return 0;
  const unit = relative === 0 ? 1 : Math.abs(want) + absolute / relative;
  const error = Math.abs(got - want) / unit;
  return Number.isNaN(error) ? Infinity : error;
}

/**
 * Looks at every value of `want`; what `got` has besides is not looked at. Lists must be as long; a number is near, any
 * other value equal. `counted` has the shape of `want` or of its beginning: below a 0 nothing is compared.
 */
export function compare(want: Data, got: unknown, tolerance: Tolerance, counted: Data = {}): Comparison {
  let error = 0, difference: Difference | null = null;
  const differ = (place: string, got: unknown, want: unknown) => {
    error = Infinity;
    difference ??= { place: place || "value", got: shown(got), want: shown(want) };
  };
  const walk = (want: Data, got: unknown, counts: unknown, place: string): void => {
    if (counts === 0 || counts === false) return;
    if (typeof want === "number") {
      if (typeof got !== "number") return differ(place, got, want);
      const off = errorOf(got, want, tolerance);
      error = Math.max(error, off);
      if (off > (tolerance.relative || tolerance.absolute)) {
        difference ??= { place: place || "value", got: shown(got), want: shown(want) };
      }
    } else if (isList(want)) {
      const list = want as readonly Data[];
      if (!isList(got) || got.length !== list.length) return differ(place, got, want);
      list.forEach((one, i) => walk(one, got[i], isList(counts) ? counts[i] : counts, `${place}[${i}]`));
    } else if (isObject(want)) {
      if (!isObject(got)) return differ(place, got, want);
      for (const [name, one] of Object.entries(want)) {
        const inner = isObject(counts) ? counts[name] : undefined;
        walk(one as Data, got[name], inner, place ? `${place}.${name}` : name);
      }
    } else if (got !== want && !(want === null && got === undefined)) differ(place, got, want);
  };
  walk(want, got, counted, "");
  return { error, difference };
}

/** Whether a finite number beyond `limit` stands somewhere in the values. */
export function reachesBeyond(value: Data, limit: number): boolean {
  if (typeof value === "number") return Number.isFinite(value) && Math.abs(value) > limit;
  return typeof value === "object" && value !== null &&
    Object.values(value).some((one) => reachesBeyond(one as Data, limit));
}
