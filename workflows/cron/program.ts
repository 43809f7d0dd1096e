/** Calls another program and gives what it said; that it is not there is an answer. @module */

/** How a program ended, and what it printed. */
export interface Said {
  readonly code: number;
  readonly out: string;
  /** What it printed, as it came. */
  readonly bytes: Uint8Array;
  readonly err: string;
}

/** Null where there is no such program. `input` goes to its standard input; it starts in `folder`. */
export async function call(
  words: readonly string[],
  input: string | null = null,
  folder?: string,
): Promise<Said | null> {
  let child;
  try {
    child = new Deno.Command(words[0]!, {
      args: words.slice(1),
      ...(folder === undefined ? {} : { cwd: folder }),
      stdin: input === null ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  const said = child.output();
  if (input !== null) await feed(child.stdin, input);
  const { code, stdout, stderr } = await said;
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), bytes: stdout, err: decoder.decode(stderr) };
}

/** A program that ends without reading has said why. */
async function feed(stdin: WritableStream<Uint8Array>, text: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(text));
    await writer.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** The first line of what it complained of. */
export function complaint({ code, err, out }: Omit<Said, "bytes">): string {
  return (err.trim() || out.trim()).split("\n")[0] || `it ended with code ${code}`;
}
