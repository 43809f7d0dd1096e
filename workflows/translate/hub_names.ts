/** Names that other systems look up on the Hub, as addresses here: `hf:ORG/NAME@REVISION`. @module */
import { addressOf, DEFAULT_REVISION, parseRepository, revisionProblem } from "../../data/hub/remote/repository.ts";
import { placeOf } from "./entries.ts";
import type { Given } from "./table.ts";
import type { Value } from "./written.ts";

/** What begins a path: programs write their results into such folders. */
const LOCAL = /^(?:[.~\/$]|(?:models?|datasets?|data|saves|outputs?|checkpoints?|ckpts?|runs|results)\/)/;

/** The address of a repository; null for a path, a file, and what the Hub has no name for. */
function address(type: "model" | "dataset", name: string, revision: Value): string | null {
  if (LOCAL.test(name)) return null;
  const isNamed = typeof revision === "string" && revisionProblem(revision) === null;
  try {
    const { name: own, path } = parseRepository(name);
    return path === null && own === name
      ? addressOf({ type, name, revision: isNamed ? revision : DEFAULT_REVISION })
      : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Where a model is: a path as it is, a name on the Hub as its address. */
export function modelPlace(name: string, given?: Pick<Given, "isLocal">, revision: Value = null): string {
  const found = given?.isLocal?.(name) ? null : address("model", name, revision);
  return found ?? placeOf(name, "models");
}

/** Where the rows of a data set are: a file as it is, `ORG/NAME` as its address; a name alone as a file to be written. */
export function dataPlace(name: string, given?: Pick<Given, "isLocal">, revision: Value = null): string {
  const isFile = /\.(?:jsonl?|csv|parquet)$/.test(name), isHub = name.includes("/") && !isFile;
  const found = isHub && !given?.isLocal?.(name) ? address("dataset", name, revision) : null;
  return found ??
    (/\.(?:jsonl|csv|parquet)$/.test(name)
      ? placeOf(name, "data")
      : placeOf(name.replace(/\.json$/, ""), "data", ".jsonl"));
}
