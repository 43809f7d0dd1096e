/** What a user's code threw, in one line: the error, and where in the user's own file. @module */

const MAX_TEXT = 600; // Longest text that is taken over from a user's error.
const MAX_STACK = 20_000; // Characters of a stack that are searched for a place.
/** Our own frames, which say nothing to the author of a reward. */
const OWN_FOLDER = new URL("./", import.meta.url).href;
const NEEDS = /^Requires (\w+) access(?: to "?(.*?)"?)?, run again with the --allow-\w+ flag/;
/** What Deno says of an import that is no file, with what was imported where it says it. */
const OUTSIDE = [
  /^npm specifiers were requested/,
  /^JSR package manifest for '(.*?)' failed to load/,
  /^A remote specifier was requested: "(.*?)"/,
  /^Import "(.*?)" not a dependency/,
];

/**
 * "TypeError: x is undefined (my_reward.ts:12:7)". What Deno says of permissions is put in words of a workflow: its flags
 * cannot be given here.
 */
export function thrown(error: unknown): string {
  let name = "", message: string, stack = "";
  try {
    if (error instanceof Error) [name, message, stack] = [`${error.name}: `, `${error.message}`, `${error.stack}`];
    else message = typeof error === "string" ? JSON.stringify(error) : String(error);
  } catch {
    return `a ${typeof error}`;
  }
  const needs = NEEDS.exec(message);
  // A mistake of syntax comes with several lines: the mistake, the source, the place.
  const [first] = message.split("\n");
  const flags = / requires .*--allow-/.exec(first!);
  const outside = OUTSIDE.map((pattern) => pattern.exec(first!)).find((match) => match !== null);
  const text = needs
    ? refused(needs[1]!, needs[2] ?? "")
    : flags
    ? `NotCapable: a reward may only compute: ${first!.slice(0, flags.index)}`
    : outside
    ? importRefused(outside[1])
    : /^\w*Error: /.test(first!)
    ? first!
    : name + first!;
  const place = placeIn(message) ?? placeIn(stack);
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return place === null || short.includes(place) ? short : `${short} (${place})`;
}

function importRefused(what: string | undefined): string {
  return `TypeError: a reward imports no packages or addresses${
    what === undefined ? "" : `, here "${what}"`
  }; put what ` +
    "it needs into its file, or set trusted: true in its entry: it then runs inside this program, and imports files and " +
    '"npm:NAME"';
}

function refused(kind: string, what: string): string {
  if (kind === "net") {
    return `NotCapable: a reward may not reach "${what}"; name the host in its entry, permissions: { net: ["${what}"] }`;
  }
  const of = what === "" ? "" : ` to "${what}"`;
  return `NotCapable: a reward has no ${kind} access${of}; it gets what it needs in its batch and options, and imports ` +
    "no other file";
}

/** file:line:column of the first frame in the user's file; null where there is none. */
function placeIn(stack: string): string | null {
  const frames = Math.max(0, stack.search(/\n\s+at /));
  for (const line of stack.slice(frames, frames + MAX_STACK).split("\n")) {
    const found = /(file:\/\/[^\s()]+:\d+:\d+)\)?$/.exec(line);
    if (found && !found[1]!.startsWith(OWN_FOLDER)) return found[1]!.slice(found[1]!.lastIndexOf("/") + 1);
  }
  return null;
}
