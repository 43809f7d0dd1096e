/** Shows the events of a run as they come: a live table on a terminal, one line per event otherwise. @module */
import { Eta, type Expected } from "./eta.ts";
import { duration, type Output, printable, shortened, wrapped } from "../terminal/terminal.ts";

/** An event of the engine, as in events.jsonl. */
export type RunEvent = { readonly event: string; readonly [key: string]: unknown };

/** What the table must know of the plan. */
export interface RunOutline {
  /** Steps outside of blocks: each gets a line of its own. */
  readonly alone: ReadonlySet<string>;
  /** Rounds of the blocks altogether. */
  readonly rounds: Expected;
  /** Updates of each supervised step. */
  readonly supervised: ReadonlyMap<string, Expected>;
  /** Train steps before the first round of a resumed run; null for a new run. */
  readonly resumedAfter: number | null;
}

interface TableColumn {
  readonly title: string;
  readonly width: number;
  /** Left out first where the terminal is narrow; 0 = always there. */
  readonly rank: number;
  /** Left out where the first train step has no value: without a reference there is no kl. */
  readonly optional?: true;
  /** Of supervised train steps (sft), of the others, or of all. */
  readonly phase: "sft" | "rollout" | "all";
  text(row: RunEvent): string;
}

function metric(name: string, digits: number): (row: RunEvent) => string {
  return (row) => {
    const value = row[name];
    if (value === null || value === undefined) return "–";
    if (typeof value !== "number" || !Number.isFinite(value)) return String(value);
    if (value !== 0 && Math.abs(value) < 0.5 * 10 ** -digits) return value.toExponential(0);
    return Math.abs(value) >= 1e4 ? value.toExponential(1) : value.toFixed(digits);
  };
}

function tokensPerSecond({ tokens_per_second: rate }: RunEvent): string {
  return typeof rate === "number" ? Math.round(rate).toString() : "–";
}

const COLUMNS: readonly TableColumn[] = [
  { title: "step", width: 5, rank: 0, phase: "all", text: metric("train_step", 0) },
  { title: "loss", width: 7, rank: 0, phase: "sft", text: metric("loss", 3) },
  { title: "reward", width: 7, rank: 0, phase: "rollout", text: metric("reward", 3) },
  { title: "accuracy", width: 8, rank: 0, phase: "all", text: metric("accuracy", 3) },
  { title: "entropy", width: 7, rank: 2, phase: "all", text: metric("entropy", 3) },
  { title: "kl", width: 7, rank: 3, phase: "rollout", optional: true, text: metric("kl", 4) },
  { title: "clipped", width: 7, rank: 7, phase: "rollout", text: metric("clip_fraction", 3) },
  { title: "length", width: 6, rank: 5, phase: "rollout", text: metric("completion_length", 1) },
  { title: "trunc", width: 6, rank: 6, phase: "rollout", text: metric("truncated_fraction", 3) },
  { title: "grad", width: 6, rank: 4, phase: "all", text: metric("grad_norm", 2) },
  { title: "tok/s", width: 7, rank: 1, phase: "all", text: tokensPerSecond },
];
const ETA_WIDTH = 14;
/** Columns that a text beside a head needs at least. */
const LEAST_ROOM = 24;

/** Smallest time between two lines of an output that is no terminal, and longest silence, ms. */
const QUIET = 1000;
const SILENCE = 1800;
/** Rows of the table that stay on a terminal in the course of a run. */
const KEPT_ROWS = 15;
/** Rows that measured the accuracy stay a further part of the way apart. */
const SPREAD = 8;

export class Progress {
  readonly #out: Output;
  readonly #outline: RunOutline;
  readonly #title: string;
  #live = "";
  /** Which table is open: its phase and step. */
  #table = "";
  /** Columns of the open table. */
  #columns: readonly TableColumn[] = [];
  #lastLine = performance.now();
  #eta = new Eta(undefined, 0);
  /** The accuracy that a supervised step measured last: it is not measured at every train step. */
  #accuracy: unknown = null;
  #kept = -1;
  #ticker: ReturnType<typeof setInterval> | undefined;
  /** A supervised step's own line: its last train step is told after it has finished. */
  #held: { readonly step: string; readonly line: string } | null = null;
  #current = "";
  #currentSince = 0;

  /** `title` is said beside the run's id: the cell of a matrix. */
  constructor(out: Output, outline: RunOutline, title = "") {
    this.#out = out;
    this.#outline = outline;
    this.#title = title && `  ${title}`;
  }

  /** Handles one event; events it does not know are for other readers. */
  on(event: RunEvent): void {
    if (this.#held !== null && (event.event !== "train_step" || event["step_id"] !== this.#held.step)) this.#release();
    switch (event.event) {
      case "run_started":
        return this.#started(event);
      case "step_started":
        return this.#stepStarted(event);
      case "step_finished":
        return this.#stepFinished(event);
      case "train_step":
        return this.#trainStep(event);
      case "finding":
        return this.#finding(event);
      case "message":
        return this.#tell(printable(String(event["text"] ?? "")));
      case "reward_failed":
        return this.#tell(
          `reward ${event["reward"]} failed at sample ${event["sample"]}: ${printable(String(event["reason"]))}`,
        );
      case "run_finished":
        return this.close();
    }
  }

  close(): void {
    this.#release();
    clearInterval(this.#ticker);
    this.#erase();
  }

  #started(event: RunEvent): void {
    this.#say(
      `${this.#out.style(`Run ${event["run"]}`, "bold")}${this.#title}  ${
        this.#out.style(`process ${event["pid"]}`, "dim")
      }`,
    );
    this.#ticker = setInterval(() => this.#tick(), this.#out.live ? 250 : 500);
  }

  /** A step that takes long says that it is alive. */
  #tick(): void {
    if (!this.#current) return;
    const now = performance.now(), seconds = (now - this.#currentSince) / 1000;
    const text = `  ${this.#current} … ${duration(seconds)}`;
    if (this.#out.live && seconds > 0.5 && now - this.#lastLine > 500) this.#show(text);
    else if (!this.#out.live && now - this.#lastLine > SILENCE) this.#say(text);
  }

  #stepStarted(event: RunEvent): void {
    this.#current = String(event["step"]);
    this.#currentSince = performance.now();
  }

  #stepFinished(event: RunEvent): void {
    this.#current = "";
    const id = String(event["step"]), failed = event["status"] === "failed";
    const outputs = outputsText(event["outputs"]);
    if (!failed && !this.#outline.alone.has(id)) {
      if (outputs && event["uses"] === "evaluate") this.#say(`  ${id}: ${outputs}`);
      return;
    }
    const head = `  ${id.padEnd(16)} ${duration(Number(event["ms"] ?? 0) / 1000).padStart(8)}  `;
    const line = failed
      ? this.#failedLine(head, String(event["error"] ?? ""))
      : this.#wrapped(head, outputs).join("\n");
    if (this.#outline.supervised.has(id)) this.#held = { step: id, line };
    else {
      this.#table = "";
      this.#say(line);
    }
  }

  /** One row: the whole text comes with the end of the run, or with the message that it goes on. */
  #failedLine(head: string, error: string): string {
    return this.#out.style(shortened(`${head}failed: ${printable(error)}`, this.#out.columns - 1), "red");
  }

  #trainStep(event: RunEvent): void {
    const now = performance.now(), step = Number(event["train_step"]);
    const sft = event["phase"] === "sft";
    const expected = sft ? this.#outline.supervised.get(String(event["step_id"])) : this.#outline.rounds;
    const key = sft ? `sft ${event["step_id"]}` : "rollout";
    const opens = this.#table !== key;
    if (opens) {
      this.#table = key;
      this.#kept = step;
      this.#accuracy = null;
      this.#eta = new Eta(
        expected,
        !sft && this.#outline.resumedAfter !== null ? this.#outline.resumedAfter : step - 1,
      );
      this.#columns = this.#fitting(sft, event, expected);
      const head = this.#columns.map((c) => c.title.padStart(c.width)).join(" ");
      this.#say(this.#out.style(`  ${head}${"ETA".padStart(ETA_WIDTH)}`, "dim"));
    }
    this.#eta.add(step, now, event["accuracy"]);
    this.#accuracy = event["accuracy"] ?? (sft ? this.#accuracy : null);
    const shown = { ...event, accuracy: this.#accuracy };
    const row = `  ${this.#columns.map((c) => c.text(shown).padStart(c.width)).join(" ")}${
      this.#eta.text().padStart(ETA_WIDTH)
    }`;
    if (opens || this.#eta.left() === 0 || this.#isKept(event, step, expected, now)) {
      this.#kept = step;
      this.#say(row);
    } else {
      this.#show(row);
      if (this.#out.live) this.#lastLine = now;
    }
  }

  /** On a terminal a few rows stay; of a supervised step those that measured the accuracy, ever farther apart. */
  #isKept(event: RunEvent, step: number, expected: Expected | undefined, now: number): boolean {
    if (!this.#out.live) return now - this.#lastLine >= QUIET;
    if (expected?.until === undefined) {
      return step - this.#kept >= Math.max(1, Math.round((expected?.count ?? 1) / KEPT_ROWS));
    }
    return typeof event["accuracy"] === "number" && step - this.#kept >= step / SPREAD;
  }

  /** The columns that a phase has values for and the terminal is wide enough for. */
  #fitting(sft: boolean, first: RunEvent, expected: Expected | undefined): TableColumn[] {
    const measured = !sft || expected?.until !== undefined;
    let columns = COLUMNS.filter(({ phase, title, optional }) =>
      (phase === "all" || (phase === "sft") === sft) && !(optional && (first[title] ?? null) === null) &&
      (measured || title !== "accuracy")
    );
    const width = () => columns.reduce((sum, c) => sum + c.width + 1, 2 + ETA_WIDTH);
    while (width() > this.#out.columns) {
      const worst = Math.max(...columns.map(({ rank }) => rank));
      if (worst === 0) break;
      columns = columns.filter(({ rank }) => rank !== worst);
    }
    return columns;
  }

  #finding(event: RunEvent): void {
    const severity = String(event["severity"]);
    const style = severity === "info" ? "blue" : severity === "warning" ? "yellow" : "red";
    const head = `${severity}: ${event["cause"]}`;
    const [first = "", ...rest] = this.#wrapped("  ", `${head} ${printable(String(event["message"] ?? ""))}`, 6);
    this.#say([first.replace(head, this.#out.style(head, style)), ...rest].join("\n"));
  }

  #release(): void {
    if (this.#held === null) return;
    const { line } = this.#held;
    this.#held = null;
    this.#table = "";
    this.#say(line);
  }

  /** A text behind a head, wrapped to the terminal; below the head where there is little room beside it. */
  #wrapped(head: string, text: string, indent = head.length): string[] {
    const beside = this.#out.columns - Math.max(head.length, indent) - 1;
    if (beside >= LEAST_ROOM) {
      return wrapped(text, beside).map((line, i) => `${i ? " ".repeat(indent) : head}${line}`.trimEnd());
    }
    return [head.trimEnd(), ...wrapped(text, this.#out.columns - 7).map((line) => `      ${line}`.trimEnd())];
  }

  #tell(text: string): void {
    this.#say(this.#wrapped("  ", text, 4).join("\n"));
  }

  /** A line that stays. */
  #say(line: string): void {
    this.#erase();
    this.#out.line(line);
    this.#lastLine = performance.now();
  }

  /** A line that the next one replaces; only on a terminal. */
  #show(line: string): void {
    if (!this.#out.live) return;
    this.#erase();
    this.#live = shortened(line, this.#out.columns - 1);
    this.#out.write(this.#live);
  }

  #erase(): void {
    if (this.#live) this.#out.write("\r\x1b[2K");
    this.#live = "";
  }
}

/** `sampled 0.512, greedy 0.66`: numbers and short texts, no paths. */
function outputsText(outputs: unknown): string {
  if (typeof outputs !== "object" || outputs === null) return "";
  return Object.entries(outputs).filter(([, value]) => value !== null && !/[\\/]/.test(String(value)))
    .map(([name, value]) =>
      `${name} ${typeof value === "number" ? Number(value.toFixed(3)) : printable(String(value))}`
    )
    .join(", ");
}
