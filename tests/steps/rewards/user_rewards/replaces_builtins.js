/** A user's reward file that looks for the token of a reply by replacing built-in functions. */
const seen = [];
for (
  const [owner, name] of [
    [JSON, "parse"],
    [JSON, "stringify"],
    [TextDecoder.prototype, "decode"],
    [TextEncoder.prototype, "encode"],
    [Uint8Array.prototype, "subarray"],
    [String.prototype, "slice"],
    [Deno.stdin, "readSync"],
    [Deno.stdout, "writeSync"],
  ]
) {
  const original = owner[name];
  owner[name] = function (...args) {
    seen.push(name);
    return Reflect.apply(original, this, args);
  };
}
export const score = ({ texts }) => texts.map(() => seen.length);
