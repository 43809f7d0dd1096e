/** Lets one reward misbehave in a sandbox and looks for what it left: words, files, processes. @module */
import { join } from "node:path";
import { closeSandboxes, withSandbox } from "../../../steps/rewards/sandbox/pool.ts";
import type { BatchReply } from "../../../steps/rewards/sandbox/evaluate.ts";
import { rewardBatch } from "../../steps/rewards/batch.ts";
import type { Misbehaviour } from "./misbehaviour.ts";

/** Stands in files and in the environment: whoever says it has read what it must not. */
const SECRET = "nonzero-secret-8f2c";
const LIMITS = { timeoutMs: 1500, memoryBytes: 400 * 2 ** 20, net: [] };
/** A process starts within this time also on a busy machine. */
const LOAD_MS = 8000;
const PLACE = /\(reward\.js:\d+:\d+\)/;

export interface Trial {
  readonly name: string;
  readonly said: string;
  readonly ms: number;
  /** What was wrong; none: contained. */
  readonly problems: readonly string[];
}

export async function tryMisbehaviour(name: string, { code, says, placeless }: Misbehaviour): Promise<Trial> {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_sandbox_" });
  const mark = `stolen-${crypto.randomUUID()}`, path = join(folder, "reward.js"), secret = join(folder, "secret");
  const started = performance.now(), problems: string[] = [], printed: string[] = [];
  try {
    Deno.env.set("NONZERO_SECRET", SECRET);
    Deno.writeTextFileSync(secret, SECRET);
    Deno.writeTextFileSync(`${secret}.json`, JSON.stringify({ secret: SECRET }));
    const body = code.replaceAll("MARKNAME", mark).replaceAll("MARK", join(folder, mark)).replaceAll("SECRET", secret);
    const text = /^export /m.test(body) ? body : `export async function score() {\n  ${body};\n}\n`;
    Deno.writeTextFileSync(path, text);
    const before = outside(mark);
    const said = await answer(path, (text) => void printed.push(text));
    if (says === null ? said !== "[1,1]" : !says.test(said)) problems.push(`it said ${said.slice(0, 300)}`);
    if (/^(?:loading )?threw /.test(said) && !placeless && !PLACE.test(said)) {
      problems.push(`no place in ${said.slice(0, 300)}`);
    }
    if ([said, ...printed].some((text) => text.includes(SECRET))) problems.push("it read the secret");
    const print = printed.join("").length;
    if (print > 2 ** 18 + 200) problems.push(`it printed ${print} characters`);
    const left = [...Deno.readDirSync(folder)].map(({ name }) => name).sort().join();
    if (left !== "reward.js,secret,secret.json") problems.push(`it left ${left}`);
    if (Deno.readTextFileSync(path) !== text) problems.push("it changed its file");
    for (const found of outside(mark)) if (!before.includes(found)) problems.push(`it left ${found}`);
    return { name, said, ms: Math.round(performance.now() - started), problems };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** What a sandbox says of two completions; its process is gone afterwards. */
async function answer(path: string, print: (text: string) => void): Promise<string> {
  const runId = `trial ${path}`;
  try {
    const request = {
      runId,
      stepId: "score",
      path,
      limits: LIMITS,
      loadMs: LOAD_MS,
      signal: new AbortController().signal,
      print,
    };
    const reply = await withSandbox(
      request,
      (sandbox) => sandbox.ask({ batch: rewardBatch(["one", "two"]), options: {} }, 1),
    );
    return inWords(reply);
  } catch (error) {
    return (error as Error).message;
  } finally {
    await closeSandboxes(runId);
  }
}

function inWords(reply: BatchReply): string {
  if ("failure" in reply) return reply.failure;
  const odd = reply.values.find((value) => typeof value === "object" && value !== null) as
    | { found: string }
    | undefined;
  return odd === undefined ? JSON.stringify(reply.values) : `gave ${odd.found}`;
}

/** Files of that name where programs leave things, and the storage of Deno. */
function outside(mark: string): string[] {
  const home = Deno.env.get("HOME") ?? "", cache = Deno.env.get("DENO_DIR") ?? join(home, ".cache", "deno");
  const named = ["/tmp", "/var/tmp", "/dev/shm", home, Deno.cwd()].flatMap((folder) =>
    entries(folder).filter((name) => name.includes(mark)).map((name) => join(folder, name))
  );
  const stored = ["location_data", "location_data/web_cache"].flatMap((name) =>
    entries(join(cache, name)).map((entry) => join(cache, name, entry))
  );
  return [...named, ...stored, ...entries("/tmp/deno_cache").map((name) => `/tmp/deno_cache/${name}`)];
}

/** By `ls`: Deno reads /dev with all permissions only. No entries where there is no such folder. */
function entries(folder: string): string[] {
  const { stdout } = new Deno.Command("ls", { args: ["-A", folder], stderr: "null" }).outputSync();
  return new TextDecoder().decode(stdout).split("\n").filter((name) => name !== "");
}
