/** Reads the command's name, runs it, turns what it throws into one line and an exit code. @module */
import { PROJECT } from "../terminal/caller.ts";
import { commandLine } from "../terminal/command_line.ts";
import { didYouMean } from "../../data/did_you_mean.ts";
import { bugText } from "./bug_text.ts";
import { type Command } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { exitCodeOf, withoutStack } from "./failures.ts";
import { helpText } from "./help_text.ts";
import { type CommandName, COMMANDS } from "./mod.ts";
import { readArguments } from "./read_arguments.ts";
import { stderr, stdout } from "../terminal/terminal.ts";

/** Runs one command line; returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args[0] === "help" && args.length > 1 ? [args[1]!, "--help"] : args;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    stdout.line(await overview());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-V") return version();
  let command: Command | undefined;
  try {
    if (!Object.hasOwn(COMMANDS, name)) {
      const known = [...(name.startsWith("-") ? ["--help", "--version"] : []), ...Object.keys(COMMANDS)];
      throw new UsageError(`Cannot run "${name}": it is no command${didYouMean(name, known)}`);
    }
    command = await COMMANDS[name as CommandName]();
    const { words, values } = readArguments(command, rest);
    if (values["version"]) return version();
    if (values["help"]) {
      stdout.line(helpText(command, stdout.columns));
      return 0;
    }
    return await command.run(words, values);
  } catch (error) {
    const code = exitCodeOf(error);
    if (command?.jsonRefusal && rest.includes("--json")) stdout.json(command.jsonRefusal(withoutStack(error, args)));
    stderr.line(code === undefined ? bugText(error) : stderr.style(withoutStack(error, args), "red"));
    return code ?? 1;
  }
}

function version(): number {
  const { version } = JSON.parse(Deno.readTextFileSync(`${PROJECT}/deno.json`)) as { version: string };
  stdout.line(`nonzero ${version} (deno ${Deno.version.deno})`);
  return 0;
}

async function overview(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return [
    "Nonzero: reinforcement fine-tuning as workflows, and a doctor that says why a run does not learn.",
    "",
    `Usage: ${commandLine([])} COMMAND [arguments]`,
    `       ${commandLine([])} COMMAND --help`,
    `       ${commandLine(["env"])} --version`,
    "",
    ...commands.map(({ name, about }) => `  ${name.padEnd(width)}${about}`),
  ].join("\n");
}

if (import.meta.main) Deno.exit(await main(Deno.args));
