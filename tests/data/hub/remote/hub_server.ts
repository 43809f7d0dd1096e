/** A server on this machine that speaks the Hub's routes, with the faults that a test asks of it. @module */
import { createHash } from "node:crypto";

interface HostedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lfs: boolean;
}

export interface Hosted {
  readonly type: "model" | "dataset";
  readonly name: string;
  readonly commit: string;
  readonly files: ReadonlyMap<string, HostedFile>;
  readonly tags: readonly string[];
}

/** What goes wrong; each counts down where it has a number. */
export interface Faults {
  /** Every route of the repository answers so. */
  refuse?: { readonly status: number; readonly code?: string; readonly message?: string };
  /** So many answers with status 503, then it goes on; with Retry-After where `after` is set. */
  busy?: number;
  status?: number;
  after?: string;
  /** A large file is cut off after half of what was asked for, so many times. */
  cut?: number;
  /** The same once, and then nothing more of it comes. */
  dead?: boolean;
  /** A byte of every file is changed. */
  damage?: boolean;
  /** So many bytes too many, or too few, in the list. */
  lie?: number;
  /** Some bytes too many, and no length. */
  longer?: boolean;
  /** Answers to what a revision is: this commit. */
  sha?: string;
  /** Each page of the list has one folder, and there is always another. */
  pages?: boolean;
  /** What a refusal says is what authorization was sent. */
  echo?: boolean;
  /** Every route answers with this status and nothing. */
  empty?: number;
  /** Sends whole files where a part is asked for. */
  noRange?: boolean;
  /** Entries of the list in place of the true ones. */
  list?: unknown;
  /** Large files lie on another host. */
  elsewhere?: string;
  /** Milliseconds between chunks of 64 kB. */
  slow?: number;
  /** Answers in place of a list. */
  text?: string;
}

export interface HubServer {
  readonly endpoint: string;
  readonly faults: Faults;
  /** Method, path and authorization of each request, in order. */
  readonly asked: { readonly path: string; readonly authorization: string | null; readonly range: string | null }[];
  [Symbol.asyncDispose](): Promise<void>;
}

export const TOKEN = "hf_test_token";
const PAGE = 3; // Files on a page of the list.

/** A repository of texts; those ending in .safetensors or .parquet are large files. */
export function hosted(
  name: string,
  texts: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  { type = "model", tags = [] as readonly string[] }: Partial<Pick<Hosted, "type" | "tags">> = {},
): Hosted {
  const files = new Map(
    Object.entries(texts).map(([path, text]) => {
      const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
      return [path, { bytes, lfs: /\.(?:safetensors|parquet|bin)$/.test(path) }];
    }),
  );
  const commit = createHash("sha1").update(JSON.stringify([...files.keys()]) + name);
  for (const { bytes } of files.values()) commit.update(bytes);
  return { type, name, commit: commit.digest("hex"), files, tags };
}

export const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
export const gitHash = (bytes: Uint8Array) =>
  createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
const hashOf = ({ bytes, lfs }: HostedFile) => lfs ? sha256(bytes) : gitHash(bytes);

export function hubServer(repositories: readonly Hosted[], faults: Faults = {}): HubServer {
  const asked: HubServer["asked"] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const url = new URL(request.url);
    const range = request.headers.get("range"), authorization = request.headers.get("authorization");
    asked.push({ path: `${request.method} ${url.pathname}${url.search}`, authorization, range });
    return answer(repositories, faults, request, url);
  });
  return {
    endpoint: `http://127.0.0.1:${server.addr.port}`,
    faults,
    asked,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const refused = (status: number, code: string, message = code) =>
  new Response(null, { status, headers: { "x-error-code": code, "x-error-message": message } });

function answer(all: readonly Hosted[], faults: Faults, request: Request, url: URL): Response {
  if (faults.busy) {
    faults.busy--;
    return new Response(null, {
      status: faults.status ?? 503,
      headers: faults.after ? { "retry-after": faults.after } : {},
    });
  }
  if (faults.empty) return new Response(null, { status: faults.empty });
  if (faults.echo) return refused(418, "", `you sent ${request.headers.get("authorization")}\u009b31m`);
  const { refuse } = faults;
  if (refuse) return refused(refuse.status, refuse.code ?? "", refuse.message);
  const api = /^\/api\/(model|dataset)s\/(.+?)(?:\/(revision|tree)\/([^/]+))?$/.exec(url.pathname);
  if (api) return listed(all, faults, api as unknown as string[], url);
  const file = /^\/(datasets\/)?(.+?)\/resolve\/([^/]+)\/(.+)$/.exec(url.pathname);
  if (!file) return refused(404, "RepoNotFound");
  const [, prefix, name, revision, path] = file, type = prefix ? "dataset" : "model";
  const repository = all.find((one) => one.type === type && one.name === name);
  if (!repository) return refused(401, "RepoNotFound");
  if (!isAt(repository, decodeURIComponent(revision!))) return refused(404, "RevisionNotFound");
  const found = repository.files.get(decodeURIComponent(path!));
  if (!found) {
    const answer = refused(404, "EntryNotFound");
    answer.headers.set("x-repo-commit", repository.commit);
    return answer;
  }
  return sent(repository, found, faults, request, url);
}

const isAt = ({ commit, tags }: Hosted, revision: string) =>
  revision === commit || revision === "main" || tags.includes(revision);

function listed(
  all: readonly Hosted[],
  faults: Faults,
  [, type, name, kind, at]: readonly string[],
  url: URL,
): Response {
  const repository = all.find((one) => one.type === type && one.name === name);
  if (!repository) return refused(401, "RepoNotFound");
  if (!isAt(repository, decodeURIComponent(at ?? "main"))) return refused(404, "RevisionNotFound");
  if (faults.text !== undefined) return new Response(faults.text);
  if (kind !== "tree") {
    const siblings = [...repository.files.keys()].map((rfilename) => ({ rfilename }));
    return Response.json({
      _id: "0",
      id: name,
      modelId: name,
      sha: faults.sha ?? repository.commit,
      siblings,
      private: false,
      tags: [],
    });
  }
  if (faults.pages) {
    const next = Number(url.searchParams.get("cursor") ?? 0) + 1;
    return Response.json([{ type: "directory", path: `d${next}` }], {
      headers: { link: `<${url.origin}${url.pathname}?cursor=${next}>; rel="next"` },
    });
  }
  if (faults.list !== undefined) return Response.json(faults.list);
  const entries = [...repository.files].map(([path, file]) => {
    const size = file.bytes.length + (file.lfs ? faults.lie ?? 0 : 0),
      pointer = new TextEncoder().encode(sha256(file.bytes));
    return file.lfs
      ? { type: "file", path, size, oid: gitHash(pointer), lfs: { oid: sha256(file.bytes), size, pointerSize: 134 } }
      : { type: "file", path, size, oid: gitHash(file.bytes) };
  });
  const from = Number(url.searchParams.get("cursor") ?? 0), next = new URL(url);
  next.searchParams.set("cursor", String(from + PAGE));
  const folders = from === 0 ? [{ type: "directory", path: "folder", size: 0, oid: "0".repeat(40) }] : [];
  return Response.json([...folders, ...entries.slice(from, from + PAGE)], {
    headers: from + PAGE < entries.length ? { link: `<${next.href}>; rel="next"` } : {},
  });
}

function sent(
  repository: Hosted,
  file: HostedFile,
  faults: Faults,
  request: Request,
  url: URL,
): Response {
  const { bytes, lfs } = file, hash = hashOf(file);
  const headers = new Headers({ etag: `"${hash}"`, "x-repo-commit": repository.commit, "accept-ranges": "bytes" });
  if (lfs) {
    headers.set("x-linked-etag", `"${hash}"`);
    headers.set("x-linked-size", String(bytes.length));
    if (faults.elsewhere && !url.searchParams.has("direct")) {
      headers.set("location", `${faults.elsewhere}${url.pathname}?direct`);
      return new Response(null, { status: 302, headers });
    }
  }
  const [, first] = /^bytes=(\d+)-$/.exec(request.headers.get("range") ?? "") ?? [];
  const from = faults.noRange || first === undefined ? 0 : Number(first);
  if (from >= bytes.length && from > 0) return new Response(null, { status: 416 });
  const body = bytes.slice(from);
  if (faults.damage && body.length > 0) body[body.length - 1]! ^= 1;
  headers.set("content-length", String(body.length));
  if (from > 0) headers.set("content-range", `bytes ${from}-${bytes.length - 1}/${bytes.length}`);
  const status = from > 0 ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  if (faults.longer) {
    headers.delete("content-length");
    return new Response(new Blob([body, new Uint8Array(3)]).stream(), { status, headers });
  }
  if (lfs && ((faults.cut ?? 0) > 0 || faults.dead)) {
    if (faults.cut) faults.cut--;
    return new Response(brokenStream(body, faults.dead && from > 0 ? 0 : body.length >> 1), { status, headers });
  }
  return new Response(faults.slow ? slowStream(body, faults.slow) : body, { status, headers });
}

/** Some of the bytes, then the connection ends. */
function brokenStream(body: Uint8Array, bytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes > 0) controller.enqueue(body.slice(0, bytes));
      controller.close();
    },
  });
}

function slowStream(body: Uint8Array, ms: number): ReadableStream<Uint8Array> {
  let done = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, ms));
      controller.enqueue(body.slice(done, done += 65536));
      if (done >= body.length) controller.close();
    },
  });
}
