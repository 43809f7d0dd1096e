/** The first record that is not finite: the cause is there, everything later is an after-effect. @module */
import { isNonFinite, isNumber } from "./numbers.ts";
import type { Evidence } from "./evidence.ts";
import { messageEvidence } from "./messages.ts";
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

/** The first non-finite record, or null. A `kl` alone does not count: see `kl_nan_isolated`. */
export function firstNonFinite(view: RunView): FirstNonFinite | null {
  return view.memo("first non-finite", () => {
    const columns = WATCHED.filter((name) => view.column(name).some(isNonFinite));
    const strong = columns.filter((name) => name !== "kl");
    const bad = (record: number) => strong.some((name) => isNonFinite(view.column(name)[record]));
    const counted = view.column("non_finite");
    let record = -1;
    let count = 0;
    for (let index = 0; index < view.records; index++) {
      if (!bad(index) && !(isNumber(counted[index]) && counted[index]! > 0)) continue;
      if (record < 0) record = index;
      count++;
    }
    if (record < 0) return null;
    const here = columns.filter((name) => isNonFinite(view.column(name)[record]));
    const vanished = WATCHED.filter((name) =>
      view.column(name)[record] === null && view.column(name).slice(0, record).some(isNumber)
    );
    let finiteBefore = 0;
    for (let index = 0; index < record; index++) {
      if (SOUND.some((name) => isNumber(view.column(name)[index]))) finiteBefore++;
    }
    const infinite = here.length > 0 && here.every((name) => !Number.isNaN(view.column(name)[record]));
    return { record, columns: here, vanished, finiteBefore, count, excerpt: startsInTheMiddle(view), infinite };
  });
}
