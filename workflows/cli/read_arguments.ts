/** Reads the arguments of a command, or says in one line what is wrong with them. @module */
import { parseArgs } from "node:util";
import { didYouMean, nearest } from "../../data/did_you_mean.ts";
import { type Command, EVERYWHERE, type Option, type Values } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** What a command line holds. */
interface Read {
  readonly words: string[];
  readonly values: Values<Record<string, Option>>;
}

/**
 * Reads the arguments of a command. Throws a UsageError naming the option, with a suggestion, for an unknown one, a
 * missing or unwanted value, a value outside its choices, one given twice, or the wrong number of words.
 */
export function readArguments(command: Command, args: readonly string[]): Read {
  if (command.passesOn) return passedOn(command, args);
  const known: Record<string, Option> = { ...command.options, ...EVERYWHERE };
  const options = Object.fromEntries(
    Object.entries(known).map(([name, o]) => [name, {
      type: o.value ? "string" as const : "boolean" as const,
      ...(o.short ? { short: o.short } : {}),
      ...(o.multiple ? { multiple: true } : {}),
    }]),
  );
  let parsed;
  try {
    const joined = withNegatives(args, known);
    parsed = parseArgs({ args: joined, options, allowPositionals: true, strict: true, tokens: true });
  } catch (error) {
    throw new UsageError(explain(command, error as Error), { cause: error });
  }
  const { positionals: words, tokens } = parsed;
  const values = parsed.values as Values<Record<string, Option>>;
  if (values["help"] || values["version"]) return { words, values };
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { value, choices, multiple } = known[token.name]!;
    if (given.has(token.name) && !multiple) {
      throw new UsageError(`Cannot run "${command.name}": --${token.name} is given twice`);
    }
    given.add(token.name);
    if (value && !token.value) throw new UsageError(missing(command, token.name));
    if (choices) requireChoice(token.name, token.value!, choices);
  }
  countWords(command, words);
  return { words, values };
}

/** `-n -5` as `-n-5`: a negative number, or a prompt that begins like one, is no option. */
function withNegatives(args: readonly string[], known: Readonly<Record<string, Option>>): string[] {
  const takesValue = (arg: string) =>
    Object.entries(known).some(([name, o]) => o.value && (arg === `--${name}` || (o.short && arg === `-${o.short}`)));
  const out: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!, next = args[i + 1];
    if (arg === "--") return [...out, ...args.slice(i)];
    if (next !== undefined && /^-[\d.]/.test(next) && takesValue(arg)) {
      out.push(arg.startsWith("--") ? `${arg}=${next}` : arg + next);
      i++;
    } else out.push(arg);
  }
  return out;
}

function requireChoice(name: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw new UsageError(
    `Cannot read --${name}: it is "${value}", want ${choices.join(" | ")}${nearest(value, choices)}`,
  );
}

/** Words and options for another program, without the `--` that may stand before them. */
function passedOn(command: Command, args: readonly string[]): Read {
  const end = args.indexOf("--"), own = end < 0 ? args : args.slice(0, end);
  // After a name it is the other program's.
  const help = own.findIndex((arg) => arg === "--help" || arg === "-h");
  if (help >= 0 && (help === 0 || !command.helpOfName)) return { words: [], values: { help: true } };
  if (own.includes("--version")) return { words: [], values: { version: true } };
  const words = end < 0 ? [...args] : [...own, ...args.slice(end + 1)];
  countWords(command, words);
  return { words, values: {} };
}

function countWords({ name, usage, words: [least, most] }: Command, words: readonly string[]): void {
  const n = words.length, empty = words.indexOf("");
  if (empty >= 0) throw new UsageError(`Cannot run "${name}": word ${empty + 1} is empty`);
  if (n >= least && n <= most) return;
  if (n < least) {
    const names = usage.split(" ").slice(n, least).map((word) => `no ${word.toLowerCase().replace(/\.+$/, "")}`);
    throw new UsageError(`Cannot run "${name}": ${names.join(" and ")} given; usage: ${name} ${usage}`);
  }
  const want = least === most ? least || "none" : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
  throw new UsageError(
    `Cannot run "${name}": it got ${n} word${n === 1 ? "" : "s"}, want ${want}; usage: ${name} ${usage}`.trimEnd(),
  );
}

/** The parser's message in our words: which option, and what is wrong with it. */
function explain(command: Command, { message }: Error): string {
  const [, dashes = "", unknown = ""] = /Unknown option '(-{1,2})([^']+)'/.exec(message) ?? [];
  const cannot = `Cannot run "${command.name}":`;
  if (unknown) {
    const known: [string, Option][] = [...Object.entries(command.options), ...Object.entries(EVERYWHERE)];
    const what = `${cannot} unknown option "${dashes}${unknown}"`;
    // Between single letters a suggestion is a guess.
    if (dashes === "-") {
      return `${what}; known: ${known.flatMap(([, { short }]) => short ? [`-${short}`] : []).join(", ")}`;
    }
    return what + didYouMean(dashes + unknown, known.map(([name]) => `--${name}`));
  }
  const name = /--([\w-]+)/.exec(message)?.[1] ?? "";
  if (/does not take an argument/.test(message)) return `${cannot} --${name} is a switch and takes no value`;
  return name ? missing(command, name) : `${cannot} ${message.split(". ")[0]}`;
}

function missing({ name, options }: Command, option: string): string {
  return `Cannot run "${name}": --${option} wants a value: --${option} ${options[option]?.value ?? "VALUE"}`;
}
