/** Whether a scheduled start is to become a run: which time it is for, and what of times that were missed. @module */
import type { RunManifest } from "../../data/run_folder.ts";
import type { JobEntry } from "./job.ts";
import { lastTime, nextTimes } from "./next.ts";

/** A start this late is still for its time: a busy machine, a slow disk. */
const ON_TIME_MS = 5 * 60e3;

interface Asked {
  readonly entries: readonly JobEntry[];
  /** Scheduled runs so far, oldest first. */
  readonly history: readonly Pick<RunManifest, "id" | "status" | "scheduled_for">[];
  readonly now: Temporal.Instant;
  /** When the schedule was installed: nothing was missed before. */
  readonly since: Temporal.Instant | null;
}

export type Due =
  | { readonly run: true; readonly entry: JobEntry; readonly at: Temporal.Instant; readonly isLate: boolean }
  | { readonly run: false; readonly why: string };

/** A start by a target that decides itself when (`now`): the time it is for is the last one. */
export function dueNow({ entries, now }: Pick<Asked, "entries" | "now">): Due & { readonly run: true } {
  const { entry, at } = latest(entries, now) ?? { entry: entries[0]!, at: now };
  return { run: true, entry, at, isLate: false };
}

/** A start by a target that starts too often rather than too seldom (`due`). */
export function whetherDue({ entries, history, now, since }: Asked): Due {
  const last = latest(entries, now);
  const later = `next: ${shownTime(soonest(entries, now), entries[0]!.timezone)}`;
  const late = last === null ? Infinity : now.epochMilliseconds - last.at.epochMilliseconds;
  if (last !== null && late <= ON_TIME_MS) {
    const earlier = history.find((run) => isFor(run, last.at));
    if (earlier === undefined) return { run: true, ...last, isLate: false };
    return { run: false, why: `${earlier.id} was started for ${shownTime(last.at, last.entry.timezone)}; ${later}` };
  }
  const missed = latest(entries.filter(({ catch_up }) => catch_up === "one"), now);
  if (missed === null) return { run: false, why: `nothing is due; ${later}` };
  const done = history.findLast(({ status }) => status === "ok")?.scheduled_for ?? null;
  const known = done === null ? since : Temporal.Instant.from(done);
  if (known !== null && Temporal.Instant.compare(known, missed.at) >= 0) {
    return { run: false, why: `nothing was missed since ${shownTime(known, missed.entry.timezone)}; ${later}` };
  }
  return { run: true, ...missed, isLate: true };
}

const isFor = ({ scheduled_for }: Pick<RunManifest, "scheduled_for">, at: Temporal.Instant) =>
  scheduled_for !== null && Temporal.Instant.from(scheduled_for).equals(at);

/** The entry whose time came last. */
function latest(entries: readonly JobEntry[], now: Temporal.Instant) {
  let found: { readonly entry: JobEntry; readonly at: Temporal.Instant } | null = null;
  for (const entry of entries) {
    const at = lastTime(entry, now);
    if (at !== null && (found === null || Temporal.Instant.compare(at, found.at) > 0)) found = { entry, at };
  }
  return found;
}

/** The first time of any entry after `now`. */
function soonest(entries: readonly JobEntry[], now: Temporal.Instant): Temporal.Instant | null {
  const times = entries.flatMap((entry) => nextTimes(entry, now, 1)).sort(Temporal.Instant.compare);
  return times[0] ?? null;
}

/** `Mon 2026-11-23 03:00 Europe/Berlin`. */
export function shownTime(at: Temporal.Instant | null, timezone: string): string {
  if (at === null) return "never";
  const local = at.toZonedDateTimeISO(timezone), day = DAYS[local.dayOfWeek - 1];
  return `${day} ${local.toPlainDate()} ${local.toPlainTime().toString({ smallestUnit: "minute" })} ${timezone}`;
}

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
