/** Shows the events of a run as they come: a live table on a terminal, one line per event otherwise. @module */
import { duration, type Output, printable, wrapped } from "./terminal.ts";

/** An event of the engine, as in events.jsonl. */
export type RunEvent = { readonly event: string; readonly [key: string]: unknown };

/** Train steps to come; fewer when a condition ends them. */
export interface Expected {
  readonly count: number;
  readonly atMost: boolean;
}

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
  { title: "step", width: 6, rank: 0, phase: "all", text: metric("train_step", 0) },
  { title: "loss", width: 8, rank: 0, phase: "sft", text: metric("loss", 3) },
  { title: "reward", width: 7, rank: 0, phase: "rollout", text: metric("reward", 3) },
  { title: "accuracy", width: 8, rank: 0, phase: "all", text: metric("accuracy", 3) },
  { title: "entropy", width: 7, rank: 1, phase: "all", text: metric("entropy", 3) },
  { title: "kl", width: 7, rank: 2, phase: "rollout", optional: true, text: metric("kl", 4) },
  { title: "clipped", width: 7, rank: 6, phase: "rollout", text: metric("clip_fraction", 3) },
  { title: "length", width: 6, rank: 4, phase: "rollout", text: metric("completion_length", 1) },
  { title: "trunc", width: 6, rank: 5, phase: "rollout", text: metric("truncated_fraction", 3) },
  { title: "grad", width: 6, rank: 3, phase: "all", text: metric("grad_norm", 2) },
  { title: "tok/s", width: 7, rank: 0, phase: "all", text: tokensPerSecond },
];
const ETA_WIDTH = 14;

/** Smallest time between two lines of an output that is no terminal, and longest silence, ms. */
const QUIET = 1000;
const SILENCE = 1800;
/** Rows of the table that stay on a terminal in the course of a run. */
const KEPT_ROWS = 15;

export class Progress {
  readonly #out: Output;
  readonly #outline: RunOutline;
  #live = "";
  /** Which table is open: its phase and step. */
  #table = "";
  /** Columns of the open table. */
  #columns: readonly TableColumn[] = [];
  #lastLine = performance.now();
  #steps: { at: number; step: number }[] = [];
  /** Train steps before the first of the open table. */
  #before = 0;
  #kept = -1;
  #ticker: ReturnType<typeof setInterval> | undefined;
  /** A supervised step's own line: its last train step is told after it has finished. */
  #held: { readonly step: string; readonly line: string } | null = null;
  #current = "";
  #currentSince = 0;

  constructor(out: Output, outline: RunOutline) {
    this.#out = out;
    this.#outline = outline;
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
      `${this.#out.style(`Run ${event["run"]}`, "bold")}  ${this.#out.style(`process ${event["pid"]}`, "dim")}`,
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
    const state = failed ? `failed: ${printable(String(event["error"] ?? ""))}` : outputs;
    const line = this.#wrapped(head, state).map((text) => failed ? this.#out.style(text, "red") : text).join("\n");
    if (this.#outline.supervised.has(id)) this.#held = { step: id, line };
    else {
      this.#table = "";
      this.#say(line);
    }
  }

  #trainStep(event: RunEvent): void {
    const now = performance.now(), step = Number(event["train_step"]);
    const sft = event["phase"] === "sft";
    const expected = sft ? this.#outline.supervised.get(String(event["step_id"])) : this.#outline.rounds;
    const key = sft ? `sft ${event["step_id"]}` : "rollout";
    const opens = this.#table !== key;
    if (opens) {
      this.#table = key;
      this.#steps = [];
      this.#kept = step;
      this.#before = !sft && this.#outline.resumedAfter !== null ? this.#outline.resumedAfter : step - 1;
      this.#columns = this.#fitting(sft, event);
      const head = this.#columns.map((c) => c.title.padStart(c.width)).join(" ");
      this.#say(this.#out.style(`  ${head}${"ETA".padStart(ETA_WIDTH)}`, "dim"));
    }
    this.#steps.push({ at: now, step });
    if (this.#steps.length > 50) this.#steps.shift();
    const left = expected === undefined ? null : this.#before + expected.count - step;
    const row = `  ${this.#columns.map((c) => c.text(event).padStart(c.width)).join(" ")}${this.#eta(left, expected)}`;
    const every = Math.max(1, Math.round((expected?.count ?? 1) / KEPT_ROWS));
    const keep = this.#out.live
      ? opens || left === 0 || step - this.#kept >= every
      : opens || left === 0 || now - this.#lastLine >= QUIET;
    if (keep) {
      this.#kept = step;
      this.#say(row);
    } else {
      this.#show(row);
      if (this.#out.live) this.#lastLine = now;
    }
  }

  /** The columns that a phase has values for and the terminal is wide enough for. */
  #fitting(sft: boolean, first: RunEvent): TableColumn[] {
    let columns = COLUMNS.filter(({ phase, title, optional }) =>
      (phase === "all" || (phase === "sft") === sft) && !(optional && (first[title] ?? null) === null)
    );
    const width = () => columns.reduce((sum, c) => sum + c.width + 1, 2 + ETA_WIDTH);
    while (width() > this.#out.columns) {
      const worst = Math.max(...columns.map(({ rank }) => rank));
      if (worst === 0) break;
      columns = columns.filter(({ rank }) => rank !== worst);
    }
    return columns;
  }

  #eta(left: number | null, expected: Expected | undefined): string {
    const first = this.#steps[0]!, last = this.#steps.at(-1)!;
    if (left === null || last.step === first.step) return "–".padStart(ETA_WIDTH);
    const seconds = Math.max(0, left) * (last.at - first.at) / (last.step - first.step) / 1000;
    return `${expected?.atMost ? "≤ " : ""}${duration(seconds)}`.padStart(ETA_WIDTH);
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

  /** A text behind a head, wrapped to the terminal. */
  #wrapped(head: string, text: string, indent = head.length): string[] {
    return wrapped(text, Math.max(40, this.#out.columns - Math.max(head.length, indent) - 1))
      .map((line, i) => `${i ? " ".repeat(indent) : head}${line}`.trimEnd());
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
    this.#live = line.slice(0, this.#out.columns - 1);
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
