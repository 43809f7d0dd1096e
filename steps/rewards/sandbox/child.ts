/**
 * The program of the sandbox's child process: reads requests from stdin, answers on stdout.
 *
 * A request is a frame of 4 bytes of length (little endian) and JSON {token, load | batch | single}. An answer is one line: the request's
 * token, a space, JSON. Everything used after the user's module is loaded is captured before, so that the module cannot
 * see a token by replacing a built-in function. The process has no permission but to read that module.
 * @module
 */
import { evaluate, scoreOf, single, type UserScore } from "./evaluate.ts";

const read = Deno.stdin.readSync.bind(Deno.stdin);
const write = Deno.stdout.writeSync.bind(Deno.stdout);
const exit: (code: number) => never = Deno.exit;
const { parse, stringify } = JSON;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const encode = encoder.encode.bind(encoder);
const decode = decoder.decode.bind(decoder);
const Bytes = Uint8Array;
const part = Function.prototype.call.bind(Bytes.prototype.subarray) as (
  bytes: Uint8Array,
  from: number,
) => Uint8Array<ArrayBuffer>;

/** `length` bytes of stdin; ends the process when the parent has closed it. */
function take(length: number): Uint8Array {
  const bytes = new Bytes(length);
  for (let at = 0; at < length;) {
    const got = read(part(bytes, at));
    if (got === null) exit(0);
    at += got;
  }
  return bytes;
}

function answer(token: string, value: unknown): void {
  const bytes = encode(`${token} ${stringify(value)}\n`);
  for (let at = 0; at < bytes.length;) at += write(part(bytes, at));
}

// What user code prints belongs on stderr; Ctrl-C in a terminal is the parent's business.
console.log = console.info = console.debug = console.error;
Deno.addSignalListener("SIGINT", () => {});

let score: UserScore | undefined;
for (;;) {
  const [a, b, c, d] = take(4) as unknown as [number, number, number, number];
  const { token, load, batch, from, options } = parse(decode(take(a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24)));
  if (load !== undefined) {
    try {
      score = scoreOf(await import(load));
      answer(token, { values: [] });
    } catch (error) {
      answer(token, { failure: error instanceof Error ? error.message : String(error) });
    }
  } else if (from === undefined) {
    answer(token, await evaluate(score!, batch, options));
  } else {
    // One completion at a time, so that the parent knows at which one the process hung or died.
    for (let i = from; i < batch.texts.length; i++) answer(token, await evaluate(score!, single(batch, i), options));
  }
}
