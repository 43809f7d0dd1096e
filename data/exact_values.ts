/** Numbers and times of Parquet and Arrow as texts, where a number of JavaScript would not hold them. @module */

const MILLI = 1000n;

/** A decimal's digits: 115 of scale 2 is "1.15". */
export function decimalText(unscaled: bigint, scale: number): string {
  const sign = unscaled < 0n ? "-" : "", digits = String(unscaled < 0n ? -unscaled : unscaled);
  if (scale <= 0) return sign + (unscaled === 0n ? "0" : digits + "0".repeat(-scale));
  const padded = digits.padStart(scale + 1, "0"), at = padded.length - scale;
  return `${sign}${padded.slice(0, at)}.${padded.slice(at)}`;
}

/** A time as ISO 8601, with as many digits of a second as it needs: three, six or nine; null for no time. */
export function timeText(ticks: bigint, perSecond: bigint): string | null {
  const seconds = floorDivide(ticks, perSecond),
    nanoseconds = (ticks - seconds * perSecond) * (1_000_000_000n / perSecond);
  const date = new Date(Number(seconds * MILLI + nanoseconds / 1_000_000n));
  if (Number.isNaN(date.getTime())) return null;
  const below = String(nanoseconds % 1_000_000n).padStart(6, "0"), text = date.toISOString();
  if (below === "000000") return text;
  return `${text.slice(0, -1)}${below.endsWith("000") ? below.slice(0, 3) : below}Z`;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b > a ? quotient - 1n : quotient;
}
