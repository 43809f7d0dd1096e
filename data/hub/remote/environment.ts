/** What the environment says of the Hub: the variables of huggingface_hub, with its defaults. @module */
import { homedir } from "node:os";
import { join } from "node:path";
import { textIfThere } from "../../file_system.ts";

export interface HubEnvironment {
  /** The folder of all cached repositories. */
  readonly cache: string;
  /** Without a slash at its end. */
  readonly endpoint: string;
  /** HF_HUB_OFFLINE: nothing may be asked. */
  readonly offline: boolean;
  /** The token of the user, read when it is asked for; null where there is none. Throws a RangeError for what is none. */
  readonly token: () => string | null;
  /** File in which the token is looked up where HF_TOKEN is not set. */
  readonly tokenPath: string;
}

type Look = (name: string) => string | undefined;

const DEFAULT_ENDPOINT = "https://huggingface.co";
const isTrue = (value: string | undefined) => /^(?:1|on|yes|true)$/i.test(value ?? "");

/** Throws a RangeError where HF_ENDPOINT is no address. */
export function hubEnvironment(env: Look = (name) => Deno.env.get(name)): HubEnvironment {
  const set = (name: string) => env(name) || undefined;
  const path = (text: string) => expanded(text, env);
  const home = path(
    set("HF_HOME") ?? join(set("XDG_CACHE_HOME") ?? join(env("HOME") ?? homedir(), ".cache"), "huggingface"),
  );
  const tokenPath = path(set("HF_TOKEN_PATH") ?? join(home, "token"));
  return {
    cache: path(set("HF_HUB_CACHE") ?? set("HUGGINGFACE_HUB_CACHE") ?? join(home, "hub")),
    endpoint: checkedEndpoint((set("HF_ENDPOINT") ?? DEFAULT_ENDPOINT).replace(/\/+$/, "")),
    offline: isTrue(set("HF_HUB_OFFLINE") ?? set("TRANSFORMERS_OFFLINE")),
    token: () =>
      isTrue(set("HF_HUB_DISABLE_IMPLICIT_TOKEN"))
        ? null
        : checkedToken(cleaned(set("HF_TOKEN") ?? set("HUGGING_FACE_HUB_TOKEN") ?? textIfThere(tokenPath))),
    tokenPath,
  };
}

function checkedEndpoint(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash) return endpoint;
  throw new RangeError(
    `Cannot use HF_ENDPOINT: it is "${
      endpoint.replace(/^(\w+:\/\/)?.*@/s, "$1…@").replace(/[?#].*$/s, "?…")
    }", want an address such as ${DEFAULT_ENDPOINT}`,
  );
}

/** `~` and `$NAME` of a path, as Python's expanduser and expandvars have them. */
function expanded(path: string, env: Look): string {
  return path.replace(/^~(?=$|[\\/])/, () => env("HOME") ?? homedir())
    .replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, bare, braced) => env(bare ?? braced) ?? whole);
}

/** It is sent in a header: what cannot stand there is no token. It is not shown. */
function checkedToken(token: string | null): string | null {
  if (token === null || /^[\x21-\x7e]+$/.test(token)) return token;
  throw new RangeError(
    "Cannot use the token: it has characters that no token has, want letters, digits and marks of ASCII; copy it again into " +
      "HF_TOKEN",
  );
}

const cleaned = (token: string | null) => token?.replaceAll(/[\r\n]/g, "").trim() || null;
