/** Reads the command's name, runs it, turns what it throws into one line and an exit code. @module */
import { didYouMean } from "../suggest.ts";
import { type Command, helpText, readArguments, UsageError } from "./command.ts";
import { exitCodeOf, oneLine } from "./failures.ts";
import { type CommandName, COMMANDS } from "./mod.ts";
import { stderr, stdout } from "./terminal.ts";

/** Runs one command line; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    stdout.line(await overview());
    return name === undefined ? 2 : 0;
  }
  let command: Command | undefined;
  try {
    if (!Object.hasOwn(COMMANDS, name)) {
      throw new UsageError(`Cannot run "${name}": it is no command${didYouMean(name, Object.keys(COMMANDS))}`);
    }
    command = await COMMANDS[name as CommandName]();
    const { words, values } = readArguments(command, rest);
    if (values["help"]) {
      stdout.line(helpText(command));
      return 0;
    }
    return await command.run(words, values);
  } catch (error) {
    const code = exitCodeOf(error);
    if (command?.jsonRefusal && rest.includes("--json")) stdout.line(command.jsonRefusal(oneLine(error)));
    stderr.line(code === undefined ? bug(error) : stderr.style(oneLine(error), "red"));
    return code ?? 1;
  }
}

async function overview(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return [
    "Nonzero: reinforcement fine-tuning as workflows, and a doctor that says why a run does not learn.",
    "",
    "Usage: deno task COMMAND [arguments]     deno task COMMAND --help",
    "",
    ...commands.map(({ name, about }) => `  ${name.padEnd(width)}${about}`),
  ].join("\n");
}

/** A bug of ours: the stack trace is for the report. */
function bug(error: unknown): string {
  return `This is a bug in Nonzero; please report it with the output of "deno task env":\n${
    error instanceof Error ? error.stack : String(error)
  }`;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
