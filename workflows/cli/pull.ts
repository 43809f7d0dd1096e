/** `pull`: fetches a model or a data set of the Hub into huggingface_hub's cache; the one command that uses the network. @module */
import { byteText } from "../../data/byte_text.ts";
import { join } from "node:path";
import { isFile } from "../../data/file_system.ts";
import { readModelConfig } from "../../data/hub/config.ts";
import { readFolderObject } from "../../data/hub/model_folder.ts";
import { hubEnvironment } from "../../data/hub/remote/environment.ts";
import { pull as fetchRepository, type Pulled } from "../../data/hub/remote/pull.ts";
import {
  addressOf,
  DEFAULT_REVISION,
  isName,
  parseRepository,
  type Repository,
  revisionProblem,
} from "../../data/hub/remote/repository.ts";
import { strangersText } from "../../data/hub/remote/strangers_text.ts";
import { modelConfig } from "../../gpu/models/config.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { EXIT } from "./failures.ts";
import { shownPath } from "../terminal/paths.ts";
import { PullLine } from "./pull_line.ts";
import { commandLine } from "../terminal/command_line.ts";
import { printable, shortened, stderr, stdout } from "../terminal/terminal.ts";

const SIGNALS: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
const MOST_SHOWN = 120; // Columns of a stranger's name.
const BY_SIGNAL: Partial<Record<Deno.Signal, number>> = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated };

export const pull = defineCommand({
  about: "A model or data set from the Hub into huggingface_hub's cache (the only command with network)",
  usage: "ORG/NAME [options]   |   pull datasets/ORG/NAME [options]",
  words: [1, 1],
  options: {
    revision: { about: "a branch, tag or commit (default: main)", value: "R" },
    "repo-type": {
      about: "as hf download has it; --repo-type dataset ORG/NAME is datasets/ORG/NAME",
      value: "T",
      choices: ["model", "dataset"],
    },
    include: {
      about: "only files like this, * for a part of a name, ** for folders too",
      value: "GLOB",
      multiple: true,
    },
    any: { about: "fetch a model that load_model would refuse, too" },
    json: { about: "one JSON object with the folder" },
  },
  notes: [
    "Environment, as huggingface_hub has it: HF_HOME, HF_HUB_CACHE, XDG_CACHE_HOME, HF_ENDPOINT, HF_TOKEN, HF_TOKEN_PATH, " +
    "HF_HUB_DISABLE_IMPLICIT_TOKEN, " +
    "HF_HUB_OFFLINE. A gated or private repository wants HF_TOKEN. What breaks off goes on when the command is run again.",
    "Exit codes: 0 ok · 1 not fetched · 2 usage · 130 interrupted.",
  ],
  examples: [
    "Qwen/Qwen2.5-0.5B-Instruct",
    "Qwen/Qwen2.5-0.5B-Instruct --revision main",
    'datasets/openai/gsm8k --include "main/*.parquet"',
  ],
  jsonRefusal: (message) => JSON.stringify({ error: message }),
  async run([typed], { revision, "repo-type": type, include, any, json }) {
    const environment = hubEnvironment(), repository = readRepository(typed!, revision, type, environment.endpoint);
    const line = new PullLine(stderr, repository.name);
    const stop = new AbortController();
    let code: number | null = null;
    const listeners = SIGNALS.map((signal) =>
      [signal, () => (code ??= BY_SIGNAL[signal]!, stop.abort(new Error("stopped")))] as const
    );
    for (const [signal, listener] of listeners) Deno.addSignalListener(signal, listener);
    try {
      const found = await fetchRepository(repository, {
        environment,
        signal: stop.signal,
        include: include ?? [],
        onProgress: (progress) => line.show(progress),
        tell: (text) => line.say(text),
        check: any || repository.type === "dataset" ? () => {} : (folder) => requireUsable(repository, folder),
      });
      line.close();
      if (json) stdout.json(JSON.stringify({ ...repository, path: undefined, ...found }));
      else tellResult(repository, found, environment.offline ? null : environment.token());
      return EXIT.ok;
    } catch (error) {
      line.close();
      if (code === null) throw error;
      stderr.line(`Stopped; what came stays: run the same command again and it goes on from there`);
      return code;
    } finally {
      for (const [signal, listener] of listeners) Deno.removeSignalListener(signal, listener);
    }
  },
});

function readRepository(
  typed: string,
  revision: string | undefined,
  type: string | undefined,
  endpoint: string,
): Repository {
  const { path, ...named } = parseRepository(typed, endpoint);
  if (path !== null) {
    throw new UsageError(
      `Cannot pull "${typed}": it names the file "${path}", want a repository; add --include "${path}"`,
    );
  }
  if (revision !== undefined && named.revision !== DEFAULT_REVISION) {
    throw new UsageError(`Cannot pull "${typed}": it names a revision, and so does --revision; leave one out`);
  }
  const problem = revision === undefined ? null : revisionProblem(revision);
  if (problem !== null) throw new UsageError(`Cannot pull "${typed}": ${problem}`);
  if (type === "model" && named.type === "dataset") {
    throw new UsageError(
      `Cannot pull "${typed}": it is written as a data set, and --repo-type says model; leave one out`,
    );
  }
  return { ...named, revision: revision ?? named.revision, type: type === "dataset" ? type : named.type };
}

/** A model that load_model refuses is not worth its weights. */
function requireUsable({ name }: Repository, folder: string): void {
  if (isFile(join(folder, "adapter_config.json"))) return;
  try {
    modelConfig(readModelConfig(folder));
  } catch (error) {
    throw new UsageError(
      `Cannot pull ${name}: load_model would refuse it (${
        printable((error as Error).message)
      }); its weights were not fetched; give --any ` +
        "to fetch them",
    );
  }
}

function tellResult(
  repository: Repository,
  { folder, files, bytes: size, bytesFetched }: Pulled,
  token: string | null,
): void {
  const came = bytesFetched === 0 ? "all of it was there" : `${byteText(bytesFetched)} fetched`;
  stdout.line(
    files === 0
      ? "HF_HUB_OFFLINE is set: as it lies in the cache"
      : `${files} files, ${byteText(size)}: ${came}; hashes are right`,
  );
  stdout.line(shownPath(folder));
  if (repository.type === "dataset") return;
  const adapter = readFolderObject(folder, "adapter_config.json"), base = adapter?.["base_model_name_or_path"];
  if (adapter === null) stdout.line(`In a workflow: model: ${addressOf(repository)}`);
  else if (typeof base === "string") tellBase(repository, base, token);
}

/** What the adapter's own settings name: a stranger's text. */
function tellBase(repository: Repository, base: string, token: string | null): void {
  const shown = strangersText(base, token);
  if (shown !== base || !isName(base)) {
    stdout.line(`An adapter of ${JSON.stringify(shortened(shown, MOST_SHOWN))}, which is no name on the Hub`);
    return;
  }
  stdout.line(`An adapter of ${base}, which is fetched by: ${commandLine(["pull", base])}`);
  stdout.line(`In a workflow: model: hf:${base}, adapter: ${addressOf(repository)}`);
}
