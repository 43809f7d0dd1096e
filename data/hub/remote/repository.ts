/** The address of a repository on the Hub: `hf:ORG/NAME@REVISION`, as a person writes it. @module */

import { printable } from "../../printable.ts";

type RepositoryType = "model" | "dataset";

export interface Repository {
  readonly type: RepositoryType;
  /** `ORG/NAME`, or `NAME` of an old one. */
  readonly name: string;
  /** A branch, a tag or a commit. */
  readonly revision: string;
}

/** An address that names a file in the repository too. */
export interface RepositoryFile extends Repository {
  /** Path in the repository, with "/"; null where the address is the repository's. */
  readonly path: string | null;
}

export const DEFAULT_REVISION = "main";

/** What begins an address in a workflow file. */
const SCHEME = "hf:";

/** As the Hub has them: letters, digits, "-", "_", ".", at most 96 of them, none of the marks at an end. */
const NAME = /^(?=.{1,96}$)(?:[A-Za-z0-9_](?:[\w.-]*[A-Za-z0-9_])?\/)?[A-Za-z0-9_](?:[\w.-]*[A-Za-z0-9_])?$/;
const PREFIXES: readonly (readonly [RegExp, RepositoryType])[] = [
  [/^datasets\//, "dataset"],
  [/^models\//, "model"],
];
const COMMIT = /^[0-9a-f]{40}$/;

/** Whether a text is an address of the Hub: it begins with `hf:`. */
export const isAddress = (text: string) => text.startsWith(SCHEME);

/** Whether a revision is a whole commit, which never changes. */
export const isCommit = (revision: string) => COMMIT.test(revision);

/** `hf:ORG/NAME@REVISION`, as it is written in a workflow file; a data set has `datasets/` before its name. */
export function addressOf({ type, name, revision }: Repository): string {
  return `${SCHEME}${pathOf({ type, name })}${
    revision === DEFAULT_REVISION ? "" : `@${revision.replaceAll("/", "%2F")}`
  }`;
}

/** `ORG/NAME` of a model, `datasets/ORG/NAME`: as a command line, an address and the Hub's pages have it. */
export function pathOf({ type, name }: Pick<Repository, "type" | "name">): string {
  return type === "dataset" ? `datasets/${name}` : name;
}

/**
 * Reads `ORG/NAME`, `hf:ORG/NAME@REVISION`, `datasets/ORG/NAME`, or the page of one on `endpoint`; with
 * a file `hf:datasets/ORG/NAME@REVISION/data/train.parquet` ("/" of a revision as %2F). Throws a RangeError for another form.
 */
export function parseRepository(text: string, endpoint = "https://huggingface.co"): RepositoryFile {
  let rest = text.trim();
  for (const start of [`${endpoint}/`, "https://huggingface.co/", "hf://", SCHEME]) {
    if (rest.startsWith(start)) {
      rest = rest.slice(start.length);
      break;
    }
  }
  let type: RepositoryType = "model";
  for (const [prefix, of] of PREFIXES) {
    if (!prefix.test(rest)) continue;
    rest = rest.replace(prefix, "");
    type = of;
    break;
  }
  rest = rest.replace(/\/(?:tree|blob|resolve)\/([^/]+)/, "@$1").replace(/\/$/, "");
  const [, name = "", revision, path] = /^([^@/]+(?:\/[^@/]+)?)(?:@([^/]+))?(?:\/(.+))?$/.exec(rest) ?? [];
  const problem = nameProblem(name) ?? (revision === undefined ? null : revisionProblem(decoded(revision)));
  if (problem !== null) {
    throw new RangeError(
      `Cannot read "${printable(text)}" as a repository of the Hub: ${problem}; write ${SCHEME}ORG/NAME@REVISION`,
    );
  }
  return { type, name, revision: revision === undefined ? DEFAULT_REVISION : decoded(revision), path: path ?? null };
}

const decoded = (revision: string) => revision.replaceAll(/%2f/gi, "/");

/** Whether a text is the name of a repository and nothing else. */
export const isName = (text: string) => nameProblem(text) === null;

function nameProblem(name: string): string | null {
  const kind = /^(data\s?sets?|models?):(.*)$/.exec(name);
  if (kind !== null) {
    return `"${kind[1]}:" is not read, want ${
      pathOf({ type: kind[1]!.startsWith("d") ? "dataset" : "model", name: kind[2]! })
    }`;
  }
  if (NAME.test(name) && !/--|\.\.|\.git$/.test(name)) return null;
  return `its name is "${name}", want ORG/NAME of letters, digits, "-", "_" and "."`;
}

/** Why a text is no revision, or null. It becomes a path under `refs/`. */
export function revisionProblem(revision: string): string | null {
  if (/^[\w.+-]+(?:\/[\w.+-]+)*$/.test(revision) && revision.length <= 200 && !revision.split("/").some(isDots)) {
    return null;
  }
  return `its revision is ${JSON.stringify(revision)}, want a branch, a tag or a commit`;
}

const isDots = (segment: string) => /^\.+$/.test(segment);
