/** The logs of tests/cases as runs that go on: what is told while they are fed, at which share of the log. */
import { fileURLToPath } from "node:url";
import type { Severity } from "../../data/severity.ts";
import type { Examined } from "../../workflows/doctor/examined.ts";
import { follow } from "../../workflows/doctor/follow/follow.ts";
import type { Piece } from "../../workflows/doctor/follow/origin.ts";
import { type Label, labelledCases } from "./labelled/cases.ts";

const CASES = fileURLToPath(new URL("../cases", import.meta.url));

export interface CaseLog {
  /** Case and file. */
  readonly name: string;
  readonly file: string;
  readonly label: Label;
  readonly text: string;
}

/** Every metric log of the cases. */
export async function caseLogs(): Promise<CaseLog[]> {
  const logs: CaseLog[] = [];
  for (const { name, path, label } of labelledCases(CASES)) {
    for await (const { name: file } of Deno.readDir(path)) {
      if (!/^(log|trainer_state)\./.test(file)) continue;
      logs.push({ name: `${name}/${file}`, file, label, text: await Deno.readTextFile(`${path}/${file}`) });
    }
  }
  return logs.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The lines of a text, each with its end. */
export function lineChunks(text: string): Uint8Array[] {
  return text.split(/(?<=\n)/).map((line) => new TextEncoder().encode(line));
}

/** What was told while it was fed. */
interface Told {
  readonly cause: string;
  readonly severity: Severity;
  /** Of the bytes that had been read. */
  readonly share: number;
}

export interface Followed {
  readonly told: readonly Told[];
  readonly verdict: readonly Examined[];
  /** What came out again. */
  readonly bytes: Uint8Array;
}

/** Feeds the chunks as standard input gives them, and looks after each that has news. */
export async function followText(chunks: readonly Uint8Array[], name = "stdin"): Promise<Followed> {
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0), bytes = new Uint8Array(total), told: Told[] = [];
  async function* pieces(): AsyncGenerator<Piece> {
    yield { kind: "open", followed: { path: name, name, beside: [] } };
    for (const chunk of chunks) yield { kind: "bytes", bytes: chunk, repeated: true };
  }
  let at = 0, verdict: readonly Examined[] = [];
  for await (const update of follow(pieces(), { end: new AbortController().signal, debounce: 0 })) {
    bytes.set(update.bytes, at);
    at += update.bytes.length;
    if (update.failure !== null) throw update.failure;
    if (update.verdict !== null) verdict = update.verdict;
    else {
      const alarms = update.findings.filter(({ severity }) => severity !== "info");
      told.push(...alarms.map(({ cause, severity }) => ({ cause, severity, share: at / total })));
    }
  }
  return { told, verdict, bytes };
}
