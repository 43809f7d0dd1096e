import assert from "node:assert/strict";
import { type CronExpression, readCron } from "../../../workflows/language/cron_expression.ts";
import { canonicalZone, lastTime, machineTimeZone, nextTimes } from "../../../workflows/cron/next.ts";
import { calendarLines } from "../../../workflows/cron/systemd.ts";
import { has } from "./some_job.ts";

const schedule = (cron: string, timezone = "UTC") => ({ expression: readCron(cron) as CronExpression, timezone });
const at = (text: string) => Temporal.Instant.from(text);
const next = (cron: string, timezone: string, after: string, count: number) =>
  nextTimes(schedule(cron, timezone), at(after), count).map(String);

Deno.test("nextTimes() gives times after the given one, in order", () => {
  assert.deepEqual(next("30 3 * * *", "UTC", "2026-01-01T03:30:00Z", 2), [
    "2026-01-02T03:30:00Z",
    "2026-01-03T03:30:00Z",
  ]);
  assert.deepEqual(next("0 12 13 * fri", "UTC", "2026-02-01T00:00:00Z", 3), [
    "2026-02-06T12:00:00Z",
    "2026-02-13T12:00:00Z",
    "2026-02-20T12:00:00Z",
  ]);
});

Deno.test("nextTimes() leaves out what the clock skips, and takes the first of what it shows twice", () => {
  assert.deepEqual(next("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 2), [
    "2026-03-28T01:30:00Z",
    "2026-03-30T00:30:00Z",
  ]);
  assert.deepEqual(next("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2), [
    "2026-10-25T00:30:00Z",
    "2026-10-26T01:30:00Z",
  ]);
  // In the second of the two hours nothing is due any more.
  assert.deepEqual(next("*/30 * * * *", "Europe/Berlin", "2026-10-25T00:45:00Z", 1), ["2026-10-25T02:00:00Z"]);
  assert.deepEqual(next("0 0 * * *", "America/Havana", "2026-03-07T12:00:00Z", 1), ["2026-03-09T04:00:00Z"]);
});

Deno.test("nextTimes() finds 29 February across a century, and nothing where nothing is due", () => {
  assert.deepEqual(next("0 3 29 2 *", "UTC", "2096-03-01T00:00:00Z", 1), ["2104-02-29T03:00:00Z"]);
});

Deno.test("lastTime() is the last time at or before", () => {
  const daily = schedule("30 2 * * *", "Europe/Berlin");
  assert.equal(String(lastTime(daily, at("2026-03-29T12:00:00Z"))), "2026-03-28T01:30:00Z");
  assert.equal(String(lastTime(daily, at("2026-03-28T01:30:00Z"))), "2026-03-28T01:30:00Z");
});

Deno.test("canonicalZone() has one name for one zone, machineTimeZone() one of these", () => {
  assert.equal(canonicalZone("Etc/UTC"), canonicalZone("UTC"));
  assert.equal(canonicalZone(machineTimeZone()), machineTimeZone());
});

/** Two years from new year, as systemd has them. */
async function bySystemd(lines: readonly string[], after: string, count: number): Promise<string[]> {
  const found = new Set<string>();
  for (const line of lines) {
    const { stdout, stderr, success } = await new Deno.Command("systemd-analyze", {
      args: ["calendar", `--base-time=${after.replace("T", " ").replace("Z", "")} UTC`, `--iterations=${count}`, line],
      env: { TZ: "UTC", LC_ALL: "C" },
    }).output();
    assert(success, `${line}: ${new TextDecoder().decode(stderr)}`);
    const text = new TextDecoder().decode(stdout);
    for (const [, day, time] of text.matchAll(/(?:Next elapse|Iter\. #\d+): \w+ (\S+) (\S+) UTC/g)) {
      found.add(`${day}T${time}Z`);
    }
  }
  return [...found].sort().slice(0, count);
}

const TWO_YEARS = 731;
for (
  const [cron, timezone, from, count] of [
    ["30 2 * * *", "Europe/Berlin", "2026-01-01T00:00:00Z", TWO_YEARS],
    ["0 0 * * *", "America/Havana", "2026-01-01T00:00:00Z", TWO_YEARS],
    ["15 1 * * *", "America/New_York", "2026-01-01T00:00:00Z", TWO_YEARS],
    ["45 1 * * 1-5", "Australia/Sydney", "2026-01-01T00:00:00Z", 523],
    ["30 3 1,15 * mon", "Europe/Berlin", "2026-01-01T00:00:00Z", 150],
    ["0 12 */2 * tue", "Asia/Kolkata", "2026-01-01T00:00:00Z", 100],
    ["0 5 31 * *", "UTC", "2026-01-01T00:00:00Z", 14],
    // Every twenty minutes, through both changes.
    ["*/20 * * * *", "Europe/Berlin", "2026-03-28T12:00:00Z", 150],
    ["*/20 * * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 150],
    ["*/20 0-4 * * *", "America/New_York", "2027-03-13T00:00:00Z", 60],
    ["*/20 0-4 * * *", "America/New_York", "2027-11-06T00:00:00Z", 60],
  ] as const
) {
  Deno.test({
    name: `nextTimes() agrees with systemd-analyze: ${cron} ${timezone} from ${from.slice(0, 10)}, ${count} times`,
    ignore: !has("systemd-analyze"),
    async fn() {
      const one = schedule(cron, timezone), own = nextTimes(one, at(from), count).map(String);
      assert.deepEqual(own, await bySystemd(calendarLines(one), from, count));
      if (count >= 500) assert(Date.parse(own.at(-1)!) - Date.parse(from) > 728 * 86400e3, "two years");
    },
  });
}
