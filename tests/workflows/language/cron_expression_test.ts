import assert from "node:assert/strict";
import {
  type CronExpression,
  type CronProblem,
  cronWarnings,
  plainCron,
  readCron,
} from "../../../workflows/language/cron_expression.ts";

const read = (text: string) => readCron(text) as CronExpression;
const problems = (text: string) => readCron(text) as readonly CronProblem[];

Deno.test("readCron() reads lists, ranges, steps and names, and both numbers of Sunday", () => {
  const { minutes, hours, days, months, weekdays, either } = read("*/20,5 22-23,3 1-10/4 JAN,mar-may fri-sun");
  assert.deepEqual([minutes, hours, days], [[0, 5, 20, 40], [3, 22, 23], [1, 5, 9]]);
  assert.deepEqual([months, weekdays, either], [[1, 3, 4, 5], [0, 5, 6], true]);
  assert.deepEqual(read("0 3 * * 7").weekdays, read("0 3 * * 0").weekdays);
  assert.deepEqual(read("0 3 * * 5-7").weekdays, [0, 5, 6]);
  assert.deepEqual(read("0 3 * * */2").weekdays, [0, 2, 4, 6]);
  assert.deepEqual(read("10/20 * * * *").minutes, [10, 30, 50], "from 10 on");
});

Deno.test("readCron(): either kind of day is enough where both are restricted, both where one begins with a star", () => {
  assert.equal(read("0 3 1 * mon").either, true);
  assert.equal(read("0 3 * * mon").either, false);
  assert.equal(read("0 3 */2 * mon").either, false);
});

for (
  const [text, offset, message] of [
    ["60 3 * * *", 0, /minute "60" is not known, want 0 to 59/],
    ["0 3,24 * * *", 4, /hour "24"/],
    ["0 3 0 * *", 4, /day of month "0" is not known, want 1 to 31/],
    ["0 3 * jna *", 6, /month "jna" .* did you mean "jan"\?/],
    ["0 3 * * 8", 8, /day of week "8" is not known, want 0 to 7 or sun to sat/],
    ["0 22-2 * * *", 2, /hour "22-2" runs backwards, want 22-23,0-2/],
    ["*/0 * * * *", 0, /has step "0", want a whole number from 1/],
    ["*/60 * * * *", 0, /has step 60, want at most 59/],
    ["0 *-3 * * *", 2, /cannot be read/],
    ["0 3,, * * *", 4, /hour "" cannot be read/],
    ["0 3 30 2 *", 4, /never fires: no month of "2" has a day 30/],
    ["0 3 31 4,6,9,11 *", 4, /never fires/],
    ["0 3 * *", 0, /want five fields/],
    ["@daily", 0, /^want five fields: @daily is "0 0 \* \* \*"$/],
    ["@Weekly", 0, /^want five fields: @weekly is "0 0 \* \* 0"$/],
    ["@reboot", 0, /^want five fields: @reboot has no time/],
    ["@often", 0, /^want five fields, such as "0 3 \* \* \*"$/],
    ["30 0 3 * * mon", 0, /^want five fields, without seconds: "0 3 \* \* mon"$/],
    ["30 0 99 * * *", 0, /^want five fields, such as/],
  ] as const
) {
  Deno.test(`readCron() refuses "${text}" at its place`, () => {
    assert.equal(problems(text)[0]!.offset, offset);
    assert.match(problems(text)[0]!.message, message);
  });
}

Deno.test("readCron(): a day that no month has is due by its day of the week; 29 February is due", () => {
  assert.equal(read("0 3 30 2 mon").either, true);
  assert.deepEqual(read("0 3 29 2 *").days, [29]);
});

Deno.test("cronWarnings() names every minute, months without the day, and mixed days; silent otherwise", () => {
  const told = (text: string) => cronWarnings(text, read(text)).join();
  assert.match(told("* * * * *"), /fires every minute; once an hour is "0 \* \* \* \*"/);
  assert.match(told("* 3 * * *"), /every minute of hour 3, 60 times a day; once an hour is "0 3 \* \* \*"/);
  assert.match(told("0 3 31 jan,feb *"), /never fires in feb: there is no day 31/);
  assert.match(told("0 3 */2 * mon"), /restricts the day of month and the day of week/);
  for (const text of ["*/2 * * * *", "0 3 31 * *", "0 3 1 * mon", "0 3 */2 * *", "0 3 * * */2"]) {
    assert.equal(told(text), "");
  }
});

Deno.test("plainCron() writes names and Sunday as others read them, and leaves the rest", () => {
  assert.equal(plainCron(" */20 3  1-5 * * "), "*/20 3 1-5 * *");
  assert.equal(plainCron("0 3 * JAN,mar fri-sun"), "0 3 * 1,3 0,5,6");
  assert.equal(plainCron("0 3 * * 1-5"), "0 3 * * 1-5");
  assert.equal(plainCron("0 3 * * 7"), "0 3 * * 0");
  assert.equal(plainCron("10/20 */6 1-9/4 * *"), "10,30,50 */6 1-9/4 * *", "Debian's cron refuses 10/20");
  assert.equal(plainCron("0,10/20 * * * *"), "0,10,30,50 * * * *");
});
