/** `report`: writes the page of a run, also of a failed one, and shows it. @module */
import { defineCommand } from "./command.ts";
import { findRun } from "../explore/find_run.ts";
import { runsFolder, shownPath } from "../terminal/paths.ts";
import { stdout } from "../terminal/terminal.ts";

export const report = defineCommand({
  about: "Write the report of a run, also of a failed one: one HTML page",
  usage: "RUN [--static] [--open yes|no] [--runs DIR]",
  words: [1, 1],
  options: {
    open: {
      about: "show it in the browser (default: yes on a desktop's terminal)",
      value: "WHEN",
      choices: ["yes", "no"],
    },
    static: { about: "pictures alone: no program in the page, which is then smaller" },
    runs: { about: "folder of the runs (default: runs/ in the project)", value: "DIR" },
  },
  notes: ['RUN is an id, its unique beginning, a folder, or "last".'],
  async run([typed], { open, runs, static: still }) {
    const folder = findRun(typed!, runsFolder(runs));
    const { writeReport } = await import("../run/write_report.ts");
    const { runReport } = await import("../explore/run_report.ts");
    const page = await writeReport(folder, { live: !still, read: runReport });
    stdout.line(shownPath(page));
    if (open === "yes" || (open === undefined && stdout.live && hasDesktop())) await show(page);
    return 0;
  },
});

function hasDesktop(): boolean {
  return Deno.build.os !== "linux" || Boolean(Deno.env.get("DISPLAY") ?? Deno.env.get("WAYLAND_DISPLAY"));
}

async function show(page: string): Promise<void> {
  const [program, ...args] = Deno.build.os === "darwin"
    ? ["open", page]
    : Deno.build.os === "windows"
    ? ["cmd", "/c", "start", "", page]
    : ["xdg-open", page];
  try {
    const { success } = await new Deno.Command(program!, { args, stdin: "null", stdout: "null", stderr: "null" })
      .output();
    if (!success) stdout.line(`${program} could not show it: open the page yourself`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    stdout.line(`There is no ${program} here: open the page yourself`);
  }
}
