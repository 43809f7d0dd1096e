/** A user's reward file that looks for the token of a reply: built-ins replaced, setters and getters on every object. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/;
let seen = 0;
const look = (value) => {
  if (typeof value === "string" && UUID.test(value)) seen++;
};
for (
  const [owner, name] of [
    [JSON, "parse"],
    [JSON, "stringify"],
    [TextDecoder.prototype, "decode"],
    [TextEncoder.prototype, "encode"],
    [Deno.stdin, "readSync"],
    [Deno.stdout, "writeSync"],
  ]
) {
  const original = owner[name];
  owner[name] = function (...args) {
    const result = Reflect.apply(original, this, args);
    [this, ...args, result, ...(typeof result === "object" && result !== null ? Object.values(result) : [])]
      .forEach(look);
    return result;
  };
}
for (const name of ["token", "load", "from", "toJSON", "batch", "options", "then"]) {
  Object.defineProperty(Object.prototype, name, {
    get() {
      look(this);
      for (const key in this) if (key !== name) look(Object.getOwnPropertyDescriptor(this, key)?.value);
      return undefined;
    },
    set(value) {
      look(value);
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
    configurable: true,
  });
}
export const score = ({ texts }) => {
  try {
    const bytes = new Uint8Array(4096);
    look(new TextDecoder().decode(bytes.subarray(0, Deno.stdin.readSync(bytes))).slice(14));
  } catch { /* closed */ }
  return texts.map(() => seen);
};
