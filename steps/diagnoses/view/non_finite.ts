/** The first record that is not finite: the cause is there, everything later is an after-effect. @module */
import { finiteOf, isNonFinite, isNumber, LATE } from "./numbers.ts";
import type { Evidence } from "./evidence.ts";
import { messageEvidence } from "./messages.ts";
import { levelOf } from "./rewards.ts";
import { startsInTheMiddle } from "./start.ts";
import type { RunView } from "./run_view.ts";

const SHOWN = 3; // Columns that are shown of a record that is not finite.

/** Losses, gradient and policy statistics; rewards have their own cause. */
const WATCHED = [
  "loss",
  "policy_loss",
  "value_loss",
  "total_loss",
  "grad_norm",
  "critic_grad_norm",
  "entropy",
  "kl",
  "approx_kl",
  "ratio_mean",
  "sampler_logprob_gap",
  "chosen_reward",
  "rejected_reward",
  "chosen_logprob",
  "rejected_logprob",
] as const;

/** What a replay of the first failed update found: our own runs write it into the table `messages`. */
interface Located {
  readonly evidence: Evidence;
  /** The tensor in words, without counts: `weight model.norm.weight`, `forward, softmax in attention of layer 0 (…)`. */
  readonly tensor: string;
  /** The tensor is a parameter: it held the value before anything was computed. */
  readonly isWeight: boolean;
}

/** The first tensor that is not finite, where a replay named it. */
export function locatedNonFinite(view: RunView): Located | null {
  // Only our own runs replay; another system's line about NaN locates nothing.
  if (view.imported) return null;
  const entry = view.messages.find(({ kind }) => kind === "non_finite");
  if (entry === undefined) return null;
  return {
    evidence: messageEvidence(entry, "the first non-finite tensor, by replay"),
    tensor: entry.text.replace(/: \d+ of \d+ values not finite.*$/, ""),
    isWeight: entry.text.startsWith("weight "),
  };
}

export interface FirstNonFinite {
  readonly record: number;
  /** Watched columns that are NaN or infinite there. */
  readonly columns: readonly string[];
  /** Watched columns that had values before and have none there, though others of the record do. */
  readonly vanished: readonly string[];
  /** Records before it with a finite gradient or loss. */
  readonly finiteBefore: number;
  /** Records from there on that are not finite. */
  readonly count: number;
  /** The log starts in mid-run: finite records before it were left out. */
  readonly excerpt: boolean;
  /** Infinities only, no NaN. */
  readonly infinite: boolean;
}

/** The rows that show it. */
export function nonFiniteEvidence(view: RunView, { columns, record }: FirstNonFinite): Evidence[] {
  return columns.slice(0, SHOWN).map((name) => view.evidence(name, record));
}

/** What of them is the critic's: where they alone are not finite, the policy's numbers are sound. */
const OF_CRITIC: readonly string[] = ["value_loss", "critic_grad_norm"];

/** True if the first record that is not finite is so in what the critic computes, and the policy's gradient is there. */
export function isCriticAlone(view: RunView, { record, columns }: FirstNonFinite): boolean {
  return columns.length > 0 && columns.every((name) => OF_CRITIC.includes(name)) &&
    ["grad_norm", "policy_loss", "loss"].some((name) => isNumber(view.column(name)[record]));
}

/** Metrics of which one finite value says that the run was sound there. */
const SOUND = ["loss", "policy_loss", "grad_norm", "kl", "entropy"];

/** The first non-finite record of what lasts, or null. A `kl` alone, or a statistic beside a sound update, does not count: see `kl_nan_isolated`. */
export function firstNonFinite(view: RunView): FirstNonFinite | null {
  const found = nonFinite(view);
  return found === null || found.passes ? null : found.first;
}

/** Records that are not finite in a run that went on with finite numbers: its weights are sound. Null where there are none. */
export function passingNonFinite(view: RunView): (FirstNonFinite & { readonly records: readonly number[] }) | null {
  const found = nonFinite(view);
  return found?.passes ? { ...found.first, records: found.records } : null;
}

function nonFinite(view: RunView) {
  return view.memo("non-finite", () => {
    const columns = WATCHED.filter((name) => view.column(name).some(isNonFinite));
    const told = columns.filter((name) => name !== "kl"), sound = soundFrom(view);
    const isBad = (name: string, record: number) =>
      isNonFinite(view.column(name)[record]) && (record < sound || !STATISTICS.includes(name));
    const strong = told.filter((name) => view.trainSteps.some((_, record) => isBad(name, record)));
    const counted = view.column("non_finite");
    const records = view.trainSteps.flatMap((_, record) =>
      strong.some((name) => isBad(name, record)) ||
        isNumber(counted[record]) && counted[record]! > 0
        ? [record]
        : []
    );
    const record = records[0];
    if (record === undefined) return null;
    const here = columns.filter((name) => isNonFinite(view.column(name)[record]));
    const vanished = WATCHED.filter((name) =>
      view.column(name)[record] === null && view.column(name).slice(0, record).some(isNumber)
    );
    let finiteBefore = 0;
    for (let index = 0; index < record; index++) {
      if (SOUND.some((name) => isNumber(view.column(name)[index]))) finiteBefore++;
    }
    const infinite = here.length > 0 && here.every((name) => !Number.isNaN(view.column(name)[record]));
    const first = {
      record,
      columns: here,
      vanished,
      finiteBefore,
      count: records.length,
      excerpt: startsInTheMiddle(view),
      infinite,
    };
    return { first, records, passes: view.imported && goesOn(view, [...strong, ...vanished], records) };
  });
}

/** Computed to be printed: no gradient goes through them. */
export const STATISTICS: readonly string[] = ["entropy", "kl", "approx_kl", "ratio_mean", "sampler_logprob_gap"];

/**
 * The first record from which a NaN in a statistic is one of that statistic: there the update is finite and the reward above
 * its floor to the end, as no log-prob that is NaN leaves them. The number of records where there is none.
 */
function soundFrom(view: RunView): number {
  const none = view.records, update = WATCHED.filter((name) => !STATISTICS.includes(name) && view.has(name));
  // Our own runs name what is not finite.
  if (!view.imported) return none;
  const bad = new Set(
    view.trainSteps.flatMap((_, record) =>
      STATISTICS.some((name) => isNonFinite(view.column(name)[record])) ? [record] : []
    ),
  );
  const proof = update.includes("grad_norm") ? "grad_norm" : update.find((name) => /loss$/.test(name));
  if (proof === undefined || bad.size === 0) return none;
  const isUnsound = (record: number) =>
    [...update, "reward"].some((name) => isNonFinite(view.column(name)[record])) ||
    bad.has(record) && !isNumber(view.column(proof)[record]);
  const from = view.trainSteps.findLastIndex((_, record) => isUnsound(record)) + 1;
  const cells = view.column(proof).slice(from), rewards = finiteOf(view.column("reward").slice(from)).slice(-LATE);
  const isFloor = rewards.length > 0 && rewards.every((reward) => levelOf(view, reward) === "floor");
  // Zeros are what a trainer's filter prints for NaN.
  return isFloor || !cells.some((value, at) => isNumber(value) && value !== 0 && bad.has(from + at)) ? none : from;
}

/** Records that are finite after one that is not: what weights that are NaN compute never is. */
const GOES_ON = 2;

/**
 * After the first non-finite record a log prints numbers again, and not the zeros of a NaN filter; at its end no more of
 * them in a row are not finite than were before.
 */
function goesOn(view: RunView, columns: readonly string[], bad: readonly number[]): boolean {
  const stretches: number[] = [];
  bad.forEach((record, i) => {
    if (i > 0 && bad[i - 1] === record - 1) stretches[stretches.length - 1]!++;
    else stretches.push(1);
  });
  const ends = bad.at(-1) === view.records - 1, before = Math.max(0, ...stretches.slice(0, -1));
  if (ends && stretches.at(-1)! > before) return false;
  // Where it comes again and again, the numbers between count.
  const from = ends ? bad[0]! : bad.at(-1)!;
  const after = (name: string) => view.column(name).slice(from + 1).filter(isNumber);
  const moves = ["grad_norm", "loss", "policy_loss"].filter((name) => after(name).length > 0);
  return columns.every((name) => after(name).length >= GOES_ON) &&
    (moves.length === 0 || moves.some((name) => after(name).some((value) => value !== 0)));
}
