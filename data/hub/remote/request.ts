/** Asks the Hub: the token goes to its host alone, redirects are followed by hand, what passes is tried again. @module */
import { messageOf } from "../../error_text.ts";
import type { HubEnvironment } from "./environment.ts";
import { PullError, refusalText } from "./refusal.ts";
import type { Repository } from "./repository.ts";

/** What the parts of a pull share. */
export interface Client {
  readonly environment: Pick<HubEnvironment, "endpoint" | "token" | "cache" | "tokenPath">;
  readonly repository: Repository;
  /** Ends everything under way. */
  readonly signal: AbortSignal;
  /** Told when something takes another try, or waits. */
  readonly tell: (text: string) => void;
  /** Shortest time before another try, ms; doubled each time. Tests have less. */
  readonly patience?: number;
}

const PATIENCE_MS = 1000;
const MAX_TRIES = 6;
/** Of the first question: a person without a network is told so at once. */
export const FIRST_TRIES = 2;
const MAX_WAIT_MS = 300_000; // What Retry-After may ask for.
const MAX_REDIRECTS = 10;
const SILENCE_MS = 60_000; // Longest wait for an answer, or for its next bytes.
const TRY_AGAIN: readonly number[] = [408, 429, 500, 502, 503, 504];
const ANSWERS: readonly number[] = [200, 206, 416]; // Others, such as 204, have nothing in them.
const IS_REDIRECT: readonly number[] = [301, 302, 303, 307, 308];

/**
 * The answer to a GET of `url`, with status 200, or 206 where `headers` ask for a range, or 416. Tries again after network
 * errors (`unreachedTries` times in all), 429 and 5xx; throws a PullError for all else.
 */
export async function request(
  client: Client,
  url: string,
  headers: Readonly<Record<string, string>> = {},
  unreachedTries = MAX_TRIES,
): Promise<Response> {
  for (let tries = 1;; tries++) {
    let problem: string, after: number | null = null, most = MAX_TRIES;
    try {
      const response = await followed(client, url, headers);
      if (ANSWERS.includes(response.status)) return response;
      await response.body?.cancel();
      const refusal = refusalText(client, response);
      if (!TRY_AGAIN.includes(response.status)) throw new PullError(refusal);
      problem = refusal;
      after = retryAfter(response.headers.get("retry-after"));
    } catch (error) {
      client.signal.throwIfAborted();
      if (error instanceof PullError) throw error;
      most = unreachedTries;
      problem = `Cannot pull ${client.repository.name}: ${hostOf(url)} cannot be reached (${networkReason(error)}); ` +
        "look at the connection and at HF_ENDPOINT, then run the same command again";
    }
    if (tries >= most) throw new PullError(problem);
    await pause(client, tries, after, problem);
  }
}

/** Waits before another try: as long as the server asks, else twice as long each time. */
export async function pause(client: Client, tries: number, asked: number | null, reason: string): Promise<void> {
  const ms = Math.min(MAX_WAIT_MS, asked ?? (client.patience ?? PATIENCE_MS) * 2 ** (tries - 1));
  client.tell(`${reason.replace(/^Cannot pull [^:]*: /, "").split(";")[0]}: trying again in ${Math.ceil(ms / 1000)} s`);
  await new Promise<void>((resolve, reject) => {
    const ended = () => (clearTimeout(timer), reject(client.signal.reason));
    const timer = setTimeout(() => (client.signal.removeEventListener("abort", ended), resolve()), ms);
    client.signal.addEventListener("abort", ended, { once: true });
  });
}

/** Follows redirects; the token stays with the Hub's own origin. */
async function followed(client: Client, url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  const { environment, signal } = client, token = environment.token(), home = new URL(environment.endpoint);
  let target = new URL(url);
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const own: Record<string, string> = target.origin === home.origin && token !== null
      ? { authorization: `Bearer ${token}` }
      : {};
    const slow = new AbortController();
    const timer = setTimeout(() => slow.abort(new Error(`no answer within ${SILENCE_MS / 1000} s`)), SILENCE_MS);
    const response = await fetch(target, {
      headers: { "accept-encoding": "identity", "user-agent": "nonzero", ...headers, ...own },
      redirect: "manual",
      signal: AbortSignal.any([signal, slow.signal]),
    }).finally(() => clearTimeout(timer));
    if (!IS_REDIRECT.includes(response.status)) return response;
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (location === null || !URL.canParse(location, target)) break;
    const next = new URL(location, target);
    if (!/^https?:$/.test(next.protocol) || (target.protocol === "https:" && next.protocol === "http:")) {
      throw new PullError(
        `Cannot pull ${client.repository.name}: ${target.host} leads to ${next.protocol}//${next.host}, want an address by ` +
          "https; nothing was fetched from there",
      );
    }
    target = next;
  }
  throw new PullError(`Cannot pull ${client.repository.name}: ${hostOf(url)} redirects without an end`);
}

/** The chunks of an answer; throws where none comes for a minute. */
export async function* chunksOf(response: Response, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  const end = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", end, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = () =>
    new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`nothing came for ${SILENCE_MS / 1000} s`)), SILENCE_MS);
    });
  try {
    while (true) {
      const { done, value } = await Promise.race([reader.read(), silence()]).finally(() => clearTimeout(timer));
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", end);
    await reader.cancel().catch(() => {}); // a stream that broke is already closed
  }
}

const MAX_LIST_BYTES = 50_000_000; // A list of the Hub has at most 1000 entries on a page.

/** The JSON of a list of the Hub, and the address of its next page. Throws a PullError for what is none. */
export async function requestJson(
  client: Client,
  url: string,
  unreachedTries?: number,
): Promise<{ readonly value: unknown; readonly next: string | null }> {
  const response = await request(client, url, {}, unreachedTries), parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of chunksOf(response, client.signal)) {
    if ((size += chunk.length) > MAX_LIST_BYTES) throw notTheHub(client, url, `more than ${MAX_LIST_BYTES} bytes`);
    parts.push(new Uint8Array(chunk));
  }
  try {
    const value: unknown = JSON.parse(await new Blob(parts).text());
    return { value, next: nextPage(client, response, url) };
  } catch (error) {
    if (error instanceof PullError) throw error;
    throw notTheHub(client, url, "what is not JSON");
  }
}

export function notTheHub({ repository }: Client, url: string, found: string): PullError {
  return new PullError(
    `Cannot pull ${repository.name}: ${
      hostOf(url)
    } answers with ${found}, want the lists of a Hub; look at HF_ENDPOINT`,
  );
}

/** `<…>; rel="next"` of a Link header; pages of another host are not followed. */
function nextPage(client: Client, response: Response, url: string): string | null {
  const link = /<([^>]+)>\s*;[^,]*rel="?next"?/.exec(response.headers.get("link") ?? "")?.[1];
  if (link === undefined) return null;
  const next = URL.canParse(link, url) ? new URL(link, url) : null;
  if (next?.origin === new URL(url).origin) return next.href;
  throw notTheHub(client, url, `a next page at "${link}"`);
}

/** Seconds or a date, as milliseconds from now. */
function retryAfter(value: string | null): number | null {
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

export const hostOf = (url: string) => new URL(url).host;

/** What the system says of a connection: the innermost reason, without the address again. */
export function networkReason(error: unknown): string {
  const inner = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
  return inner.split("\n")[0]!.replace(/\s*\(os error \d+\)/, "").replace(/^.*: (?=[A-Za-z])/, "");
}
