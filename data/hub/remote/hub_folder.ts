/** The folder of a repository in the cache, for who may not fetch: what is not there is named with the command that fetches it. @module */
import { join, resolve } from "node:path";
import { isFile, isFolder } from "../../file_system.ts";
import { whereItLeads } from "../../real_path.ts";
import { printable } from "../../printable.ts";
import { readFolderObject } from "../model_folder.ts";
import { cachedSnapshot, isUnfinished, missingFiles } from "./cache.ts";
import { type HubEnvironment, hubEnvironment } from "./environment.ts";
import {
  addressOf,
  DEFAULT_REVISION,
  parseRepository,
  pathOf,
  type Repository,
  type RepositoryFile,
} from "./repository.ts";

/** A repository that was not fetched, or not all of it; `words` is the command that does. */
export class NotCachedError extends RangeError {
  constructor(
    readonly repository: Repository,
    /** What it is, without how to mend it. */
    readonly reason: string,
    readonly words: readonly string[],
  ) {
    super(`Cannot load "${addressOf(repository)}": ${reason}; fetch it by: deno task ${words.join(" ")}`);
  }
}

/** The folder of a model or an adapter of the Hub (`hf:ORG/NAME@REVISION`), as it lies in the cache. Throws a NotCachedError. */
export function hubFolder(
  address: string,
  environment: Pick<HubEnvironment, "cache" | "endpoint"> = hubEnvironment(),
): string {
  const { path, ...repository } = parseRepository(address, environment.endpoint);
  if (path !== null) throw new RangeError(`Cannot load "${address}": it names the file "${path}", want a repository`);
  if (repository.type !== "model") throw new RangeError(`Cannot load "${address}": it is a data set, want a model`);
  const folder = snapshotOf(repository, environment), missing = missingFiles(folder);
  if (missing.length > 0) throw notCached(repository, `${folder} lacks ${missing.slice(0, 3).join(", ")}`);
  return whole(folder, repository, environment);
}

/** A file of a repository (`hf:datasets/ORG/NAME@REVISION/train.parquet`) as it lies in the cache. Throws a NotCachedError. */
export function hubFile(
  address: string,
  environment: Pick<HubEnvironment, "cache" | "endpoint"> = hubEnvironment(),
): string {
  const repository: RepositoryFile = parseRepository(address, environment.endpoint);
  const file = placeIn(repository, address, environment);
  if (isFile(file)) return file;
  throw notCached(repository, `its file ${repository.path} is not in the cache`, repository.path);
}

/** Where a path of a repository would lie in the cache. */
function placeIn(
  repository: RepositoryFile,
  address: string,
  environment: Pick<HubEnvironment, "cache" | "endpoint">,
): string {
  const { path } = repository;
  if (path === null || path.split("/").some((part) => /^\.{0,2}$/.test(part)) || path.includes("\\")) {
    throw new RangeError(
      `Cannot read "${address}": it names no file, want one such as ${addressOf(repository)}/train.parquet`,
    );
  }
  return join(snapshotOf(repository, environment), ...path.split("/"));
}

/** A data set of the Hub (`hf:datasets/ORG/NAME@REVISION`): its folder in the cache, or the file or folder in it that is named. Throws a NotCachedError. */
export function hubData(
  address: string,
  environment: Pick<HubEnvironment, "cache" | "endpoint"> = hubEnvironment(),
): string {
  const { path, ...repository } = parseRepository(address, environment.endpoint);
  if (repository.type !== "dataset") {
    throw new RangeError(`Cannot load "${address}": it is a model, want a data set, hf:datasets/${repository.name}`);
  }
  if (path === null) return whole(snapshotOf(repository, environment), repository, environment);
  const place = placeIn({ ...repository, path }, address, environment);
  return isFolder(place) ? whole(place, repository, environment) : hubFile(address, environment);
}

function whole(folder: string, repository: Repository, environment: Pick<HubEnvironment, "cache">): string {
  if (!isUnfinished(environment, repository)) return folder;
  throw notCached(repository, `its fetch was cut off, and ${folder} has a part of it`);
}

function snapshotOf(repository: Repository, environment: Pick<HubEnvironment, "cache">): string {
  const folder = cachedSnapshot(environment, repository);
  if (folder !== null) return folder;
  throw notCached(repository, `it is not in the cache at ${environment.cache}`);
}

function notCached(repository: Repository, reason: string, include: string | null = null): NotCachedError {
  const { revision } = repository;
  return new NotCachedError(repository, reason, [
    "pull",
    pathOf(repository),
    ...(revision === DEFAULT_REVISION ? [] : ["--revision", revision]),
    ...(include === null ? [] : ["--include", include]),
  ]);
}

/** What an adapter's folder says of the model it belongs to: a folder, or a repository of the Hub; null for no adapter. */
export function adapterBase(folder: string): string | null {
  if (!isFile(join(folder, "adapter_config.json"))) return null;
  const settings = readFolderObject(folder, "adapter_config.json")!;
  const base = settings["base_model_name_or_path"], revision = settings["revision"];
  if (typeof base !== "string" || base === "") {
    throw new RangeError(
      `Cannot load the adapter ${folder}: its adapter_config.json has no base_model_name_or_path; give the model as model and ` +
        "this folder as adapter, merge: true for whole weights",
    );
  }
  const beside = resolve(whereItLeads(folder), base);
  if (isFile(join(beside, "config.json"))) return beside;
  if (!/^[\w.-]+(?:\/[\w.-]+)?$/.test(base) || base.startsWith(".")) {
    throw new RangeError(
      `Cannot load the adapter ${folder}: the model that it is upon was at ${
        printable(base)
      }, and there is no config.json now; give ` +
        "the model as model and this folder as adapter, merge: true for whole weights",
    );
  }
  const suffix = typeof revision === "string" && revision !== "" ? `@${revision.replaceAll("/", "%2F")}` : "";
  return `hf:${base}${suffix}`;
}
