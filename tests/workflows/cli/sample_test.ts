import assert from "node:assert/strict";
import { join } from "node:path";
import { openRunFolder } from "../../../data/open_run_folder.ts";
import { RUN_A, withRuns } from "./fabricated_run.ts";
import { modelFolder } from "../../steps/contexts/model_folders.ts";
import { inProcess, jsonLines } from "./in_process.ts";
import { withTinyRun } from "./tiny_run.ts";

Deno.test("sample draws the same completions for the same seed, greedy ones alike, rewards by the run's verifier", () =>
  withTinyRun(async (_, runs) => {
    const sample = async (...args: readonly string[]) => {
      const { code, out, err } = await inProcess(
        ["sample", "last", "--prompt", "1+2=", "--answer", "3", "--runs", runs, ...args],
      );
      assert.equal(code, 0, err);
      return out;
    };
    const drawn = await sample("-n", "4", "--seed", "7", "--json");
    assert.equal(await sample("-n", "4", "--seed", "7", "--json"), drawn);
    const rows = jsonLines(drawn);
    assert.equal(rows.length, 4);
    for (const { completion, reward, logprobs, token_ids, logprob } of rows) {
      assert.equal(reward, completion === "3" ? 1 : 0);
      assert.equal((logprobs as number[]).length, (token_ids as number[]).length);
      assert(Math.abs((logprobs as number[]).reduce((a, b) => a + b, 0) - (logprob as number)) < 1e-9);
    }
    const greedy = jsonLines(await sample("-n", "3", "--temperature", "0", "--max-new-tokens", "2", "--json"));
    assert.equal(new Set(greedy.map(({ completion }) => completion)).size, 1);
    assert(greedy.every(({ tokens }) => (tokens as number) <= 2));
    const table = (await sample("-n", "2")).trimEnd().split("\n");
    assert.match(table[0]!, /^prompt +completion +tokens +log-prob +answer +reward$/);
    assert.equal(table.length, 3);
  }));

Deno.test("sample without a prompt asks a held-out prompt of the run, and knows its answer", () =>
  withTinyRun(async ({ folder }, runs) => {
    const { code, out, err } = await inProcess(["sample", "last", "-n", "2", "--json", "--runs", runs]);
    assert.equal(code, 0, err);
    const rows = openRunFolder(folder).table("prompts").objects() as Record<string, unknown>[];
    const held = rows.find(({ split }) => split === "held_out")!;
    for (const { prompt, answer, completion, reward } of jsonLines(out)) {
      assert.deepEqual([prompt, answer], [held["prompt"], held["answer"]]);
      assert.equal(reward, completion === answer ? 1 : 0);
    }
    const other = await inProcess(["sample", "last", "-n", "1", "--prompt", "2+2 is?", "--json", "--runs", runs]);
    assert(!("reward" in jsonLines(other.out)[0]!));
  }));

const TEMPLATE =
  "{% for m in messages %}{{ m.role[0] }}:{{ m.content }};{% endfor %}{% if add_generation_prompt %}a:{% endif %}";

/** Runs `body` with a run of a model that has TEMPLATE; `edit` changes its workflow. */
async function withChatRun(
  edit: (text: string, root: string) => string,
  body: (sample: (...args: readonly string[]) => Promise<Record<string, unknown>[]>, folder: string) => Promise<void>,
): Promise<void> {
  const root = Deno.makeTempDirSync();
  try {
    const model = modelFolder(root, "qwen2");
    Deno.writeTextFileSync(join(model, "chat_template.jinja"), TEMPLATE);
    await withTinyRun(async ({ folder }, runs) => {
      await body(async (...args) => {
        const { code, out, err } = await inProcess(
          ["sample", "last", "-n", "1", "--temperature", "0", "--json", "--runs", runs, ...args],
        );
        assert.equal(code, 0, err);
        return jsonLines(out);
      }, folder);
    }, (text) => edit(text.replace("tiny_qwen2", JSON.stringify(model)), root));
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

Deno.test("sample puts a prompt into the chat template as the run did, --system before it; --raw leaves it out", () =>
  withChatRun((text) => text.replace('qwen2" }', 'qwen2", chat_template: true }'), async (sample, folder) => {
    for (const from of ["its export", "its checkpoint"]) {
      const rendered = await sample("--raw", "--prompt", "u:1+2=;a:"), [asked] = await sample("--prompt", "1+2=");
      assert.deepEqual(asked!["logprobs"], rendered[0]!["logprobs"], from);
      assert.equal(asked!["prompt"], "1+2=");
      assert.notDeepEqual(asked!["logprobs"], (await sample("--raw", "--prompt", "1+2="))[0]!["logprobs"]);
      const told = await sample("--prompt", "1+2=", "--system", "Add.");
      assert.deepEqual(
        told[0]!["logprobs"],
        (await sample("--raw", "--prompt", "s:Add.;u:1+2=;a:"))[0]!["logprobs"],
        from,
      );
      Deno.removeSync(join(folder, "model"), { recursive: true });
      Deno.mkdirSync(join(folder, "model"));
    }
  }));

Deno.test("sample takes a text for a user's message where the run was given lists of messages", () =>
  withChatRun((text, root) => {
    const rows = Array.from(
      { length: 40 },
      (_, i) => JSON.stringify({ prompt: [{ role: "user", content: `${i}+1=` }], answer: `${i + 1}` }),
    );
    Deno.writeTextFileSync(join(root, "rows.jsonl"), rows.join("\n"));
    return text.replace("task: addition, digits: 1", `file: ${JSON.stringify(join(root, "rows.jsonl"))}`);
  }, async (sample) => {
    const rendered = await sample("--raw", "--prompt", "u:7+1=;a:");
    assert.deepEqual((await sample("--prompt", "7+1="))[0]!["logprobs"], rendered[0]!["logprobs"]);
  }));

const REFUSED: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /want --prompt TEXT/],
  [["--prompt", "a", "--raw", "--system", "b"], /--system goes through the chat template and --raw leaves it out/],
  [["--prompt", "a", "-n", "0"], /read -n: it is "0", want a whole number at least 1/],
  [["--prompt", "a", "--temperature", "warm"], /--temperature: it is "warm", want a number at least 0/],
  [["--prompt", "a", "--top-p", "0"], /--top-p: it is "0", want a number above 0 and at most 1/],
];
for (const [args, message] of REFUSED) {
  Deno.test(`sample refuses ${JSON.stringify(args)}, exit 2`, () =>
    withRuns(async (runs) => {
      const { code, err } = await inProcess(["sample", RUN_A, "--runs", runs, ...args]);
      assert.match(err, message);
      assert.equal(code, 2);
    }));
}
