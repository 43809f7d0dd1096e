/** The share of completions that reached the length cap, from whatever the log prints. @module */
import { impliedAt } from "./implied.ts";
import { AGREEING_RECORDS, isNumber, mean, median, percent, recordsOf, TELLING_COMPLETIONS } from "./numbers.ts";
import { settingNumber } from "./settings.ts";
import type { RunView } from "./run_view.ts";

const AT_CAP = 0.98; // Share of the cap at which a mean length is the cap.

export interface Truncation {
  /** Median share over the records. */
  readonly median: number;
  /** What a message says of it: how much of what reaches the cap. */
  readonly shown: string;
  readonly records: readonly number[];
  readonly column: string | null;
  /** Mean completion length, or null. */
  readonly length: number | null;
}

/** Null where the log cannot tell. */
export function truncation(view: RunView): Truncation | null {
  return view.memo("truncation", () => {
    const lengths = view.finite("completion_length");
    const length = lengths.length === 0 ? null : mean(lengths);
    const share = view.column("truncated_fraction");
    const known = recordsOf(share);
    if (known.length > 0) {
      const records = known.filter((record) => share[record]! > 0.5), values = known.map((record) => share[record]!);
      return { median: median(values), shown: shownShare(values), records, column: "truncated_fraction", length };
    }
    const low = view.column("completion_length_min"), middle = view.column("completion_length");
    const cap = settingNumber(view, "max_new_tokens");
    const judged: number[] = [];
    const capped: number[] = [];
    view.trainSteps.forEach((_, record) => {
      const value = middle[record];
      if (!isNumber(value)) return;
      const atCap = cap !== null && value >= AT_CAP * cap;
      if (!(isNumber(low[record]) || cap !== null)) return;
      judged.push(record);
      if (atCap || impliedAt(view, "truncated_fraction", record)?.value === 1) capped.push(record);
    });
    if (judged.length > 0) {
      const part = capped.length / judged.length;
      const shown = `on ${percent(part)} of the records all completions reach the length cap`;
      return { median: part, shown, records: capped, column: "completion_length", length };
    }
    const flags = view.completions.map((row) => row.truncated).filter((value) => value !== null);
    if (flags.length < TELLING_COMPLETIONS) return null;
    const cut = flags.filter((value) => value).length / flags.length;
    return { median: cut, shown: shownShare([cut]), records: [], column: null, length };
  });
}

/** The cap in tokens as a log shows it: the longest completion, one and the same wherever some are cut; else null. */
export function capOf(view: RunView): number | null {
  const share = view.column("truncated_fraction"), longest = view.column("completion_length_max");
  const cut = recordsOf(longest).filter((record) => (share[record] ?? 0) > 0);
  const cap = longest[cut[0]!] ?? null;
  return cut.length >= AGREEING_RECORDS && cut.every((record) => longest[record] === cap) ? cap : null;
}

/** The mean: a median of 1 beside a record of 0.97 reads as if all were cut. */
export function shownShare(shares: readonly number[]): string {
  const average = shares.every((share) => share === shares[0]) ? "" : "on average ";
  return `${average}${percent(mean(shares))} of the completions reach the length cap`;
}
