import assert from "node:assert/strict";
import { claimsOf, readPost, recordsOf, settingsOf, toldOf } from "../read_post.ts";

const fenced = (lead: string, language: string, ...lines: string[]) =>
  readPost(["Hi, why is it so?", "", lead, `\`\`\`${language}`, ...lines, "```", ""].join("\n"));

Deno.test("readFence() reads records of a log at their lines", async () => {
  const intake = await fenced(
    "The log:",
    "",
    "{'loss': 0.0, 'reward': 0.25, 'epoch': 0.1}",
    "'loss': 0.5, 'reward': 0.5, ...",
  );
  assert.deepEqual(recordsOf(intake).map((one) => one.replace(/ epoch=\S+/, "")), [
    "5 1 loss=0 reward=0.25",
    "6 2 loss=0.5 reward=0.5",
  ]);
});

Deno.test("readFence() reads options of YAML, JSON and commands", async () => {
  assert.deepEqual(settingsOf(await fenced("My configuration:", "yaml", "actor:", "  lr: 0.5", "beta: 0.04")), [
    "6 actor.lr=0.5",
    "7 beta=0.04",
  ]);
  assert.deepEqual(settingsOf(await fenced("Config:", "json", "{", ' "beta": 0.04,', ' "num_generations": 8', "}")), [
    "6 beta=0.04",
    "7 num_generations=8",
  ]);
  const command = await fenced("I run:", "bash", "python train.py --beta 0.04 --num_generations 8");
  assert(settingsOf(command).includes("5 beta=0.04"), settingsOf(command).join(", "));
});

Deno.test("readFence() reads one JSON value over several lines as records", async () => {
  const intake = await fenced(
    "trainer_state:",
    "json",
    "[",
    ' {"loss": 0.5, "step": 1},',
    ' {"loss": 0.25, "step": 2}',
    "]",
  );
  assert.deepEqual(recordsOf(intake), ["6 1 loss=0.5", "7 2 loss=0.25"]);
});

Deno.test("readFence() takes a text for a completion where the sentence before speaks of one", async () => {
  const texts = async (lead: string, ...lines: string[]) =>
    (await fenced(lead, "", ...lines)).completions.map(({ line, text, cut }) => `${line} ${text}${cut ? " …" : ""}`);
  assert.deepEqual(await texts("A completion:", "the cat sat", "on the mat ..."), ["5 the cat sat\non the mat ... …"]);
  assert.deepEqual(await texts("模型的回答：", "好的好的"), ["5 好的好的"]);
  assert.deepEqual(await texts("Une réponse :", "le chat"), ["5 le chat"]);
  assert.deepEqual(await texts("The log of my outputs:", "the cat sat"), [], "a log");
  assert.deepEqual(await texts("See here:", "the cat sat"), []);
  assert.deepEqual(await texts("The completion:", "loss: 0.5", "kl: 0.1"), [], "figures");
  assert.deepEqual(await texts("The completion:", "if x:", "return y"), [], "code");
});

Deno.test("readFence() reads options in one row, and no figures of a log as such", async () => {
  const rows = await fenced("I run it with:", "", 'learning_rate=1e-3, optim="adamw_8bit", beta=0.0');
  assert.deepEqual(settingsOf(rows), ["5 learning_rate=0.001", '5 optim="adamw_8bit"', "5 beta=0"]);
  assert.deepEqual(recordsOf(await fenced("It prints:", "", "step=1, loss=0.5, reward=0.25")), [
    "5 1 loss=0.5 reward=0.25",
  ]);
});

Deno.test("readFence() reads names and values in two columns, and no claims", async () => {
  const intake = await fenced("It ends with:", "", "reward     0.05", "kl         0.001", "the outputs are gibberish");
  assert.deepEqual(recordsOf(intake).map((one) => one.split(" ").slice(2).join(" ")), ["reward=0.05 kl=0.001"]);
  assert.deepEqual([claimsOf(intake), toldOf(intake)], [[], []]);
});

Deno.test("readFence() keeps settings named __proto__ like others, and gives nothing for an empty fence", async () => {
  const intake = await fenced("Config:", "yaml", "__proto__: 1", "beta: 0.04");
  assert(settingsOf(intake).includes("6 beta=0.04"));
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  assert.deepEqual(settingsOf(await fenced("Config:", "yaml")), []);
});

Deno.test("readFence() has each row of a JSON value that is set over several lines at the line of its brace", async () => {
  const rows = ["{", '"loss": 0.5,', '"step": 1', "},", "{", '"loss": 0.25,', '"step": 2', "}"];
  assert.deepEqual(recordsOf(await fenced("trainer_state:", "json", "[", ...rows, "]")), [
    "6 1 loss=0.5",
    "10 2 loss=0.25",
  ]);
});
