import assert from "node:assert/strict";
import { dueNow, shownTime, whetherDue } from "../../../workflows/cron/due.ts";
import { someJob } from "./some_job.ts";

const NIGHTLY = 'cron: "30 3 * * *"';
const at = (text: string) => Temporal.Instant.from(text);
type Past = Parameters<typeof whetherDue>[0]["history"];

/** What becomes of a start at `now`: the time it is for, "late" behind it, or why not. */
function start(now: string, history: Past = [], entries: readonly string[] = [NIGHTLY], since: string | null = null) {
  const due = whetherDue({
    entries: someJob(entries).entries,
    history,
    now: at(now),
    since: since === null ? null : at(since),
  });
  return due.run ? `${due.at}${due.isLate ? " late" : ""}` : due.why;
}

const ran = (status: "ok" | "failed" | "running", scheduled_for: string) => ({ id: "a_run", status, scheduled_for });

Deno.test("whetherDue() runs at its time and shortly after, not before, not much later, not twice", () => {
  assert.equal(start("2026-01-02T03:30:00Z"), "2026-01-02T03:30:00Z");
  assert.equal(start("2026-01-02T03:34:59Z"), "2026-01-02T03:30:00Z");
  assert.match(start("2026-01-02T03:36:00Z"), /^nothing is due; next: Sat 2026-01-03 03:30 UTC$/);
  assert.match(start("2026-01-02T03:29:59Z"), /^nothing is due; next: Fri 2026-01-02 03:30 UTC$/);
  for (const status of ["ok", "failed", "running"] as const) {
    assert.match(
      start("2026-01-02T03:31:00Z", [ran(status, "2026-01-02T03:30:00.000Z")]),
      /^a_run was started for Fri/,
    );
  }
  assert.equal(start("2026-01-02T03:31:00Z", [ran("ok", "2026-01-01T03:30:00Z")]), "2026-01-02T03:30:00Z");
});

Deno.test("whetherDue() catches one run up, where the last that ended well was for an earlier time", () => {
  const caught = [`${NIGHTLY}, catch_up: one`], now = "2026-01-05T09:00:00Z";
  assert.equal(start(now, [], caught), "2026-01-05T03:30:00Z late");
  assert.equal(start(now, [ran("ok", "2026-01-02T03:30:00Z")], caught), "2026-01-05T03:30:00Z late");
  assert.equal(start(now, [ran("failed", "2026-01-05T03:30:00Z")], caught), "2026-01-05T03:30:00Z late");
  assert.match(
    start(now, [ran("ok", "2026-01-05T03:30:00Z")], caught),
    /^nothing was missed since Mon 2026-01-05 03:30/,
  );
  assert.match(start(now, [ran("ok", "2026-01-02T03:30:00Z")]), /^nothing is due/, "catch_up is none");
});

Deno.test("whetherDue() misses nothing of before the schedule was installed", () => {
  const caught = [`${NIGHTLY}, catch_up: one`];
  assert.match(start("2026-01-05T09:00:00Z", [], caught, "2026-01-05T08:00:00Z"), /^nothing was missed/);
  assert.equal(start("2026-01-06T09:00:00Z", [], caught, "2026-01-05T08:00:00Z"), "2026-01-06T03:30:00Z late");
});

Deno.test("whetherDue() at the clock changes: what cron starts too often is no run", () => {
  const berlin = ['cron: "30 2 * * *", timezone: Europe/Berlin'];
  // Skipped on 29 March: Debian's cron starts it at 03:00.
  assert.match(
    start("2026-03-29T01:00:10Z", [], berlin),
    /^nothing is due; next: Mon 2026-03-30 02:30 Europe\/Berlin$/,
  );
  assert.equal(start("2026-10-25T00:30:00Z", [], berlin), "2026-10-25T00:30:00Z");
  assert.match(start("2026-10-25T01:30:00Z", [], berlin), /^nothing is due/);
});

Deno.test("dueNow() is for the last time of any entry", () => {
  const { entries } = someJob([NIGHTLY, 'cron: "0 12 * * *"']);
  assert.equal(String(dueNow({ entries, now: at("2026-01-02T16:00:00Z") }).at), "2026-01-02T12:00:00Z");
  assert.equal(dueNow({ entries, now: at("2026-01-02T09:00:00Z") }).entry, entries[0]);
});

Deno.test("shownTime() is the wall clock's", () => {
  assert.equal(shownTime(at("2026-07-01T01:30:00Z"), "Europe/Berlin"), "Wed 2026-07-01 03:30 Europe/Berlin");
  assert.equal(shownTime(null, "UTC"), "never");
});
