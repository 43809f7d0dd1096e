/** Thresholds of a rollout correction as verl writes them: a number, "0.5", "0.5_2.0", "0.9_1.1,0.05". @module */
import { CRITERIA, type Criterion } from "./rejection.ts";

/** A threshold as `sampler_reject` has it: for k1 two ratios of sampler over trainer, else the largest estimate in nats. */
type Threshold = number | readonly [number, number];

/** Smallest and largest weight: a number or "2" is an upper bound, "0.5_2" both. */
export function parseWeightThreshold(written: unknown): readonly [number | null, number] {
  if (typeof written !== "number" && typeof written !== "string") {
    throw new TypeError(
      `Cannot read rollout_is_threshold: it is ${
        JSON.stringify(written)
      }, want a number such as 2.0 or a text "0.5_2.0"`,
    );
  }
  const [low, high] = typeof written === "string" && written.includes("_")
    ? pair(written, "rollout_is_threshold")
    : [null, positive(written, "rollout_is_threshold")];
  if (low !== null && low > high) {
    throw new RangeError(`Cannot read rollout_is_threshold "${written}": want its lower bound first`);
  }
  return [low, high];
}

/** Criteria by name, doubles once, with their thresholds: one for all, or one each, separated by commas. */
export function parseRejection(names: string, written: unknown): readonly (readonly [Criterion, Threshold])[] {
  const criteria = [...new Set(parts(names))].map(criterionNamed);
  if (!criteria.length) throw new RangeError('Cannot read rollout_rs: it is empty, want e.g. "token_k1"');
  if (written === null || written === undefined) {
    throw new RangeError(`Cannot reject by "${names}": rollout_rs_threshold is missing, want e.g. "0.9_1.1" or 0.05`);
  }
  const thresholds = parts(String(written));
  if (thresholds.length !== 1 && thresholds.length !== criteria.length) {
    throw new RangeError(
      `Cannot read rollout_rs_threshold "${written}": it has ${thresholds.length} thresholds, want 1 or ` +
        `${criteria.length}, one for each of ${criteria.join(", ")}`,
    );
  }
  return criteria.map((name, i) => [name, thresholdOf(name, thresholds[i] ?? thresholds[0]!)]);
}

const parts = (text: string) => text.split(",").map((part) => part.trim()).filter((part) => part !== "");

function criterionNamed(name: string): Criterion {
  if (Object.hasOwn(CRITERIA, name)) return name as Criterion;
  throw new RangeError(`Cannot reject by "${name}": want one of ${Object.keys(CRITERIA).join(", ")}`);
}

function thresholdOf(name: Criterion, written: string): Threshold {
  const what = `rollout_rs_threshold of "${name}"`, ofRatios = CRITERIA[name].estimate === "k1";
  if (!written.includes("_")) {
    const bound = positive(written, what);
    return ofRatios ? [1 / bound, bound] : bound;
  }
  if (ofRatios) return pair(written, what);
  throw new RangeError(`Cannot read ${what}: it is "${written}", want one upper bound`);
}

function pair(written: string, what: string): [number, number] {
  const at = written.indexOf("_");
  return [positive(written.slice(0, at), what), positive(written.slice(at + 1), what)];
}

function positive(written: string | number, what: string): number {
  const value = typeof written === "string" && written.trim() === "" ? NaN : Number(written);
  if (value > 0) return value;
  throw new RangeError(`Cannot read ${what}: it is ${JSON.stringify(written)}, want a number above 0`);
}
