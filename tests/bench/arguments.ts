/** The arguments of a benchmark: its options with their defaults; whatever else is typed is refused. @module */
import { basename } from "node:path";
import { benchmarkHelp } from "../../workflows/cli/bench.ts";
import { type Option } from "../../workflows/cli/command.ts";
import { UsageError } from "../../workflows/terminal/usage_error.ts";
import { readArguments } from "../../workflows/cli/read_arguments.ts";

/** A text, a switch, or what may be given several times. */
type Default = string | boolean | readonly string[];
type Given<Defaults extends Readonly<Record<string, Default>>> = {
  readonly [Name in keyof Defaults]: Defaults[Name] extends boolean ? boolean
    : Defaults[Name] extends string ? string
    : readonly string[];
};

/** Reads the options of a benchmark, and the words beside them where it takes any. Throws UsageError for others. */
export function benchArguments<const Defaults extends Readonly<Record<string, Default>>>(
  args: readonly string[],
  defaults: Defaults,
  words: readonly [least: number, most: number] = [0, 0],
): Given<Defaults> & { readonly words: readonly string[] } {
  const name = basename(Deno.mainModule, ".ts");
  const options = Object.fromEntries(
    Object.entries(defaults).map(([option, otherwise]): [string, Option] => [option, {
      about: "",
      ...(typeof otherwise === "boolean"
        ? {}
        : { value: option.toUpperCase(), multiple: typeof otherwise === "object" }),
    }]),
  );
  const command = { name: `bench ${name}`, about: "", usage: "", words, options, run: () => Promise.resolve(0) };
  const read = readArguments(command, args.filter((arg) => arg !== "--"));
  if (read.values["help"] || read.values["version"]) {
    console.log(benchmarkHelp(name));
    Deno.exit(0);
  }
  return { ...defaults, ...read.values, words: read.words } as ReturnType<typeof benchArguments<Defaults>>;
}

/** The names in a list with commas. Throws UsageError for one that is not known. */
export function among(option: string, list: string, known: readonly string[]): string[] {
  const names = list.split(",").filter((name) => name !== "");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new UsageError(`Cannot read ${option}: it has "${unknown}", want ${known.join(" | ")}`);
}

/** The numbers in a list with commas. Throws UsageError for anything else. */
export function numbers(option: string, list: string): number[] {
  return list.split(",").map((text) => {
    const number = text.trim() === "" ? NaN : Number(text);
    if (Number.isFinite(number)) return number;
    throw new UsageError(`Cannot read ${option}: it is "${list}", want numbers with commas between them`);
  });
}

/** What was typed, or its mistake in one line and exit 2. */
export function typed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}
