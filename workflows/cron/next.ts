/**
 * When a schedule is due: times on the wall clock of its time zone.
 *
 * A time that a clock change skips does not come; one that comes twice counts the first time. So do systemd's timers; a
 * crontab's line starts more often, and `run --scheduled due` asks here.
 * @module
 */
import type { CronExpression } from "../language/cron_expression.ts";

/** Five fields in a time zone. */
export interface Schedule {
  readonly expression: CronExpression;
  /** IANA name. */
  readonly timezone: string;
}

/** Days in which every schedule that is ever due is due: 29 February may be eight years away. */
const HORIZON = 366 * 8 + 7;

/** The first `count` times after `after`, in order. */
export function nextTimes(schedule: Schedule, after: Temporal.Instant, count: number): Temporal.Instant[] {
  const found: Temporal.Instant[] = [];
  const start = after.toZonedDateTimeISO(schedule.timezone).toPlainDate();
  for (let i = 0; i < HORIZON && found.length < count; i++) {
    const due = timesOf(schedule, start.add({ days: i }));
    found.push(...due.filter((time) => Temporal.Instant.compare(time, after) > 0));
  }
  return found.slice(0, count);
}

/** The last time at or before `now`; null where there was none within the horizon. */
export function lastTime(schedule: Schedule, now: Temporal.Instant): Temporal.Instant | null {
  const start = now.toZonedDateTimeISO(schedule.timezone).toPlainDate();
  for (let i = 0; i < HORIZON; i++) {
    const due = timesOf(schedule, start.subtract({ days: i }));
    const past = due.findLast((time) => Temporal.Instant.compare(time, now) <= 0);
    if (past !== undefined) return past;
  }
  return null;
}

/** Times of one day of the calendar, in order. */
function timesOf({ expression, timezone }: Schedule, date: Temporal.PlainDate): Temporal.Instant[] {
  if (!isDay(expression, date)) return [];
  return expression.hours.flatMap((hour) =>
    expression.minutes.flatMap((minute) => {
      const wall = date.toPlainDateTime({ hour, minute });
      const time = wall.toZonedDateTime(timezone, { disambiguation: "earlier" });
      // A skipped time is moved to one that the clock shows.
      return time.toPlainDateTime().equals(wall) ? [time.toInstant()] : [];
    })
  );
}

function isDay({ days, months, weekdays, either }: CronExpression, date: Temporal.PlainDate): boolean {
  if (!months.includes(date.month)) return false;
  const isDate = days.includes(date.day), isWeekday = weekdays.includes(date.dayOfWeek % 7);
  return either ? isDate || isWeekday : isDate && isWeekday;
}

/** The time zone of the machine, as its cron daemon and systemd know it; TZ of this process is another thing. */
export function machineTimeZone(): string {
  try {
    const named = /zoneinfo\/(.+)$/.exec(Deno.realPathSync("/etc/localtime"))?.[1];
    if (named !== undefined) return canonicalZone(named);
  } catch (error) {
    if (!(error instanceof Error)) throw error; // no such file: not every system has one
  }
  return canonicalZone(Temporal.Now.timeZoneId());
}

/** One name for all names of a time zone: `Etc/UTC` is UTC. */
export function canonicalZone(timezone: string): string {
  return new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone;
}
