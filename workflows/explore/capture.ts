/**
 * Runs the program of a notebook, and writes after each cell what the cells showed, so that a process that dies leaves it.
 *
 *     deno run capture.ts PROGRAM OUTPUTS
 * @module
 */
import { pathToFileURL } from "node:url";
import { messageOf } from "../../data/error_text.ts";
import { Capture, install } from "./capture_cells.ts";
import type { CellOutput } from "./notebook_cells.ts";

/** What a cell threw. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  /** The line of the program, from 0, that threw or called what did; null where no line of it was at work. */
  readonly line: number | null;
}

/** What stands in OUTPUTS. */
export interface Captured {
  readonly outputs: readonly (readonly CellOutput[])[];
  readonly thrown: Thrown | null;
  /** Whether the program came to its end; if not, the last cell ended the process. */
  readonly isOver: boolean;
}

if (import.meta.main) await run(Deno.args[0]!, Deno.args[1]!);

async function run(program: string, path: string): Promise<never> {
  const { href } = pathToFileURL(program);
  const write = (more: Pick<Captured, "thrown" | "isOver">) =>
    Deno.writeTextFileSync(path, JSON.stringify({ outputs: capture.outputs, ...more }));
  const capture: Capture = new Capture(() => write({ thrown: null, isOver: false }));
  // What Deno.exit() in a cell leaves.
  const onUnload = () => write({ thrown: null, isOver: false });
  const end = (thrown: Thrown | null): never => {
    globalThis.removeEventListener("unload", onUnload);
    write({ thrown, isOver: true });
    Deno.exit(0); // a cell may have left a listener behind
  };
  const fail = (error: unknown) => end(thrownOf(error, href));
  install(capture);
  globalThis.addEventListener("unhandledrejection", ({ reason }) => fail(reason));
  globalThis.addEventListener("error", ({ error }) => fail(error));
  globalThis.addEventListener("unload", onUnload);
  try {
    await import(href);
  } catch (error) {
    return fail(error);
  }
  return end(null);
}

function thrownOf(error: unknown, program: string): Thrown {
  const name = error instanceof Error ? error.name : "Error";
  // V8 writes the address as it is, Deno with its spaces.
  const place = new RegExp(`(?:${[program, decodeURI(program)].map(RegExp.escape).join("|")}):(\\d+):\\d+`, "g");
  const line = place.exec(error instanceof Error ? `${error.stack}` : "")?.[1];
  // A module that is not there is told of with the place that asked for it, which the caller says in its own words.
  const message = messageOf(error).replaceAll(new RegExp(`\\s+at ${place.source}`, "g"), "");
  return { name, message, line: line === undefined ? null : Number(line) - 1 };
}
