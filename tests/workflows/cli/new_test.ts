import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { PROJECT } from "../../../workflows/terminal/paths.ts";
import { scaffold } from "../../../workflows/cli/new.ts";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
import { inProcess } from "./in_process.ts";
import { type Kind, type KindName, KINDS } from "../../../workflows/cli/scaffold/kinds.ts";

for (const kind of Object.keys(KINDS) as KindName[]) {
  Deno.test(`new ${kind} writes a file, its test and its line in the table, once`, async () => {
    const project = await Deno.makeTempDir();
    try {
      const { tables }: Kind = KINDS[kind];
      for (const file of Object.keys(tables)) {
        await Deno.mkdir(dirname(join(project, file)), { recursive: true });
        await Deno.copyFile(join(PROJECT, file), join(project, file));
      }
      const written = await scaffold(KINDS[kind], "my_thing", project);
      for (const path of written) assert((await Deno.stat(path)).isFile, path);
      assert.equal(kind === "workflow", !written.some((path) => path.endsWith("/my_thing_test.ts")));
      for (const file of Object.keys(tables)) {
        assert(written.includes(join(project, file)));
        assert.match(
          await Deno.readTextFile(join(project, file)),
          /^ {2}my_thing: (?:myThing|\[\]|\{ \w+: ".*" \}|".*"),$/m,
        );
      }
      await assert.rejects(() => scaffold(KINDS[kind], "my_thing", project), /it exists/);
    } finally {
      await Deno.remove(project, { recursive: true });
    }
  });
}

Deno.test("new refuses an unknown kind and a name that is not snake_case, exit 2", async () => {
  const kind = await inProcess(["new", "rewrd", "a"]);
  assert.match(kind.err, /^Cannot make a new "rewrd": .*did you mean "reward"\?/);
  const name = await inProcess(["new", "reward", "MyReward"]);
  assert.match(name.err, /^Cannot name it "MyReward": want snake_case/);
  const word = await inProcess(["new", "reward", "class"]);
  assert.match(word.err, /^Cannot name it "class": the word has another meaning/);
  assert.deepEqual([kind.code, name.code, word.code], [2, 2, 2]);
});

Deno.test("new reward visual/NAME writes into the room of pictures, and only a reward of the project has one", async () => {
  const project = await Deno.makeTempDir(), elsewhere = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(project, "steps/rewards"), { recursive: true });
    await Deno.copyFile(join(PROJECT, "steps/rewards/mod.ts"), join(project, "steps/rewards/mod.ts"));
    const written = await scaffold(KINDS.reward, "visual/my_thing", project);
    assert.deepEqual(written.map((path) => path.slice(project.length + 1)), [
      "steps/rewards/visual/my_thing.ts",
      "tests/steps/rewards/visual/my_thing_test.ts",
      "steps/rewards/mod.ts",
    ]);
    const [thing, test, table] = written.map((path) => Deno.readTextFileSync(path));
    assert.match(thing!, /from "\.\.\/reward\.ts"/);
    assert.match(
      test!,
      /import \{ visualMyThing \} from "\.\.\/\.\.\/\.\.\/\.\.\/steps\/rewards\/visual\/my_thing\.ts"/,
    );
    assert.match(table!, /^ {2}"visual\/my_thing": visualMyThing,$/m);
    const refused = async (words: readonly string[], want: RegExp) => {
      const { code, err } = await inProcess(["new", ...words]);
      assert.match(err, want);
      assert.equal(code, 2);
    };
    await refused(
      ["reward", "visual/my_thing", "--into", elsewhere],
      /Cannot name it "visual\/my_thing": "visual\/" is a folder of the project, .* take "my_thing"/,
    );
    await refused(
      ["reward", "audio/my_thing"],
      /Cannot name it "audio\/my_thing": want snake_case: .*, or visual\/NAME/,
    );
    await refused(["reward", "visual/../x"], /want snake_case: .*, or visual\/NAME/);
    await refused(["step", "visual/my_thing"], /Cannot name it "visual\/my_thing": want snake_case: [^/]*$/);
  } finally {
    for (const folder of [project, elsewhere]) await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("new workflow --from --into says where things are to be put from where the person stands, and how a reward is made", async () => {
  const folder = await Deno.makeTempDir(), into = join(folder, "my flows");
  const script = `from trl import GRPOConfig, GRPOTrainer
def own(completions, **kwargs):
    return [1.0 for c in completions]
rows = load_dataset("json", data_files="rows.jsonl", split="train")
GRPOTrainer(model="./base", reward_funcs=own, args=GRPOConfig(), train_dataset=rows).train()
`;
  try {
    await Deno.writeTextFile(join(folder, "grpo.py"), script);
    const { code, out } = await inProcess([
      "new",
      "workflow",
      "mine",
      "--from",
      join(folder, "grpo.py"),
      "--into",
      into,
    ]);
    assert.equal(code, 0, out);
    const told = out.split("\n");
    assert(
      told.includes(`* write the reward ${into}/own.ts: ${commandLine(["new", "reward", "own", "--into", into])}`),
      out,
    );
    assert(told.some((line) => line.startsWith(`* put the rows at ${into}/rows.jsonl`)), out);
    const text = await Deno.readTextFile(join(into, "mine.yaml"));
    assert.match(text, /^# \* put the rows at rows\.jsonl, with a column prompt$/m);
    assert.equal((await inProcess(["new", "reward", "own", "--into", into])).code, 0);
    assert(text.includes("./own.ts") && (await Deno.stat(join(into, "own.ts"))).isFile);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
