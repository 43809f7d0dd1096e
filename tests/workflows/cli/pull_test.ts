/** `pull` as a person starts it, against a server of the test's own. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Hosted, hosted, hubServer } from "../../data/hub/remote/hub_server.ts";
import { PROJECT } from "../../../workflows/terminal/caller.ts";

const read = (name: string) => Deno.readFileSync(`tests/models/qwen2/${name}`);
const TINY = hosted("org/tiny", {
  "config.json": read("config.json"),
  "generation_config.json": read("generation_config.json"),
  "model.safetensors": read("model.safetensors"),
}, { tags: ["v1"] });
const LORA = hosted("org/lora", {
  "adapter_config.json": '{"base_model_name_or_path": "org/tiny"}',
  "adapter_model.safetensors": "x",
});
const FAMILY = hosted("org/moe", {
  "config.json": '{"model_type": "mixtral", "architectures": ["MixtralForCausalLM"]}',
  "model.safetensors": "x",
});

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function pulling(
  repositories: readonly Hosted[],
  body: (
    start: (args: readonly string[], env?: Record<string, string>) => Deno.ChildProcess,
    cache: string,
    said: (args: readonly string[], env?: Record<string, string>) => Promise<Said>,
  ) => Promise<void>,
  faults = {},
): Promise<void> {
  await using server = hubServer(repositories, faults);
  const home = Deno.makeTempDirSync();
  const tasks = JSON.parse(Deno.readTextFileSync("deno.json")).tasks as Record<string, { readonly command: string }>;
  // The permissions of the task itself: without the network it could not pull.
  const flags = tasks["pull"]!.command.split(" ").filter((word) => word.startsWith("--"));
  const start = (args: readonly string[], env: Record<string, string> = {}) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", ...flags, join(PROJECT, "workflows/cli/main.ts"), "pull", ...args],
      env: { HF_HOME: home, HF_ENDPOINT: server.endpoint, NO_COLOR: "1", ...env },
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  const said = async (args: readonly string[], env: Record<string, string> = {}): Promise<Said> => {
    const { code, stdout, stderr } = await start(args, env).output(), decoder = new TextDecoder();
    return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
  };
  try {
    await body(start, join(home, "hub"), said);
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
}

Deno.test("pull tells the folder and how a workflow names it; again, nothing is fetched", () =>
  pulling([TINY, LORA], async (_, cache, said) => {
    const folder = join(cache, "models--org--tiny/snapshots", TINY.commit);
    const first = await said(["org/tiny", "--revision", "v1"]);
    assert.equal(first.code, 0, first.err);
    const [sizes, where, how] = first.out.split("\n");
    assert.match(sizes!, /^3 files, \d+ kB: \d+ kB fetched; hashes are right$/);
    assert.equal(where, folder);
    assert.equal(how, "In a workflow: model: hf:org/tiny@v1");
    const again = JSON.parse((await said(["hf:org/tiny@v1", "--json"])).out);
    assert.deepEqual([again.folder, again.bytesFetched, again.name], [folder, 0, "org/tiny"]);
    const adapter = await said(["org/lora"]);
    assert.match(
      adapter.out,
      /An adapter of org\/tiny, which is fetched by: .*pull org\/tiny\nIn a workflow: model: hf:org\/tiny, adapter: hf:org\/lora\n/,
    );
  }));

Deno.test("pull refuses in one line: what is not there, what load_model refuses, two revisions", () =>
  pulling([TINY, FAMILY], async (_, cache, said) => {
    for (
      const [args, code, message] of [
        [["org/tyni"], 1, /^Cannot pull org\/tyni: .* has no model of that name, or it is private or gated: .*\n$/],
        [["qwen2.5"], 1, /most names are ORG\/NAME, on .*search=qwen2\.5/],
        [["dataset:org/tiny"], 2, /"dataset:" is not read, want datasets\/org\/tiny/],
        [["datasets/org/x", "--repo-type", "model"], 2, /written as a data set, and --repo-type says model/],
        [["org/sums", "--repo-type", "dataset"], 1, /has no data set of that name/],
        [
          ["org/moe"],
          2,
          /^Cannot pull org\/moe: load_model would refuse it \(.*\); its weights were not fetched; give --any to fetch them\n$/,
        ],
        [["org/tiny@a", "--revision", "b"], 2, /it names a revision, and so does --revision/],
        [
          ["org/tiny/config.json"],
          2,
          /it names the file "config\.json", want a repository; add --include "config\.json"/,
        ],
        [["org/tiny", "--revision", "../x"], 2, /its revision is "\.\.\/x"/],
        [["a b"], 2, /its name is "a b", want ORG\/NAME/],
      ] as const
    ) {
      const refused = await said(args);
      assert.deepEqual([refused.code, refused.out], [code, ""], refused.err);
      assert.match(refused.err, message);
    }
    assert.deepEqual(
      [...Deno.readDirSync(join(cache, "models--org--moe/snapshots", FAMILY.commit))].map(({ name }) => name),
      ["config.json"],
    );
    assert.equal((await said(["org/moe", "--any"])).code, 0);
    const json = await said(["org/tyni", "--json"]);
    assert.match(JSON.parse(json.out).error, /Cannot pull org\/tyni/);
  }));

Deno.test({
  name: "pull stops at SIGINT, says how it goes on, and does",
  ignore: Deno.build.os === "windows",
  fn: () =>
    pulling([
      hosted("org/tiny", {
        "config.json": read("config.json"),
        "model.safetensors": new Uint8Array(3_000_000).fill(7),
      }),
    ], async (start, cache, said) => {
      const child = start(["org/tiny"]);
      const blobs = join(cache, "models--org--tiny/blobs");
      const incomplete = () => {
        try {
          return [...Deno.readDirSync(blobs)].some(({ name }) =>
            name.endsWith(".incomplete") && Deno.statSync(join(blobs, name)).size > 100_000
          );
        } catch {
          return false;
        }
      };
      while (!incomplete()) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill("SIGINT");
      const { code, stderr } = await child.output(), text = new TextDecoder().decode(stderr);
      assert.equal(code, 130, text);
      assert.match(text, /Stopped; what came stays: run the same command again and it goes on from there\n$/);
      const again = JSON.parse((await said(["org/tiny", "--json"])).out);
      assert(again.bytesFetched < 2_900_000, String(again.bytesFetched));
    }, { slow: 25 }),
});
