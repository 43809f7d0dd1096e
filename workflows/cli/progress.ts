/** Shows the events of a run as they come: a live table on a terminal, one line per event otherwise. @module */
import type { StepEvent } from "../../steps/step.ts";
import type { Expected } from "./eta.ts";
import { TrainTable } from "./train_table.ts";
import { commandLine } from "../terminal/command_line.ts";
import { duration, type Output, printable, shortened, wrapped } from "../terminal/terminal.ts";

/** What the table must know of the plan. */
export interface RunOutline {
  /** Steps outside of blocks: each gets a line of its own. */
  readonly alone: ReadonlySet<string>;
  /** Steps that measure the policy: what they came to is told inside of blocks too. */
  readonly measuring: ReadonlySet<string>;
  /** Rounds of the blocks altogether. */
  readonly rounds: Expected;
  /** Updates of each step that trains by itself. */
  readonly training: ReadonlyMap<string, Expected>;
  /** Train steps before the first round of a resumed run; null for a new run. */
  readonly resumedAfter: number | null;
}

const LEAST_ROOM = 24; // Columns that a text beside a head needs at least.

const QUIET = 1000; // Smallest time between two lines of an output that is no terminal, and longest silence, ms.
const SILENCE = 1800;

export class Progress {
  readonly #title: string;
  #live = "";
  /** The open table and the step that it is of; "" for the rounds. */
  #open: { readonly of: string; readonly table: TrainTable } | null = null;
  #lastLine = performance.now();
  #ticker: ReturnType<typeof setInterval> | undefined;
  /** The own line of a step that trains by itself: its last train step is told after it has finished. */
  #held: { readonly step: string; readonly line: string } | null = null;
  #current = "";
  #currentSince = 0;

  /** `title` is said beside the run's id: the cell of a matrix. */
  constructor(private readonly out: Output, private readonly outline: RunOutline, title = "") {
    this.#title = title && `  ${title}`;
  }

  /** Handles one event; events it does not know are for other readers. */
  on(event: StepEvent): void {
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

  #started(event: StepEvent): void {
    this.#say(
      `${this.out.style(`Run ${event["run"]}`, "bold")}${this.#title}  ${
        this.out.style(`process ${event["pid"]}`, "dim")
      }`,
    );
    this.#ticker = setInterval(() => this.#tick(), this.out.live ? 250 : 500);
  }

  /** A step that takes long says that it is alive. */
  #tick(): void {
    if (!this.#current) return;
    const now = performance.now(), seconds = (now - this.#currentSince) / 1000;
    const text = `  ${this.#current} … ${duration(seconds)}`;
    if (this.out.live && seconds > 0.5 && now - this.#lastLine > 500) this.#show(text);
    else if (!this.out.live && now - this.#lastLine > SILENCE) this.#say(text);
  }

  #stepStarted(event: StepEvent): void {
    this.#current = String(event["step"]);
    this.#currentSince = performance.now();
  }

  #stepFinished(event: StepEvent): void {
    this.#current = "";
    const id = String(event["step"]), failed = event["status"] === "failed";
    const outputs = outputsText(event["outputs"]);
    if (!failed && !this.outline.alone.has(id)) {
      if (outputs && this.outline.measuring.has(id)) this.#say(`  ${id}: ${outputs}`);
      return;
    }
    const head = `  ${id.padEnd(16)} ${duration(Number(event["ms"] ?? 0) / 1000).padStart(8)}  `;
    const line = failed
      ? this.#failedLine(head, String(event["error"] ?? ""))
      : this.#wrapped(head, outputs).join("\n");
    if (this.outline.training.has(id)) this.#held = { step: id, line };
    else {
      this.#open = null;
      this.#say(line);
    }
  }

  /** One row: the whole text comes with the end of the run, or with the message that it goes on. */
  #failedLine(head: string, error: string): string {
    return this.out.style(shortened(`${head}failed: ${printable(error)}`, this.out.columns - 1), "red");
  }

  #trainStep(event: StepEvent): void {
    const now = performance.now(), own = (event["phase"] ?? "rollout") !== "rollout";
    const of = own ? String(event["step_id"]) : "", opens = this.#open?.of !== of;
    if (opens) this.#openTable(event, of);
    const { table } = this.#open!, row = table.row(event, now);
    if (opens || table.isOver || (this.out.live ? table.isDue(event) : now - this.#lastLine >= QUIET)) {
      table.keep(event);
      this.#say(row);
    } else {
      this.#show(row);
      if (this.out.live) this.#lastLine = now;
    }
  }

  #openTable(first: StepEvent, of: string): void {
    const { training, rounds, resumedAfter } = this.outline;
    const own = of !== "", before = Number(first["train_step"]) - 1;
    const table = new TrainTable(first, {
      own,
      expected: own ? training.get(of) : rounds,
      before: own ? before : resumedAfter ?? before,
      width: this.out.columns,
    });
    this.#open = { of, table };
    this.#say(this.out.style(table.head, "dim"));
  }

  #finding(event: StepEvent): void {
    const severity = String(event["severity"]);
    const style = severity === "info" ? "blue" : severity === "warning" ? "yellow" : "red";
    const head = `${severity}: ${event["cause"]}${
      event["train_step"] === undefined ? "" : ` at train step ${event["train_step"]}:`
    }`;
    const [first = "", ...rest] = this.#wrapped("  ", `${head} ${printable(String(event["message"] ?? ""))}`, 6);
    this.#say([first.replace(head, this.out.style(head, style)), ...rest].join("\n"));
  }

  #release(): void {
    if (this.#held === null) return;
    const { line } = this.#held;
    this.#held = null;
    this.#open = null;
    this.#say(line);
  }

  /** A text behind a head, wrapped to the terminal; below the head where there is little room beside it. */
  #wrapped(head: string, text: string, indent = head.length): string[] {
    const beside = this.out.columns - Math.max(head.length, indent) - 1;
    if (beside >= LEAST_ROOM) {
      return wrapped(text, beside).map((line, i) => `${i ? " ".repeat(indent) : head}${line}`.trimEnd());
    }
    return [head.trimEnd(), ...wrapped(text, this.out.columns - 7).map((line) => `      ${line}`.trimEnd())];
  }

  /** A text; a command at its end stands on one line, so that it can be copied. */
  #tell(text: string): void {
    const at = text.lastIndexOf(`: ${commandLine([])} `), isLong = at >= 0 && text.length + 2 > this.out.columns;
    if (!isLong) return this.#say(this.#wrapped("  ", text, 4).join("\n"));
    this.#say([...this.#wrapped("  ", text.slice(0, at + 1), 4), `    ${text.slice(at + 2)}`].join("\n"));
  }

  /** A line that stays. */
  #say(line: string): void {
    this.#erase();
    this.out.line(line);
    this.#lastLine = performance.now();
  }

  /** A line that the next one replaces; only on a terminal. */
  #show(line: string): void {
    if (!this.out.live) return;
    this.#erase();
    this.#live = shortened(line, this.out.columns - 1);
    this.out.write(this.#live);
  }

  #erase(): void {
    if (this.#live) this.out.write("\r\x1b[2K");
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
