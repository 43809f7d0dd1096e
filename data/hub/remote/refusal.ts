/** What the Hub refuses, as a sentence that says how to get on. @module */
import { masked } from "./strangers_text.ts";
import type { Client } from "./request.ts";
import { DEFAULT_REVISION, pathOf, type Repository } from "./repository.ts";

/** A repository that cannot be fetched: what the server or the network says. */
export class PullError extends Error {
  override readonly name = "PullError";
}

type Refused = Pick<Response, "status" | "headers" | "url">;

/** The page of a repository. */
export function pageOf(endpoint: string, repository: Repository): string {
  return `${endpoint}/${pathOf(repository)}`;
}

/** The sentence for an answer that is no success. */
export function refusalText(
  { environment, repository }: Pick<Client, "environment" | "repository">,
  response: Refused,
): string {
  const { status, headers } = response,
    code = headers.get("x-error-code"),
    said = masked(headers.get("x-error-message") ?? "", environment.token());
  const head = `Cannot pull ${repository.name}: `, host = new URL(environment.endpoint).host;
  const hasToken = environment.token() !== null;
  if (code === "GatedRepo") {
    return `${head}it is gated, ${
      hasToken ? "and your token has no access to it" : "and no token was given"
    }; ask for access at ` +
      `${pageOf(environment.endpoint, repository)}${
        hasToken ? "" : `, then set HF_TOKEN to a token from ${environment.endpoint}/settings/tokens`
      }`;
  }
  if (code === "RevisionNotFound") {
    const remedy = repository.revision === DEFAULT_REVISION ? "give --revision" : "look at its branches and tags";
    return `${head}it has no revision "${repository.revision}"; ${remedy} on ${
      pageOf(environment.endpoint, repository)
    }`;
  }
  if (code === "EntryNotFound") {
    return `${head}it has no file ${fileOf(response.url)}; its list names one, try again later`;
  }
  // "Invalid username or password" is what the Hub says of a repository that is not there, to whoever has no token.
  if (hasToken && /Invalid (?:credentials|user token)/i.test(said)) {
    return `${head}${host} does not know your token; renew HF_TOKEN, or the one in ${environment.tokenPath}`;
  }
  if (code === "RepoNotFound" || status === 401 || status === 404) return head + notFound(environment, repository);
  if (status === 403) return `${head}${host} forbids it${quotation(said)}; look at what your token may read`;
  if (status === 429) {
    return `${head}${host} takes no more requests for now; wait some minutes, then run the same command again`;
  }
  if (status >= 500) return `${head}${host} has a fault (status ${status}); run the same command again later`;
  return `${head}${host} refuses with status ${status}${quotation(said)}`;
}

/** One answer for what is not there and for what may not be seen. */
function notFound({ endpoint, token }: Client["environment"], { type, name }: Repository): string {
  const [kind, host, hasToken] = [type === "model" ? "model" : "data set", new URL(endpoint).host, token() !== null];
  const search = `${endpoint}/${type}s?search=${encodeURIComponent(name.split("/").at(-1)!)}`;
  const closed = hasToken
    ? "your token may not read it: ask for access on its page"
    : "it is private or gated: then set HF_TOKEN to a token that may read it";
  return `${host} has no ${kind} of that name, or ${closed}; look at the spelling${
    name.includes("/") ? "" : ", most names are ORG/NAME,"
  } on ${search}${type === "model" ? `; a data set is ${pathOf({ type: "dataset", name })}` : ""}`;
}

const quotation = (said: string) => said === "" ? "" : ` (${JSON.stringify(said.slice(0, 200))})`;

const fileOf = (url: string) =>
  JSON.stringify(decodeURIComponent(new URL(url).pathname.replace(/^.*?\/resolve\/[^/]+\//, "")));
