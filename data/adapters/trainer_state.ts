/**
 * `trainer_state.json` of transformers: `log_history`, with bare NaN and Infinity, read record by record as it streams.
 * @module
 */
import { TABLES } from "../columns.ts";
import { trainerStateName } from "../tables/formats/trainer_state.ts";
import type { Adapter, Source } from "./adapter.ts";
import { parseObject } from "./completions.ts";
import type { Intake } from "./intake/intake.ts";
import { OwnRows } from "./intake/own_table.ts";
import { encodingOf, headText, textChunks } from "./source/text.ts";
import { NO_DICT, scanDict, UNFINISHED } from "./intake/scan_dict.ts";

/** A record larger than this is none (32 Mi characters). */
const MAX_RECORD = 1 << 25;
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
    const record = intake.source, { stage } = intake;
    let text = "", line = 1, inside = false, done = false, before = "";
    const count = async function* () {
      for await (const chunk of source.chunks()) {
        record.bytes_read += chunk.length;
        yield chunk;
      }
    };
    const take = (): void => {
      let at = 0;
      if (!inside) {
        const found = /"log_history"\s*:\s*\[/.exec(text);
        if (found === null) return;
        before = text.slice(0, found.index);
        readHeader(intake, before, 1);
        at = found.index + found[0].length;
        line += newlines(text, 0, at);
        inside = true;
      }
      for (;;) {
        const from = at;
        while (at < text.length && " \n\r\t,".includes(text[at]!)) at++;
        line += newlines(text, from, at);
        if (at >= text.length) break;
        if (text[at] === "]") {
          done = true;
          break;
        }
        if (text[at] !== "{") {
          record.partial = `line ${line} holds no record`;
          done = true;
          break;
        }
        stage.reset();
        const end = scanDict(text, at, stage);
        if (end === UNFINISHED && text.length - at < MAX_RECORD) break;
        if (end === NO_DICT || end === UNFINISHED) {
          record.partial = `line ${line} is no JSON record`;
          done = true;
          break;
        }
        if (!intake.commit({ line, metrics: true })) intake.skip(line, "a record without a known metric");
        line += newlines(text, at, end);
        at = end;
      }
      text = text.slice(at);
    };
    for await (const piece of textChunks(count(), encodingOf(source.head))) {
      text += piece;
      if (!done) take();
      else if (text.length > MAX_RECORD) text = "";
    }
    if (!inside) throw new SyntaxError(`Cannot read ${source.path} as a trainer state: it has no "log_history" list`);
    if (!done && record.partial === null) record.partial = `it ends inside log_history, after line ${line}`;
    if (done) readHeader(intake, text, line);
  },
};
