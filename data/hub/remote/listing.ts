/** What a repository holds at a revision: its commit, and each file with its size and hash; nothing of it is believed. @module */
import { printable } from "../../printable.ts";
import { PullError } from "./refusal.ts";
import { isCommit, pathOf, type Repository } from "./repository.ts";
import { type Client, FIRST_TRIES, notTheHub, requestJson } from "./request.ts";

/** One file of a repository. */
export interface RemoteFile {
  /** With "/"; checked: it stays in the folder that it is put into. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly hash: FileHash;
}

/** sha256: of a large file's bytes (LFS). git: sha1 of a small one, as git has it. The name of its blob in the cache. */
interface FileHash {
  readonly kind: "sha256" | "git";
  readonly hex: string;
}

const MAX_ENTRIES = 200_000; // Files and folders.
const MAX_PAGES = 2000;
const MAX_FILE_BYTES = 2 ** 46; // 64 TiB
const MAX_PATH = 1000;
const MAX_NAME_BYTES = 255; // What file systems take.

const plural = ({ type }: Repository) => `${type}s`;

/** Each segment by itself: a "/" in a revision is part of it. */
const encoded = (path: string) => path.split("/").map(encodeURIComponent).join("/");

/** Where a file of a commit is fetched. */
export function fileUrl({ environment, repository }: Client, commit: string, path: string): string {
  return `${environment.endpoint}/${pathOf(repository)}/resolve/${commit}/${encoded(path)}`;
}

/** The commit that a revision is at now. */
export async function resolvedCommit(client: Client): Promise<string> {
  const { environment: { endpoint }, repository } = client;
  const url = `${endpoint}/api/${plural(repository)}/${repository.name}/revision/${
    encodeURIComponent(repository.revision)
  }`;
  const { value } = await requestJson(client, url, FIRST_TRIES),
    commit = (value as { readonly sha?: unknown } | null)?.sha;
  if (typeof commit === "string" && isCommit(commit)) {
    if (!isCommit(repository.revision) || commit === repository.revision) return commit;
    throw notTheHub(client, url, `commit ${commit} in place of ${repository.revision}`);
  }
  throw notTheHub(client, url, "no commit of the revision");
}

/** Every file of a commit, on as many pages as there are. Throws a PullError for a path that would leave its folder. */
export async function listFiles(client: Client, commit: string): Promise<RemoteFile[]> {
  const { environment: { endpoint }, repository } = client, files: RemoteFile[] = [], seen = new Set<string>();
  let url: string | null = `${endpoint}/api/${plural(repository)}/${repository.name}/tree/${commit}?recursive=true`;
  const pages = new Set<string>();
  let entries = 0;
  while (url !== null) {
    if (pages.has(url)) throw notTheHub(client, url, "a page that follows itself");
    pages.add(url);
    if (pages.size > MAX_PAGES) throw notTheHub(client, url, `more than ${MAX_PAGES} pages`);
    const page: { readonly value: unknown; readonly next: string | null } = await requestJson(client, url);
    if (!Array.isArray(page.value)) throw notTheHub(client, url, "no list of files");
    entries += page.value.length;
    if (entries > MAX_ENTRIES) throw notTheHub(client, url, `more than ${MAX_ENTRIES} files and folders`);
    for (const entry of page.value) {
      const file = readEntry(client, url, entry);
      if (file === null) continue;
      if (seen.has(file.path)) throw notTheHub(client, url, `file ${JSON.stringify(file.path)} twice`);
      seen.add(file.path);
      files.push(file);
    }
    url = page.next;
  }
  requireFolders(client, seen);
  return files;
}

/** Throws a PullError where a file has the name of a folder that others lie in. */
function requireFolders({ repository }: Client, paths: ReadonlySet<string>): void {
  for (const path of paths) {
    for (let end = path.indexOf("/"); end >= 0; end = path.indexOf("/", end + 1)) {
      if (!paths.has(path.slice(0, end))) continue;
      throw new PullError(
        `Cannot pull ${repository.name}: its list has ${
          JSON.stringify(path.slice(0, end))
        } as a file and as a folder; ` +
          "nothing was fetched",
      );
    }
  }
}

function readEntry(client: Client, url: string, entry: unknown): RemoteFile | null {
  const { type, path, size, oid, lfs } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  if (type === "directory") return null;
  if (typeof path !== "string") throw notTheHub(client, url, "a file without a path");
  const problem = pathProblem(path);
  if (problem !== null) {
    throw new PullError(
      `Cannot pull ${client.repository.name}: its list has ${
        JSON.stringify(path.slice(0, 200))
      }, ${problem}; nothing was fetched`,
    );
  }
  const large = typeof lfs === "object" && lfs !== null ? lfs as Readonly<Record<string, unknown>> : null;
  const bytes = large?.["size"] ?? size, hex = large?.["oid"] ?? oid, digits = large ? 64 : 40;
  if (!Number.isSafeInteger(bytes) || (bytes as number) < 0 || (bytes as number) > MAX_FILE_BYTES) {
    throw notTheHub(client, url, `size ${JSON.stringify(bytes)} of ${JSON.stringify(path)}`);
  }
  if (typeof hex !== "string" || hex.length !== digits || !/^[0-9a-f]+$/.test(hex)) {
    throw notTheHub(client, url, `hash ${JSON.stringify(hex)?.slice(0, 100)} of ${JSON.stringify(path)}`);
  }
  return { path, size: bytes as number, hash: { kind: large ? "sha256" : "git", hex } };
}

/** Why a path of a list cannot become a path of ours, or null. */
export function pathProblem(path: string): string | null {
  if (path.length > MAX_PATH) return `a path of ${path.length} characters, want at most ${MAX_PATH}`;
  const segments = path.split("/"), encoder = new TextEncoder();
  if (path === "" || segments.some((segment) => /^\.{0,2}$/.test(segment)) || /[\\:]/.test(path)) {
    return "which leads out of its folder or names a drive, want a path inside the repository";
  }
  if (printable(path) !== path || !path.isWellFormed()) return "which has characters that no file name has";
  if (segments.some((segment) => encoder.encode(segment).length > MAX_NAME_BYTES)) {
    return `a name of more than ${MAX_NAME_BYTES} bytes`;
  }
  return null;
}
