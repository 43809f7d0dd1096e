/** Numbers as YAML 1.1 wants them, which takes others for text. @module */

/** `1e-6` as `1.0e-6`, `1.5e3` as `1.5e+3`; null of what PyYAML reads as a number already, or nobody does. */
export function withPoint(written: string): string | null {
  const [, digits, sign, power] = /^([-+]?\d+(?:\.\d*)?)[eE]([-+]?)(\d+)$/.exec(written) ?? [];
  if (digits === undefined || digits.includes(".") && sign !== "") return null;
  return `${digits.includes(".") ? digits : `${digits}.0`}e${sign || "+"}${power}`;
}
