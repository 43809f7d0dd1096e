/** What a terminal, an editor or a tracker does to a log's text without changing what it says. @module */

/** Every line with the text that `prefix` makes for it before it. */
export function prefixed(text: string, prefix: (line: number) => string): string {
  return lines(text).map((line, i) => line === "" ? line : prefix(i) + line).join("\n") + "\n";
}

/** A line wider than the window goes on in the next one. */
export function wrapped(text: string, columns: number): string {
  const pieces = lines(text).flatMap((line) => {
    const cut = [];
    for (let at = 0; at === 0 || at < line.length; at += columns) cut.push(line.slice(at, at + columns));
    return cut;
  });
  return `${pieces.join("\n")}\n`;
}

const BOLD_BLUE = "\x1b[1;34m", RESET = "\x1b[0m", GREEN = "\x1b[32m";

/** Whole lines bold, the numbers in them green, as loggers colour them. */
export function coloured(text: string): string {
  return lines(text).map((line) =>
    line === "" ? line : `${BOLD_BLUE}${line.replace(/(?<=: )-?\d[\d.e+-]*/g, `${GREEN}$&${RESET}`)}${RESET}`
  ).join("\n") + "\n";
}

const bar = (line: number, of: number) => {
  const share = Math.round(100 * line / of);
  return `${String(share).padStart(3)}%|${"█".repeat(share / 10).padEnd(10)}| ${line}/${of} [00:${
    10 + line % 50
  }<01:10,  1.82s/it]`;
};

/** tqdm's bar between the lines: cleared with spaces before what is printed, drawn again behind it. */
export function withBars(text: string): string {
  const all = lines(text);
  return all.map((line, i) => `\r${bar(i, all.length)}\r${" ".repeat(60)}\r${line}`).join("\n") + "\n";
}

/** The bar's last state directly before what is printed, as where the two streams go into one file. */
export function behindBars(text: string): string {
  const all = lines(text);
  return all.map((line, i) => line.startsWith("{") ? `${bar(i, all.length)}${line}` : line).join("\n") + "\n";
}

const PARTS = [
  "Downloading shards: 100%|██████████| 2/2 [00:14<00:00,  7.21s/it]",
  "huggingface/tokenizers: The current process just got forked, after parallelism has already been used.",
  "Requirement already satisfied: packaging>=20.0 in ./venv/lib/python3.12/site-packages (26.0)",
  "The lighthouse keeper counted his steps each evening, and each evening he lost count.",
  "INFO 03-11 14:22:07 [loader.py:447] Loading weights took 1.82 seconds",
  "Saving model checkpoint to ./out/checkpoint-100",
  "| host | cpu | disk |",
  "wandb: Synced 5 W&B file(s), 0 media file(s) and 0 artifact file(s)",
  "",
  "#### end of part ####",
];

/** A hundred lines that say nothing about training. */
export const UNRELATED: readonly string[] = Array.from({ length: 100 }, (_, i) => PARTS[i % PARTS.length]!);

export function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(2 + 2 * text.length), view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, true);
  for (let i = 0; i < text.length; i++) view.setUint16(2 + 2 * i, text.charCodeAt(i), true);
  return bytes;
}

/** The lines without the line break at the end. */
function lines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
