/** Values that are no numbers where a number is wanted, and numbers that the option cannot have. @module */
import { isInRange, type Range, rangeOf, rangeText } from "../../../data/option_ranges.ts";
import { findOption, type OptionName, optionNames } from "../../../data/options.ts";
import { usualLearningRate } from "../../../data/usual_learning_rate.ts";
import { isUnresolved, isUntold, shownValue, type Value } from "../../translate/written.ts";
import type { Launch, Told } from "./launch.ts";
import { type Hit, hit, type LaunchRule } from "./rule.ts";

interface Numeric {
  readonly told: Told;
  readonly option: OptionName | null;
  readonly range: Range;
}

/** A table where a number is wanted, as `beta: { a: 1 }`: of its keys the last. */
function tables({ form, options }: Launch): Told[] {
  if (form !== "keys") return [];
  return options.filter(({ name }) => name.includes(".")).map((told) => {
    const inner = told.name.lastIndexOf(".");
    return { ...told, name: told.name.slice(0, inner), value: { [told.name.slice(inner + 1)]: told.value } };
  });
}

/** Words of a command that is broken off: a blank behind a backslash is one. */
const isTorn = (value: Value) =>
  Array.isArray(value) && value.some((one) => typeof one === "string" && one.trim() === "");

/** The options of a launch that are numbers, with what they may be. */
function numeric(launch: Launch): Numeric[] {
  return [...launch.options, ...tables(launch)].flatMap((told) => {
    if (told.value === null || isUntold(told.value) || isTorn(told.value)) return [];
    const found = findOption(told.name, launch.system);
    // Another system's option of that name may mean something else.
    const option = found !== null && optionNames(found, launch.system).includes(told.name) ? found : null;
    const range = rangeOf(option, told.name);
    return range === null ? [] : { told, option, range };
  });
}

/** The word behind an option as it is written; null where a variable or another line has it. */
function rawOf(launch: Launch, { name, line, source }: Told): string | null {
  const text = source === launch.path ? launch.lines[line - 1] ?? "" : "";
  const own = name.replaceAll(/[^\w]/g, "\\$&").replaceAll("_", "[-_]");
  const raw = new RegExp(`(?:^|[\\s"'{,]|--)${own}["']?(?:\\s*[=:]\\s*|\\s+)(\\S+)`).exec(text)?.[1];
  return raw === undefined || /[$`]/.test(raw) ? null : raw;
}

/** argparse's int() takes digits alone: 8.0 and 1e3 are refused. */
const isNoDigits = (launch: Launch, told: Told) =>
  launch.form === "flags" && /^["']?[-+]?\d+(?:\.\d*(?:e[-+]?\d+)?|e[-+]?\d+)["']?$/i.test(rawOf(launch, told) ?? "");

/** A number in quotes is a text to JSON, and to programs that take its values as they are. */
const isQuoted = (launch: Launch, told: Told) =>
  launch.form === "keys" && /\.json$/.test(told.source) && /^["']/.test(rawOf(launch, told) ?? "");

/** Words that a program fills in. */
const FILLED = /^(?:auto|none|null|default|\?\?\?)$|[{}<>]/i;

/** What a text was meant to be: 0,7 and 10% are numbers to their writers. */
function meantNumber(value: Value): number | null {
  if (Array.isArray(value) && value.length === 1) return meantNumber(value[0] as Value);
  if (typeof value === "number") return value;
  const [, digits, percent] = /^([-+]?\d+(?:[.,]\d+)?)(%?)$/.exec(String(value).trim()) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits.replace(",", "."));
  return percent === "%" ? number / 100 : number;
}

/** What is usual for the option, in this training. */
function usualOf(launch: Launch, { option, range }: Numeric): number {
  if (option !== "learning_rate") return range.usual;
  const supervised = launch.trainer === "sft" || launch.trainer === "reward";
  return usualLearningRate({ parameters: null, supervised, adapter: launch.hasAdapter === true });
}

/** What to write: what was meant where the option may have it, else what is usual. */
function better(launch: Launch, one: Numeric, meant: number | null): number {
  return meant !== null && isInRange(meant, one.range) ? meant : usualOf(launch, one);
}

/** What the diagnoses say of such a value, as of a small or large one. */
const SAID: Readonly<Partial<Record<OptionName, RegExp>>> = {
  temperature: /near-greedy/,
  top_p: /near-greedy/,
  top_k: /near-greedy/,
  group_size: /^Groups have |cannot hold whole groups/,
  learning_rate: /learning rate|is no number$/,
  critic_learning_rate: /learning rate|is no number$/,
  device_batch_size: /micro-batch above 1|cannot hold whole groups/,
};

const withSaid = (found: Hit, { option }: Numeric): Hit => {
  const said = option === null ? undefined : SAID[option];
  return said === undefined ? found : { ...found, replaces: said };
};

function isNumber(value: Value, { listed }: Range): boolean {
  return typeof value === "number" && !Number.isNaN(value) ||
    listed === true && Array.isArray(value) && value.every((one) => isUnresolved(one) || typeof one === "number");
}

function noNumber(launch: Launch): Hit[] {
  return numeric(launch).flatMap((one) => {
    const { told, range } = one, { value } = told;
    const quoted = isQuoted(launch, told);
    if (isNumber(value, range) && !quoted || typeof value === "string" && FILLED.test(value.trim())) return [];
    const shown = typeof value === "string" || quoted ? `"${shownValue(value)}"` : shownValue(value);
    const severity = quoted && isNumber(value, range) ? { severity: "warning" as const } : {};
    const found = hit(
      value === true && launch.form === "flags"
        ? `${launch.called(told.name)} has no value, and wants ${rangeText(range)}`
        : `${launch.called(told.name)} ${shown} is no number, want ${rangeText(range)}`,
      [told],
      { name: told.name, value: better(launch, one, meantNumber(value)) },
    );
    return withSaid({ ...found, ...severity }, one);
  });
}

/** CISPO takes the bound of its weight under that name, and DPPO has none. */
const OTHER_CLIPPING = /cispo|dppo|gpg|reinforce/i;

function outOfRange(launch: Launch): Hit[] {
  return numeric(launch).flatMap((one) => {
    const { told, range } = one, { value } = told, called = launch.called(told.name);
    const numbers = (Array.isArray(value) ? value : [value]).filter((part) => typeof part === "number") as number[];
    if (!isNumber(value, range) || isQuoted(launch, told)) return [];
    if (numbers.some((number) => !isInRange(number, range))) {
      const isPercent = range.most === 1 && typeof value === "number" && value > 1 && Number.isInteger(value);
      const meant = isPercent ? value / 100 : null;
      return withSaid(
        hit(`${called} is ${shownValue(value)}, want ${rangeText(range)}: it is refused, or the run is nonsense`, [
          told,
        ], {
          name: told.name,
          value: better(launch, one, meant),
        }),
        one,
      );
    }
    if (range.whole && isNoDigits(launch, told)) {
      return hit(
        `${called} is ${rawOf(launch, told)}, want a whole number in digits alone: argparse refuses it`,
        [told],
        { name: told.name, value: value as number },
      );
    }
    const isUseless = range.useful !== undefined && numbers.some((number) => number > range.useful!);
    if (!isUseless || OTHER_CLIPPING.test(launch.text)) return [];
    return {
      ...hit(`${called} is ${shownValue(value)}: no ratio falls by more than 1, and it bounds nothing`, [told], {
        name: told.name,
        value: usualOf(launch, one),
      }),
      severity: "warning",
    };
  });
}

export const NUMBER_RULES = {
  no_number: {
    systems: [],
    severity: "error",
    also: "warning",
    about: "A value that is no number, for an option that wants one.",
    change: "the value",
    source: "data/option_ranges.ts; Python, argparse, type; transformers, hf_argparser.py, parse_dict",
    check: noNumber,
  },
  number_out_of_range: {
    systems: [],
    severity: "error",
    also: "warning",
    about: "A number that the option cannot have: a negative rate, a probability above 1, a count of 0.",
    change: "the number",
    source: "data/option_ranges.ts; torch, optim/adamw.py; vLLM, sampling_params.py; transformers, training_args.py",
    check: outOfRange,
  },
} as const satisfies Record<string, LaunchRule>;
