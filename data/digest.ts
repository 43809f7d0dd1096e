/** SHA-256 as hexadecimal text: the name of content. @module */
import { createHash } from "node:crypto";

/** Digest of the parts, one after another (node:crypto: four times as fast as WebCrypto here). */
export function sha256(...parts: readonly (Uint8Array | string)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** JSON text with sorted keys: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item) => {
    if (typeof item === "number" && !Number.isFinite(item)) return { $number: String(item) };
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.keys(item).sort().map((key) => [key, item[key]]));
  });
}
