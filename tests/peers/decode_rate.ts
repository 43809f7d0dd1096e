/** transformers drawing tokens in a process of its own, asked round by round so that both sides share the same minutes. @module */
import { trlPython } from "./trl.ts";

export interface DecodePeer {
  /** Times between tokens, ms. */
  gaps(rows: number, prompt: number, newTokens: number): Promise<number[]>;
  close(): Promise<void>;
}

/** Loads the folder as float32; null where there is no Python with transformers. */
export async function openPeer(folder: string, threads: number): Promise<DecodePeer | null> {
  const python = trlPython();
  if (python === null) return null;
  const script = new URL("decode_rate.py", import.meta.url).pathname;
  const child = new Deno.Command(python, {
    args: [script, folder, `${threads}`],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter(), lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let buffered = "";
  const line = async () => {
    while (!buffered.includes("\n")) {
      const { value, done } = await lines.read();
      if (done) throw new Error("Cannot measure transformers: its process ended");
      buffered += value;
    }
    const at = buffered.indexOf("\n"), first = buffered.slice(0, at);
    buffered = buffered.slice(at + 1);
    return first;
  };
  await line(); // loaded
  return {
    async gaps(rows, prompt, newTokens) {
      await writer.write(new TextEncoder().encode(`${rows} ${prompt} ${newTokens}\n`));
      return JSON.parse(await line()) as number[];
    },
    async close() {
      await writer.close();
      await child.status;
    },
  };
}
