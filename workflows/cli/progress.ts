/** Shows the events of a run as they come: a live table on a terminal, one line per event otherwise. @module */
import type { Plan, PlanNode } from "../plan.ts";
import { duration, type Output, printable } from "./terminal.ts";

/** An event of the engine, as in events.jsonl. */
export type RunEvent = { readonly event: string; readonly [key: string]: unknown };

interface TableColumn {
  readonly title: string;
  readonly width: number;
  text(row: RunEvent): string;
}

function metric(name: string, digits: number): (row: RunEvent) => string {
  return (row) => {
    const value = row[name];
    if (value === null || value === undefined) return "–";
    if (typeof value !== "number") return String(value);
    if (!Number.isFinite(value)) return String(value);
    if (value !== 0 && Math.abs(value) < 10 ** -digits) return value.toExponential(0);
    return Math.abs(value) >= 1e4 ? value.toExponential(1) : value.toFixed(digits);
  };
}

const COLUMNS: readonly TableColumn[] = [
  { title: "step", width: 6, text: metric("train_step", 0) },
  { title: "loss", width: 8, text: metric("loss", 3) },
  { title: "reward", width: 7, text: metric("reward", 3) },
  { title: "accuracy", width: 8, text: metric("accuracy", 3) },
  { title: "entropy", width: 7, text: metric("entropy", 3) },
  { title: "kl", width: 7, text: metric("kl", 4) },
  { title: "clipped", width: 7, text: metric("clip_fraction", 3) },
  { title: "length", width: 6, text: metric("completion_length", 1) },
  { title: "trunc", width: 6, text: metric("truncated_fraction", 3) },
  { title: "grad", width: 6, text: metric("grad_norm", 2) },
  {
    title: "tok/s",
    width: 7,
    text: (row) => typeof row["tokens_per_second"] === "number" ? Math.round(row["tokens_per_second"]).toString() : "–",
  },
];

/** Smallest time between two lines of an output that is no terminal, ms. */
const QUIET = 1000;
/** Rows of the table that stay on a terminal in the course of a run. */
const KEPT_ROWS = 15;

export class Progress {
  readonly #out: Output;
  #live = "";
  #headed = "";
  #lastLine = 0;
  #steps: { at: number; step: number }[] = [];
  /** Rounds of all innermost blocks. */
  #total = 0;
  readonly #repeated = new Set<string>();
  #done = 0;
  #spinner: ReturnType<typeof setInterval> | undefined;
  #current = "";
  #currentSince = 0;

  /** The plan tells which steps are repeated and how many rounds there are. */
  constructor(out: Output, plan?: Plan) {
    this.#out = out;
    for (const node of plan?.steps ?? []) this.#learn(node, 1);
  }

  #learn(node: PlanNode, rounds: number): void {
    if (node.type === "step") {
      if (rounds > 1) this.#repeated.add(node.id);
      return;
    }
    const inner = rounds * node.repeat;
    if (node.steps.every(({ type }) => type === "step")) this.#total += inner;
    for (const child of node.steps) this.#learn(child, Math.max(2, inner));
  }

  /** Handles one event. Never throws on an event it does not know. */
  on(event: RunEvent): void {
    switch (event.event) {
      case "run_started":
        return this.#say(this.#out.style(`Run ${event["run"]}`, "bold"));
      case "step_started":
        return this.#stepStarted(event);
      case "step_finished":
        return this.#stepFinished(event);
      case "train_step":
        return this.#trainStep(event);
      case "progress":
        return this.#progress(event);
      case "finding":
        return this.#finding(event);
      case "message":
      case "warning":
        return this.#say(`  ${printable(String(event["text"] ?? event["message"] ?? ""))}`);
      case "run_finished":
        return this.close();
    }
  }

  close(): void {
    clearInterval(this.#spinner);
    this.#erase();
  }

  #stepStarted(event: RunEvent): void {
    this.#current = String(event["step"] ?? "");
    this.#currentSince = performance.now();
    if (!this.#out.live || this.#spinner) return;
    this.#spinner = setInterval(() => {
      const seconds = (performance.now() - this.#currentSince) / 1000;
      if (seconds > 1 && !this.#headed) this.#show(`  ${this.#current} … ${duration(seconds)}`);
    }, 500);
  }

  #stepFinished(event: RunEvent): void {
    if (this.#repeated.has(String(event["step"]))) return;
    this.#headed = "";
    const outputs = Object.entries((event["outputs"] ?? {}) as Record<string, unknown>)
      .filter(([, v]) => v !== null && v !== undefined)
      .map(([k, v]) => `${k} ${typeof v === "number" && !Number.isInteger(v) ? v.toFixed(3) : v}`).join(", ");
    const state = event["status"] === "failed" ? this.#out.style("failed", "red") : event["cached"] ? "cached" : "";
    this.#say(
      `  ${String(event["step"]).padEnd(16)} ${duration(Number(event["ms"] ?? 0) / 1000).padStart(8)}  ${state}${
        printable(outputs)
      }`,
    );
  }

  #trainStep(event: RunEvent): void {
    const now = performance.now();
    const phase = String(event["phase"] ?? "");
    const columns = COLUMNS.filter((c) =>
      phase !== "sft" || ["step", "loss", "accuracy", "grad", "tok/s"].includes(c.title)
    );
    const key = phase + columns.length;
    const first = this.#headed !== key;
    if (first) {
      this.#headed = key;
      this.#steps = [];
      this.#done = 0;
      this.#say(this.#out.style("  " + columns.map((c) => c.title.padStart(c.width)).join(" ") + "      ETA", "dim"));
    }
    this.#done++;
    const total = phase === "sft" ? 0 : this.#total;
    this.#steps.push({ at: now, step: this.#done });
    if (this.#steps.length > 50) this.#steps.shift();
    const row = "  " + columns.map((c) => c.text(event).padStart(c.width)).join(" ") + this.#eta(total).padStart(9);
    const keep = this.#out.live
      ? first || this.#done % Math.max(1, Math.round(total / KEPT_ROWS)) === 0
      : first || now - this.#lastLine >= QUIET;
    if (keep) {
      this.#say(row);
    } else this.#show(row);
  }

  #eta(total: number): string {
    const first = this.#steps[0]!, last = this.#steps.at(-1)!;
    if (!total || last.step === first.step) return "–";
    const left = (total - this.#done) * (last.at - first.at) / (last.step - first.step) / 1000;
    return left >= 0 ? duration(left) : "–";
  }

  #progress(event: RunEvent): void {
    const text = `  ${this.#current}: ${printable(String(event["text"] ?? ""))}`;
    if (this.#out.live) this.#show(text);
    else if (performance.now() - this.#lastLine >= QUIET) this.#say(text);
  }

  #finding(event: RunEvent): void {
    const severity = String(event["severity"]);
    const style = severity === "info" ? "blue" : severity === "warning" ? "yellow" : "red";
    this.#say(
      `  ${this.#out.style(`${severity}: ${event["cause"]}`, style)} ${printable(String(event["message"] ?? ""))}`,
    );
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
