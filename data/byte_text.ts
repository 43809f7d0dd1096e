/** A number of bytes as a person reads it. @module */

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** 1536 → "1.5 kB". */
export function byteText(bytes: number): string {
  let size = bytes, unit = 0;
  while (Math.round(size) >= 1000 && unit < UNITS.length - 1) (size /= 1000, unit++);
  return `${unit && Number(size.toFixed(1)) < 10 ? size.toFixed(1) : Math.round(size)} ${UNITS[unit]}`;
}
