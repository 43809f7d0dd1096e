/** The cache of huggingface_hub on disk: where a repository's files lie, and which of them are there. @module */
import { join } from "node:path";
import { isFile, isFolder, textIfThere } from "../../file_system.ts";
import { shardNames, weightMap, weightsName } from "../model_files.ts";
import type { HubEnvironment } from "./environment.ts";
import { isCommit, type Repository } from "./repository.ts";

/** `models--ORG--NAME` in the cache: blobs/, refs/, snapshots/. */
export function repositoryFolder({ cache }: Pick<HubEnvironment, "cache">, { type, name }: Repository): string {
  return join(cache, [`${type}s`, ...name.split("/")].join("--"));
}

/** The folder of locks, as huggingface_hub has it: two programs that fetch one file wait for each other. */
export function lockFolder({ cache }: Pick<HubEnvironment, "cache">, { type, name }: Repository): string {
  return join(cache, ".locks", [`${type}s`, ...name.split("/")].join("--"));
}

/** The commit that a revision was at when it was fetched; null where it never was. */
export function cachedCommit(environment: Pick<HubEnvironment, "cache">, repository: Repository): string | null {
  if (isCommit(repository.revision)) return repository.revision;
  const path = join(repositoryFolder(environment, repository), "refs", ...repository.revision.split("/"));
  const commit = isFile(path) ? textIfThere(path)?.trim() ?? "" : "";
  return isCommit(commit) ? commit : null;
}

/** The folder with the files of a revision as they lie in the cache; null where none is there. */
export function cachedSnapshot(environment: Pick<HubEnvironment, "cache">, repository: Repository): string | null {
  const commit = cachedCommit(environment, repository);
  if (commit === null) return null;
  const folder = join(repositoryFolder(environment, repository), "snapshots", commit);
  return isFolder(folder) ? folder : null;
}

/** A file that lies there from the first file fetched of a commit to the last: a folder that was cut off is not taken for whole. */
export function unfinishedMark(
  environment: Pick<HubEnvironment, "cache">,
  repository: Repository,
  commit: string,
): string {
  return join(repositoryFolder(environment, repository), ".unfinished", commit);
}

/** Whether a fetch of the revision broke off, and was not run again. */
export function isUnfinished(environment: Pick<HubEnvironment, "cache">, repository: Repository): boolean {
  const commit = cachedCommit(environment, repository);
  return commit !== null && isFile(unfinishedMark(environment, repository, commit));
}

/** Name and commit of the model whose snapshot in a cache a folder is; null for another folder. */
export function hubSource(folder: string | null): { readonly name: string; readonly commit: string } | null {
  const [, name, commit] = /[\\/]models--([^\\/]+)[\\/]snapshots[\\/]([^\\/]+)$/.exec(folder ?? "") ?? [];
  return name === undefined || !isCommit(commit!) ? null : { name: name.replace("--", "/"), commit: commit! };
}

/** Names of files that a cached model or adapter lacks, as far as those that are there tell: a fetch that was cut off. */
export function missingFiles(folder: string): string[] {
  const there = (name: string) => isFile(join(folder, name));
  if (there("adapter_config.json")) {
    return [weightsName("adapter_model")].filter((name) => !there(name));
  }
  if (!there("config.json")) return ["config.json"];
  if (there(weightsName("model"))) return [];
  const map = weightMap(folder, "model");
  return map === null ? [weightsName("model")] : shardNames(map).filter((name) => !there(name));
}
