/** A metric as one line of block characters. @module */

const BLOCKS = "▁▂▃▄▅▆▇█";

/**
 * The values squeezed into at most `width` characters: each is the mean of its share. A share with a NaN is "×", an
 * empty one " ". Extremes are clipped to the 1st and 99th percentile, so that one spike does not flatten the rest.
 */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const columns = Math.min(width, values.length);
  const finite = values.filter((v): v is number => v !== null && Number.isFinite(v)).sort((a, b) => a - b);
  const low = finite[Math.floor(0.01 * (finite.length - 1))] ?? 0;
  const high = finite[Math.ceil(0.99 * (finite.length - 1))] ?? 0;
  let out = "";
  for (let i = 0; i < columns; i++) {
    const share = values.slice(Math.floor(i * values.length / columns), Math.floor((i + 1) * values.length / columns));
    const numbers = share.filter((v): v is number => v !== null);
    if (!numbers.length) out += " ";
    else if (numbers.some((v) => !Number.isFinite(v))) out += "×";
    else {
      const mean = numbers.reduce((a, b) => a + b, 0) / numbers.length;
      const level = high > low ? (Math.min(high, Math.max(low, mean)) - low) / (high - low) : high === 0 ? 0 : 0.5;
      out += BLOCKS[Math.min(7, Math.floor(level * 8))];
    }
  }
  return out;
}

/** Column of the character that holds a train step, for the mark under the line. */
export function markColumn(trainSteps: readonly number[], step: number, width: number): number {
  const columns = Math.min(width, trainSteps.length);
  const at = trainSteps.findIndex((s) => s >= step);
  return Math.floor((at < 0 ? trainSteps.length - 1 : at) * columns / trainSteps.length);
}
