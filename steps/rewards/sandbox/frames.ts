/**
 * How the programs in the sandbox's process hear and answer: a request on stdin is a frame of 4 bytes of length (little
 * endian) and JSON, an answer on stdout is one line: the token, a space, JSON.
 * @module
 */

const encoder = new TextEncoder();

/** `length` bytes of stdin; ends the process when there are no more. */
async function take(length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const got = await Deno.stdin.read(bytes.subarray(at));
    if (got === null) Deno.exit(0);
    at += got;
  }
  return bytes;
}

/** The next request. */
export async function takeRequest() {
  const length = new DataView((await take(4)).buffer).getUint32(0, true);
  return JSON.parse(new TextDecoder().decode(await take(length)));
}

/** Writes an answer, whole. */
export function answer(token: string, reply: string): void {
  const bytes = encoder.encode(`${token} ${reply}\n`);
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}
