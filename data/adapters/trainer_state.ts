/**
 * `trainer_state.json` of transformers: `log_history`, with bare NaN and Infinity, read record by record as it streams.
 * @module
 */
import { TABLES } from "../columns.ts";
import { trainerStateName } from "../tables/formats/trainer_state.ts";
import type { Adapter, Source } from "./adapter.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnRows } from "./intake/own_table.ts";
import { scanDict, UNFINISHED } from "./intake/scan_dict.ts";
import { textPieces } from "./source/lines.ts";
import { parseObject } from "./source/python_json.ts";
import { headText } from "./source/text.ts";

/** A record larger than this is none (32 Mi characters). */
const MAX_RECORD = 1 << 25;
/** What stands before the records is larger than this: it is no header. The list may begin in its last characters. */
const MAX_HEADER = 1 << 23, OPENING = 100;
const MAX_OWN = 1 << 28;
/** A record with the columns that every row of our metrics has. */
const OURS = /\{[^{}\n]*"phase": "[^{}\n]*"step_id": "/;
const HEADER = ["max_steps", "num_train_epochs", "logging_steps", "best_metric", "global_step"];

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function readHeader(intake: Intake, text: string, line: number): void {
  for (const key of HEADER) {
    const found = new RegExp(`"${key}"\\s*:\\s*(-?[\\d.eE+-]+|null)`).exec(text);
    if (found === null) continue;
    const at = line + newlines(text, 0, found.index);
    const none = found[1] === "null";
    intake.setting(key, none ? null : Number(found[1]), none ? "null" : "number", at, 1, "trl");
  }
}

/** An export of ours has a record per line and every column of the metrics. */
function readOwn(bytes: Uint8Array, intake: Intake): void {
  const records = new TextDecoder().decode(bytes).split("\n").map((line) =>
    /^\s*\{.*"step":/.test(line) ? parseObject(line.replace(/,\s*$/, "")) : null
  ).filter((record) => record !== null);
  const names = new Map(Object.keys(TABLES.metrics).map((column) => [column, trainerStateName(column)]));
  names.set("train_step", "step");
  const written = [...names].filter(([, name]) => records.some((record) => Object.hasOwn(record, name)));
  const rows = new OwnRows("metrics", written.map(([column]) => column));
  for (const record of records) {
    rows.add(Object.fromEntries(written.map(([column, name]) => [column, bare(record[name])])));
  }
  intake.source.bytes_read = bytes.length;
  rows.finish(intake);
}

/** A bare NaN or Infinity of Python, as `parseObject` gives it. */
function bare(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("\0") ? Number(value.slice(1)) : value;
}

export const TRAINER_STATE: Adapter = {
  about: "trainer_state.json: log_history of transformers' Trainer (TRL, Visual-RFT, LLaMA-Factory, …)",
  sniff(source, text) {
    if (text === null || !text.trimStart().startsWith("{")) return 0;
    if (source.name.startsWith("trainer_state")) return 0.95;
    return /"log_history"\s*:\s*\[/.test(text) ? 0.9 : 0;
  },
  async read(source: Source, intake: Intake) {
    if (OURS.test(headText(source.head) ?? "")) return readOwn(await source.bytes(MAX_OWN), intake);
    const history = new LogHistory(intake);
    for await (const piece of textPieces(source, intake)) history.feed(piece);
    if (!history.found) {
      throw new SyntaxError(`Cannot read ${source.path} as a trainer state: it has no "log_history" list`);
    }
    history.end();
  },
};

/** The records of `log_history` as they stream in, and the header's settings on both sides of it. */
class LogHistory {
  /** What is not read yet, and the line it begins on. */
  #text = "";
  #line = 1;
  #state: "before" | "inside" | "after" = "before";

  constructor(private readonly intake: Intake) {}

  get found(): boolean {
    return this.#state !== "before";
  }

  feed(piece: string): void {
    this.#text += piece;
    if (this.#state === "before") this.#open();
    if (this.#state === "inside") this.#records();
    else if (this.#state === "after" && this.#text.length > MAX_RECORD) this.#text = "";
  }

  end(): void {
    const { source } = this.intake;
    if (this.#state === "after") readHeader(this.intake, this.#text, this.#line);
    else source.partial ??= `it ends inside log_history, after line ${this.#line}`;
  }

  #open(): void {
    const found = /"log_history"\s*:\s*\[/.exec(this.#text);
    if (found === null) {
      if (this.#text.length > MAX_HEADER) this.#advance(this.#text.length - OPENING);
      return;
    }
    readHeader(this.intake, this.#text.slice(0, found.index), this.#line);
    this.#advance(found.index + found[0].length);
    this.#state = "inside";
  }

  #records(): void {
    while (this.#state === "inside") {
      this.#advance(/[^ \n\r\t,]|$/.exec(this.#text)!.index);
      if (this.#text === "" || !this.#record()) return;
    }
  }

  /** Takes the record that the text begins with; false where it is not whole yet. */
  #record(): boolean {
    const { stage } = this.intake;
    if (this.#text[0] === "]") return this.#close(null);
    if (this.#text[0] !== "{") return this.#close(`line ${this.#line} holds no record`);
    stage.reset();
    const end = scanDict(this.#text, 0, stage);
    if (end === UNFINISHED && this.#text.length < MAX_RECORD) return false;
    if (end < 0) return this.#close(`line ${this.#line} is no JSON record`);
    if (!this.intake.commit({ line: this.#line, metrics: true })) {
      this.intake.skip(this.#line, "a record without a known metric");
    }
    this.#advance(end);
    return true;
  }

  #close(problem: string | null): boolean {
    this.intake.source.partial = problem;
    this.#state = "after";
    return true;
  }

  #advance(to: number): void {
    this.#line += newlines(this.#text, 0, to);
    this.#text = this.#text.slice(to);
  }
}
