/** How far a pull is: one live line on a terminal, else a line every two seconds. @module */
import { byteText } from "../../data/byte_text.ts";
import type { PullProgress } from "../../data/hub/remote/pull.ts";
import { duration, type Output, printable, shortened } from "../terminal/terminal.ts";

const LIVE_MS = 120;
const LINE_MS = 2000;
const RATE_MS = 5000; // Over which the rate is taken.

/** `name` is said at the beginning of each line. */
export class PullLine {
  #last: number | null = null;
  #live = false;
  #shown = false;
  /** Bytes from the net at times, for the rate; the oldest first. */
  #seen: { readonly time: number; readonly bytes: number }[] = [];

  constructor(
    private readonly out: Pick<Output, "live" | "columns" | "write" | "line">,
    private readonly name: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  show(progress: PullProgress): void {
    const time = this.now();
    this.#seen.push({ time, bytes: progress.bytesFetched });
    while (this.#seen.length > 2 && time - this.#seen[1]!.time > RATE_MS) this.#seen.shift();
    const isLast = progress.filesDone === progress.files;
    this.#last ??= this.out.live ? -Infinity : time;
    if (!isLast && time - this.#last < (this.out.live ? LIVE_MS : LINE_MS)) return;
    if (isLast && !this.out.live && !this.#shown) return; // done before there was anything to say
    this.#last = time;
    this.#shown = true;
    const text = shortened(this.#text(progress, time), this.out.columns - 1);
    if (this.out.live) this.out.write(`\r\x1b[K${text}`);
    else this.out.line(text);
    this.#live = this.out.live;
  }

  /** A line that stays. */
  say(text: string): void {
    this.close();
    this.out.line(printable(text));
  }

  /** Ends the live line. */
  close(): void {
    if (this.#live) this.out.write("\r\x1b[K");
    this.#live = false;
  }

  #text({ bytesDone, bytes: all, filesDone, files, current }: PullProgress, time: number): string {
    const share = all === 0 ? 100 : Math.floor(100 * bytesDone / all), rate = this.#rate(time);
    const left = rate > 0 ? `, ${duration((all - bytesDone) / rate)} left` : "";
    const head = `${this.name}  ${share} %  ${byteText(bytesDone)} of ${byteText(all)}`;
    return `${head}  ${byteText(rate)}/s${left}  file ${Math.min(files, filesDone + 1)} of ${files}  ${
      printable(current)
    }`;
  }

  /** Bytes per second over the last seconds. */
  #rate(time: number): number {
    const first = this.#seen[0]!, last = this.#seen.at(-1)!;
    return time > first.time ? (last.bytes - first.bytes) * 1000 / (time - first.time) : 0;
  }
}
