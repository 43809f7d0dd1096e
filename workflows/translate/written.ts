/** An option as another system's file writes it: name, value, line. @module */

/** What cannot be known without running the other program, as it stands in the file. */
export interface Unresolved {
  readonly unresolved: string;
}

export type Value =
  | string
  | number
  | boolean
  | null
  | Unresolved
  | readonly Value[]
  | { readonly [key: string]: Value };

export interface Written {
  readonly name: string;
  readonly value: Value;
  /** Line in the file, from 1; 0 where the file was not the one that was named. */
  readonly line: number;
}

/** Systems whose files become workflows. */
export type ForeignSystem =
  | "trl"
  | "verl"
  | "openrlhf"
  | "ms-swift"
  | "llamafactory"
  | "visual-rft"
  | "vlm-r1"
  | "r1-v-family";

/** A file of another system, read. */
export interface Foreign {
  readonly system: ForeignSystem;
  /** What is trained: grpo, rloo, ppo, kto, dpo, sft, reward. */
  readonly trainer: string;
  /** What kind of file it is, as a person calls it. */
  readonly form: string;
  readonly options: readonly Written[];
  /** What of the file could not be followed, one sentence each. */
  readonly notes: readonly string[];
  /** Functions that a script defines, with the parameters that they must be given. */
  readonly functions?: Readonly<Record<string, readonly string[]>>;
}

export function isUnresolved(value: unknown): value is Unresolved {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "unresolved");
}

/** What only the program knows: an expression, or what a call gives. */
export function isUntold(value: unknown): boolean {
  return isUnresolved(value) || typeof value === "object" && value !== null && Object.hasOwn(value, "()");
}

export function isRecord(value: Value | undefined): value is { readonly [key: string]: Value } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isUnresolved(value);
}

/** The entry of a table under a name that a file chose: `constructor` is none. */
export function ownEntry<Kind>(table: Readonly<Record<string, Kind>>, name: string): Kind | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

const MOST = 60; // Letters of a value in a list of options.

/** A value as a person reads it, short. */
export function shownValue(value: unknown): string {
  const text = valueText(value);
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
}

/** A value as a person reads it, on one line. */
export function valueText(value: unknown): string {
  return isUnresolved(value)
    ? value.unresolved.replaceAll(/\s+/g, " ")
    : typeof value === "string"
    ? value.replaceAll(/\s+/g, " ")
    : Array.isArray(value)
    ? `[${value.map(shownValue).join(", ")}]`
    : typeof value === "object" && value !== null && Object.hasOwn(value, "()")
    ? `${(value as { "()": string })["()"]}(…)`
    : typeof value === "object" && value !== null
    ? `{${Object.entries(value).map(([key, inner]) => `${key}: ${shownValue(inner)}`).join(", ")}}`
    : numberText(value);
}

function numberText(value: unknown): string {
  return typeof value === "number" && value !== 0 && Math.abs(value) < 1e-3
    ? value.toExponential().replace("e-", "e-")
    : String(value);
}

/** Text, number, boolean and nothing as a command line or YAML writes them; PyYAML's `1e-6`, a text, is the number meant. */
export function meant(value: Value): Value {
  if (typeof value !== "string") return Array.isArray(value) ? value.map(meant) : value;
  const text = value.trim();
  if (/^[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text)) return Number(text.replaceAll("_", ""));
  if (/^[-+]?(?:inf|infinity)$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === "true";
  if (/^(?:none|null)$/i.test(text)) return null;
  return value;
}
