/** `new`: scaffolds one file with its test and its line in the folder's table. @module */
import { basename, dirname, join } from "node:path";
import { isThere } from "../../data/file_system.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { pathArgument, PROJECT, shownPath } from "../terminal/paths.ts";
import { type Kind, KINDS } from "./scaffold/kinds.ts";
import { camelCase } from "./scaffold/register.ts";
import { commandLine } from "../terminal/command_line.ts";
import { printable, stdout, wrapped } from "../terminal/terminal.ts";

/** What makes a folder a project: the table of steps. */
const MARK = "steps/mod.ts";

/** Names that mean something else in the files that are written. */
const TAKEN = new Set(
  ("break case catch class const continue debugger default delete do else enum export extends false finally for " +
    "function if import in instanceof new null return super switch this throw true try typeof var void while with " +
    "yield await let static implements interface package private protected public assert params table view z")
    .split(" "),
);

const ANYWHERE = Object.entries<Kind>(KINDS).flatMap(([name, { anywhere }]) => anywhere ? [name] : []);

export const newThing = defineCommand({
  about: "Scaffold a step, reward, advantage, task, diagnosis, chart or workflow with its test",
  usage: "KIND NAME [--into DIR] [--from FILE]",
  words: [2, 2],
  options: {
    into: {
      about: `folder to write into (default: this project); ${ANYWHERE.join(" and ")} go into any folder`,
      value: "DIR",
    },
    from: {
      about:
        "workflow only: translate a script, command line or YAML of TRL, verl, OpenRLHF, ms-swift, LLaMA-Factory, " +
        "Visual-RFT, VLM-R1 or R1-V",
      value: "FILE",
    },
  },
  notes: ["Kinds:", ...Object.entries(KINDS).map(([name, kind]) => `  ${name.padEnd(12)}${kind.about}`)],
  examples: ["reward brevity", "reward brevity --into .", "workflow mine --from grpo.py --into ."],
  async run([kindName, name], { into, from }) {
    if (!Object.hasOwn(KINDS, kindName!)) {
      throw new UsageError(
        `Cannot make a new "${kindName}": it is no kind${didYouMean(kindName!, Object.keys(KINDS))}`,
      );
    }
    const kind: Kind = KINDS[kindName as keyof typeof KINDS];
    const room = kind.rooms?.find((one) => name!.startsWith(`${one}/`));
    const own = room === undefined ? name! : name!.slice(room.length + 1);
    if (!/^[a-z][a-z0-9_]{0,60}$/.test(own)) {
      const also = name!.includes("/") && kind.rooms
        ? `, or ${kind.rooms.map((one) => `${one}/NAME`).join(" or ")}`
        : "";
      throw new UsageError(
        `Cannot name it "${name}": want snake_case: a letter a to z, then letters, digits and _${also}`,
      );
    }
    if (TAKEN.has(camelCase(name!))) {
      throw new UsageError(`Cannot name it "${name}": the word has another meaning in the file; take another`);
    }
    if (from !== undefined && kindName !== "workflow") {
      throw new UsageError(
        `Cannot make a ${kindName} from "${from}": want "workflow", the one kind that is translated`,
      );
    }
    const folder = into ? pathArgument(into) : PROJECT, isProject = isThere(join(folder, MARK));
    if (!isProject && kind.anywhere === undefined) {
      throw new UsageError(
        `Cannot make a ${kindName} in "${into}": it is no project (it has no ${MARK}), want a copy of Nonzero; ` +
          `into any folder go ${ANYWHERE.join(" and ")}`,
      );
    }
    if (!isProject && room !== undefined) {
      throw new UsageError(
        `Cannot name it "${name}": "${room}/" is a folder of the project, and a file of your own goes by its name alone; take ` +
          `"${own}"`,
      );
    }
    if (from !== undefined) return await writeTranslation(from, name!, folder, isProject);
    const written = isProject ? await scaffold(kind, name!, folder) : await write(kind.anywhere!(name!), folder);
    for (const path of written) stdout.line(shownPath(path));
    if (isProject) await renewGenerated(folder);
    return 0;
  },
});

/** Translates another system's file, writes the workflow, and prints what became of every option. */
async function writeTranslation(from: string, name: string, folder: string, isProject: boolean): Promise<number> {
  const { translate } = await import("../translate/translate.ts");
  const { classCounts, reportLines } = await import("../translate/report.ts");
  const file = isProject ? `workflows/library/${name}.yaml` : `${name}.yaml`;
  refuseExisting({ [file]: "" }, folder);
  const { text, outcomes, notes, system } = await translate(
    pathArgument(from),
    basename(from),
    name,
    dirname(join(folder, file)),
  );
  await write({ [file]: text }, folder);
  const width = Math.min(stdout.columns, MOST_COLUMNS);
  for (const line of reportLines(outcomes, system, width, (title) => stdout.style(title, "bold"))) stdout.line(line);
  stdout.line();
  for (const note of notes) {
    // A command stays on one line, so that it can be copied.
    const lines = note.includes(`${commandLine([])} `) ? [note] : wrapped(note, width - 2);
    for (const [i, line] of lines.entries()) {
      stdout.line(`${i === 0 ? "* " : "  "}${printable(line)}`);
    }
  }
  const { translated, equal, not_supported, unknown } = classCounts(outcomes);
  const counts = [`${translated} translated`, `${equal} equal`, `${not_supported} not supported`];
  stdout.line();
  stdout.line(
    `${stdout.style("written", "green")}  ${shownPath(join(folder, file))}: ${
      [...counts, ...(unknown ? [`${unknown} unknown`] : [])].join(", ")
    }`,
  );
  return 0;
}

/** Lines of a list are easier to follow when they are no longer. */
const MOST_COLUMNS = 140;

/** Writes the files and the lines of a kind into a project; returns their paths. Nothing is written when one exists. */
export async function scaffold(kind: Kind, name: string, project: string): Promise<string[]> {
  const value = camelCase(name);
  const files = kind.files(name, value);
  refuseExisting(files, project);
  const changed = await Promise.all(
    Object.entries(kind.tables).map(async ([file, addLine]) => {
      const path = join(project, file);
      return [path, addLine(await Deno.readTextFile(path), name, value, path)] as const;
    }),
  );
  const written = await write(files, project);
  for (const [path, text] of changed) await Deno.writeTextFile(path, text);
  return [...written, ...changed.map(([path]) => path)];
}

async function write(files: Readonly<Record<string, string>>, folder: string): Promise<string[]> {
  refuseExisting(files, folder);
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text, { createNew: true });
  }
  return Object.keys(files).map((file) => join(folder, file));
}

function refuseExisting(files: Readonly<Record<string, string>>, folder: string): void {
  const taken = Object.keys(files).map((file) => join(folder, file)).find(isThere);
  if (taken !== undefined) throw new UsageError(`Cannot write "${shownPath(taken)}": it exists`);
}

/** The schemas and pages that are made from the code, with the new thing in them. */
async function renewGenerated(project: string): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "docs"],
    cwd: project,
    stdout: "null",
    stderr: "null",
  }).output();
  stdout.line(
    success
      ? "and what is generated from the code"
      : 'not what is generated from the code: task "docs" failed, run it again',
  );
}
