/** systemd: a service and a timer of the user. @module */
import { join } from "node:path";
import { listFolder } from "../../data/file_system.ts";
import { shownPath } from "../terminal/caller.ts";
import { commandLine } from "../terminal/command_line.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { cronFiles, type Job, type JobEntry, mark, runArguments } from "./job.ts";
import { removing, writing } from "./own_file.ts";
import { call, complaint } from "./program.ts";
import type { Target } from "./target.ts";

const RELOAD = ["systemctl", "--user", "daemon-reload"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

export const systemd: Target = {
  about: "a service and a timer of the user, systemd 244 or newer",
  show(job) {
    const folder = unitFolder();
    return Object.entries(units(job)).map(([name, text]) => `# ${join(folder, name)}\n${text}`).join("\n");
  },
  async install(job) {
    await requireManager("install", job.file);
    const folder = unitFolder(), texts = units(job);
    const timer = Object.keys(texts).find((name) => name.endsWith(".timer"))!;
    return {
      changes: Object.entries(texts).map(([name, text]) => writing(join(folder, name), text, job)),
      first: [],
      then: [
        RELOAD,
        ["systemctl", "--user", "enable", timer],
        // A timer that runs already takes new times only when it is started again.
        ["systemctl", "--user", "restart", timer],
      ],
      notes: await lingers()
        ? []
        : ["Timers of a user stand still while nobody is logged in; to let them run always: loginctl enable-linger"],
    };
  },
  async remove(file) {
    const folder = unitFolder();
    const changes = listFolder(folder).filter((name) => /^nonzero-.*\.(?:service|timer)$/.test(name))
      .flatMap((name) => removing(join(folder, name), file));
    const timers = changes.map(({ what }) => what.slice(folder.length + 1)).filter((name) => name.endsWith(".timer"));
    if (changes.length === 0) return { first: [], changes, then: [], notes: [] };
    await requireManager("remove", file);
    return {
      first: timers.map((timer) => ["systemctl", "--user", "disable", "--now", timer]),
      changes,
      then: [RELOAD],
      notes: ["A run that is under way goes on to its end"],
    };
  },
};

/** Both units by file name. */
export function units(job: Job): Record<string, string> {
  const unit = `nonzero-${job.name}`, { log } = cronFiles(job);
  const head = `# ${mark(job, "systemd")}\n`;
  const environment = Object.entries(job.environment).map(([name, value]) => `Environment=${word(`${name}=${value}`)}`);
  const service = [
    "[Unit]",
    `Description=${specifiers(`Nonzero: ${job.name}`)}`,
    "",
    "[Service]",
    "Type=oneshot",
    ...environment,
    // With the colon nothing in the words is a variable.
    `ExecStart=:${[...program(job.deno), ...runArguments(job, "due")].map(word).join(" ")}`,
    "# Another run holds the lock",
    "SuccessExitStatus=75",
    "# The program saves and ends by itself",
    "KillMode=mixed",
    `StandardOutput=append:${specifiers(log)}`,
    `StandardError=append:${specifiers(log)}`,
  ];
  const timer = [
    "[Unit]",
    `Description=${specifiers(`When Nonzero runs ${job.name}`)}`,
    "",
    "[Timer]",
    ...job.entries.flatMap(calendarLines).map((line) => `OnCalendar=${line}`),
    `Persistent=${job.entries.some(({ catch_up }) => catch_up === "one")}`,
    "AccuracySec=1s",
    "",
    "[Install]",
    "WantedBy=timers.target",
  ];
  return {
    [`${unit}.service`]: `${head}${service.join("\n")}\n`,
    [`${unit}.timer`]: `${head}${timer.join("\n")}\n`,
  };
}

/** The times of an entry as OnCalendar has them: two lines where either kind of day is enough. */
export function calendarLines({ expression, timezone }: Pick<JobEntry, "expression" | "timezone">): string[] {
  const { minutes, hours, days, months, weekdays, either } = expression;
  const week = weekdays.length === 7 ? "" : `${weekdays.map((day) => WEEKDAYS[day]).join(",")} `;
  const time = `${numbers(hours, 24)}:${numbers(minutes, 60)}:00 ${timezone}`;
  const line = (prefix: string, day: string) => `${prefix}*-${numbers(months, 12)}-${day} ${time}`;
  if (!either) return [line(week, numbers(days, 31))];
  return [line("", numbers(days, 31)), line(week, "*")];
}

function numbers(values: readonly number[], all: number): string {
  return values.length === all ? "*" : values.map((value) => `${value}`.padStart(2, "0")).join(",");
}

/** The program by its path; a shell starts one whose path systemd refuses (quotes, backslashes). */
function program(deno: string): string[] {
  return /["'\\]/.test(deno) ? ["/bin/sh", "-c", 'exec "$0" "$@"', deno] : [deno];
}

/** A word of a unit file. */
function word(text: string): string {
  const plain = /^[\w./:=,@+-]+$/.test(text);
  return plain ? text : `"${specifiers(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

const specifiers = (text: string) => text.replaceAll("%", "%%");

function unitFolder(): string {
  const home = Deno.env.get("HOME"), config = Deno.env.get("XDG_CONFIG_HOME") || (home && join(home, ".config"));
  if (!config) throw new UsageError("Cannot place units of systemd: neither HOME nor XDG_CONFIG_HOME says where");
  return join(config, "systemd", "user");
}

async function requireManager(action: string, file: string): Promise<void> {
  const said = await call(["systemctl", "--user", "show-environment"]);
  if (said?.code === 0) return;
  const what = said === null ? "there is no systemctl here" : `systemctl --user does not answer: ${complaint(said)}`;
  const shown = commandLine(["cron", "show", shownPath(file), "--target", "systemd"]);
  throw new UsageError(`Cannot ${action} a timer: ${what}; take --target crontab, or print the units: ${shown}`);
}

/** Whether timers of the user run without a login; true as well where it cannot be told. */
async function lingers(): Promise<boolean> {
  const said = await call(["loginctl", "show-user", "--property=Linger", Deno.env.get("USER") ?? ""]);
  return said === null || said.code !== 0 || !said.out.includes("Linger=no");
}
