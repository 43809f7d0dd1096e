/**
 * crontab: lines of ours between two marks in the user's table, everything else as it is.
 *
 * Debian's cron knows only the machine's time zone, starts what a clock change skipped when the hour is over, and knows
 * nothing of what it missed: lines start the program at least as often as it is due, and `run --scheduled due` decides.
 * @module
 */
import { UsageError } from "../terminal/usage_error.ts";
import { quoted } from "../terminal/command_line.ts";
import { plainCron } from "../language/cron_expression.ts";
import { cronFiles, type Job, type JobEntry, mark, markedFile, runArguments } from "./job.ts";
import { canonicalZone, machineTimeZone } from "./next.ts";
import { refuseTaken } from "./own_file.ts";
import { call, complaint } from "./program.ts";
import type { Change, Target } from "./target.ts";

const LONGEST_COMMAND = 998; // Debian's cron refuses a table with a longer one (MAX_COMMAND of cron.h).
const WHAT = "your crontab";

export const crontab: Target = {
  about: "lines in the user's crontab",
  show: (job) => block(job),
  async install(job) {
    const before = await readTable("install"), own = block(job);
    const change = tableChange(before, (table) => withBlock(table, own, job));
    return { first: [], changes: [{ ...change, part: own }], then: [], notes: notesOn(job) };
  },
  async remove(file) {
    const before = await readTable("remove"), blocks = before === null ? [] : blocksOf(before, file);
    if (blocks.length === 0) return { first: [], changes: [], then: [], notes: [] };
    const change = tableChange(before, (table) => table === null ? null : withoutBlocks(table, file));
    return { first: [], changes: [{ ...change, part: blocks.join("") }], then: [], notes: [] };
  },
};

function notesOn({ entries }: Job): string[] {
  return entries.some(({ catch_up }) => catch_up === "one")
    ? ["cron itself catches nothing up: missed times are looked at when the machine starts (@reboot)"]
    : [];
}

/** Ends the block of a workflow; a table that was not there before goes with the last block. */
const endOf = (name: string) => `# End of what Nonzero wrote for ${name}\n`;
const ALONE = "# There was no crontab before\n";

/** Our lines for a job. */
export function block(job: Job, zone = machineTimeZone()): string {
  const { log } = cronFiles(job);
  const variables = Object.entries(job.environment).map(([name, value]) => `${name}=${quoted(value)}`);
  const words = [...variables, ...[job.deno, ...runArguments(job, "due")].map(quoted)];
  // cron ends the command at a percent sign without a backslash.
  const command = `${words.join(" ")} >>${quoted(log)} 2>&1`.replaceAll("%", "\\%");
  if (command.length > LONGEST_COMMAND) {
    throw new UsageError(
      `Cannot write a line of crontab for "${job.name}": its command has ${command.length} characters, want at most ` +
        `${LONGEST_COMMAND}; take --target systemd, or shorter paths`,
    );
  }
  const times = [...new Set(job.entries.flatMap((entry) => timeFields(entry, zone)))];
  const boots = job.entries.some(({ catch_up }) => catch_up === "one") ? ["@reboot"] : [];
  const zones = [...new Set(job.entries.map(({ timezone }) => timezone))].filter((one) => canonicalZone(one) !== zone);
  const said = zones.length === 0 ? "" : `# Due in ${zones.join(" and ")}; the times here are ${zone}\n`;
  const lines = [...times, ...boots].map((time) => `${time} ${command}\n`).join("");
  return `# ${mark(job, "crontab")}\n${said}${lines}${endOf(job.name)}`;
}

/**
 * The five fields of an entry in the machine's time zone. For another zone: every time of day at which it may be due
 * within two years, on every day.
 */
export function timeFields({ cron, expression, timezone }: JobEntry, zone: string): string[] {
  if (canonicalZone(timezone) === zone) return [plainCron(cron)];
  const hoursOf = new Map<number, Set<number>>();
  for (const shift of shifts(timezone, zone)) {
    for (const hour of expression.hours) {
      for (const minute of expression.minutes) {
        const at = (60 * hour + minute - shift + 2 * 1440) % 1440, there = hoursOf.get(at % 60) ?? new Set();
        hoursOf.set(at % 60, there.add(Math.floor(at / 60)));
      }
    }
  }
  const minutes = [...hoursOf.keys()].sort((a, b) => a - b);
  const hours = (minute: number) => list([...hoursOf.get(minute)!], 24);
  return [...Map.groupBy(minutes, hours)].map(([hour, group]) => `${list(group, 60)} ${hour} * * *`);
}

function list(values: readonly number[], all: number): string {
  return values.length === all ? "*" : values.toSorted((a, b) => a - b).join(",");
}

/** By how many minutes a zone's clock is ahead of another's, all that occur within two years. */
function shifts(ahead: string, of: string): number[] {
  const now = Temporal.Now.instant(), found = new Set<number>();
  for (let hour = 0; hour < 2 * 366 * 24; hour += 3) {
    const at = now.add({ hours: hour });
    const offset = (zone: string) => at.toZonedDateTimeISO(zone).offsetNanoseconds / 60e9;
    found.add(Math.round(offset(ahead) - offset(of)));
  }
  return [...found];
}

/** The user's table; null where there is none. */
async function readTable(action: string): Promise<string | null> {
  const said = await call(["crontab", "-l"]);
  if (said === null) {
    throw new UsageError(
      `Cannot ${action} lines of crontab: there is no program crontab here; install one (Debian: apt install cron), or take ` +
        "--target systemd",
    );
  }
  if (said.code === 0) return exactly(said.bytes, action);
  if (/no crontab for/.test(said.err)) return null;
  throw new UsageError(
    `Cannot read the crontab: ${complaint(said)}; ask who runs this machine whether you may have one`,
  );
}

/** The table, which is written again as a whole: what is no UTF-8 would not come back as it was. */
function exactly(bytes: Uint8Array, action: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(
      `Cannot ${action} lines of crontab: it has letters that are no UTF-8; turn them into it, then run this again: ` +
        "crontab -l | iconv -f latin1 -t utf-8 | crontab -",
    );
  }
}

/** A change that is worked out again on what is there when it is made: lines that came in between stay. */
function tableChange(before: string | null, edit: (table: string | null) => string | null): Change {
  return {
    what: WHAT,
    before,
    after: edit(before),
    async apply() {
      const now = await readTable("change"), after = edit(now);
      const said = await (after === null ? call(["crontab", "-r"]) : call(["crontab", "-"], after));
      if (said?.code !== 0) {
        throw new UsageError(`Cannot write the crontab: ${said === null ? "crontab is gone" : complaint(said)}`);
      }
      if (await readTable("check") === after) {
        return now === before ? [] : ["Somebody else changed the crontab in the meantime: those lines are kept"];
      }
      throw new UsageError(
        "Cannot be sure of the crontab: somebody else changed it at the same moment; look at it with: crontab -l",
      );
    },
  };
}

/** The table with the block in place of an older one of the workflow, else at its end. */
export function withBlock(table: string | null, own: string, job: Pick<Job, "name" | "file">): string {
  if (table === null) return own.replace("\n", `\n${ALONE}`);
  const old = blocksOf(table).find((text) => text.endsWith(endOf(job.name)));
  if (old === undefined) return `${table}${table === "" || table.endsWith("\n") ? "" : "\n"}${own}`;
  refuseTaken(WHAT, old, job);
  return table.replace(old, () => old.includes(ALONE) ? own.replace("\n", `\n${ALONE}`) : own);
}

/** The table without the blocks of a workflow file; null for nothing, where there was nothing. */
export function withoutBlocks(table: string, file: string): string | null {
  const own = blocksOf(table, file), rest = own.reduce((text, one) => text.replace(one, ""), table);
  return rest === "" && own.some((text) => text.includes(ALONE)) ? null : rest;
}

/** Our blocks in a table, of one workflow file or of all. */
function blocksOf(table: string, file?: string): string[] {
  const begin = "^# Written by Nonzero \\(cron, crontab\\) for (\\w+): .*\\n";
  const begun = [...table.matchAll(new RegExp(begin, "gm"))];
  const all = [
    ...table.matchAll(new RegExp(`${begin}(?:(?!${begin.slice(0, 21)}).*\\n)*?# End of .* for \\1\\n`, "gm")),
  ];
  if (begun.length !== all.length) {
    throw new UsageError(
      'Cannot tell our lines in the crontab from others\': a line "# Written by Nonzero …" has lost its "# End of …"; mend it ' +
        "with: crontab -e",
    );
  }
  return all.map(([text]) => text).filter((text) => file === undefined || markedFile(text) === file);
}
