/** `watch`: live pages of runs on this machine: all of them, one, or another system's log. @module */
import { existsSync } from "node:fs";
import { findRun } from "../explore/find_run.ts";
import { pathArgument, runsFolder, shownPath } from "../terminal/paths.ts";
import { stderr, stdout } from "../terminal/terminal.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { defineCommand } from "./command.ts";
import { readPort } from "./read_port.ts";

const USUAL_PORT = 8765;
const LOG = /\.(log|txt|out|err|jsonl?)$/;

export const watch = defineCommand({
  about: "Live pages on this machine: all runs, one run with a stop button, or another system's log",
  usage: "[RUN|PATH] [--port N] [--runs DIR]",
  words: [0, 1],
  options: {
    port: { about: `where it listens, on 127.0.0.1 alone (default: ${USUAL_PORT}, or one that is free)`, value: "N" },
    runs: { about: "folder of the runs (default: runs/ in the project)", value: "DIR" },
  },
  notes: [
    'RUN is an id, its unique beginning, a folder, or "last"; PATH a log, file or folder of another system, or one to come.',
    "The address has a token: who does not know it sees nothing. That of one run may stop it at its next safe point.",
  ],
  async run([typed], { port, runs }) {
    const folder = runsFolder(runs), path = typed === undefined ? undefined : pathOf(typed, folder);
    const { serveLive } = await import("../live/server.ts");
    const options = { runs: folder, ...path === undefined ? {} : { path } };
    const server = listen(serveLive, options, port);
    stdout.line(server.address);
    stderr.line(
      `Following ${path === undefined ? `the runs in ${shownPath(folder)}` : shownPath(path)}; Ctrl-C ends it`,
    );
    await interrupted();
    await server.close();
    return 0;
  },
});

function pathOf(typed: string, runs: string): string {
  const path = pathArgument(typed);
  // A run has no such name: a log may still come.
  return existsSync(path) || LOG.test(typed) ? path : findRun(typed, runs);
}

type Serve = typeof import("../live/server.ts").serveLive;

function listen(serve: Serve, options: { readonly runs: string; readonly path?: string }, port: string | undefined) {
  const wanted = port === undefined ? USUAL_PORT : readPort(port, ", which takes a free one,");
  try {
    return serve({ ...options, port: wanted });
  } catch (error) {
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    if (port === undefined) {
      stderr.line(`Port ${USUAL_PORT} is taken: takes one that is free`);
      return serve({ ...options, port: 0 });
    }
    throw new UsageError(`Cannot listen at port ${port}: another program does; want another --port, or none`);
  }
}

/** Waits for Ctrl-C. */
function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
    const end = () => {
      for (const signal of signals) Deno.removeSignalListener(signal, end);
      resolve();
    };
    for (const signal of signals) Deno.addSignalListener(signal, end);
  });
}
