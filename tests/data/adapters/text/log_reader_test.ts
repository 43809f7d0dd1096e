import assert from "node:assert/strict";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { LogReader, type TextRole } from "../../../../data/adapters/text/log_reader.ts";

/** What each line is taken for, and what is taken. */
function read(role: TextRole, ...texts: string[]) {
  const intake = new Intake();
  intake.openSource("a.txt", "console", 0);
  const reader = new LogReader(intake, role);
  const taken = texts.map((text, i) => reader.take({ text, number: i + 1, ended: i < texts.length - 1 }));
  reader.end();
  const settings = intake.settings.map(({ line, name, value }) => `${line} ${name}=${JSON.stringify(value)}`);
  return {
    taken,
    settings,
    records: intake.source.records,
    messages: intake.messages,
    completions: intake.completions,
    intake,
  };
}

const RECORD = "{'loss': 0.5, 'reward': 0.25, 'epoch': 0.1}";

Deno.test("LogReader.take() is true of records, commands and options, false of prose", () => {
  const { taken, records, settings } = read(
    "post",
    RECORD,
    "python train.py --beta 0.04",
    "learning_rate: 1e-6",
    "It is odd.",
    "",
  );
  assert.deepEqual(taken, [true, true, true, false, false]);
  assert.equal(records, 1);
  assert(settings.includes("2 beta=0.04") && settings.includes("3 learning_rate=0.000001"), settings.join(", "));
});

Deno.test("LogReader.take() reads every state of a line that is drawn over, and a line end of Windows", () => {
  const { taken, records } = read("log", ` 1%| | 1/9\r${RECORD}\r`, `${RECORD.replace("0.1", "0.2")}\r`);
  assert.deepEqual(taken, [true, true]);
  assert.equal(records, 2);
});

Deno.test("LogReader takes an error in a log for a message, and one that a person tells of in a post for none", () => {
  const told = "I get a NaN error and then CUDA out of memory on my card";
  assert.equal(read("log", told).messages.length > 0, true);
  assert.deepEqual(read("post", told).messages, []);
  assert.equal(
    read("post", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB").messages.length > 0,
    true,
  );
});

Deno.test("LogReader takes options in a sentence of a post for none: they are read as prose", () => {
  const sentence = read("post", "I pass --beta 0.0 and then --seed 1 to it.");
  assert.deepEqual([sentence.settings, sentence.taken], [[], [false]]);
  assert.deepEqual(read("post", "beta: 0 because I read that in a paper").settings, []);
  assert.deepEqual(read("log", "  --beta 0.0 --seed 1").settings, ["1 beta=0", "1 seed=1"]);
  assert.deepEqual(read("post", "beta: 0.04  # as in the paper").settings, ["1 beta=0.04"]);
});

Deno.test("LogReader reads nested options of a configuration, and none that the end of the file cuts", () => {
  assert.deepEqual(read("configuration", "actor:", "  lr: 0.5", "seed: 7", "").settings, [
    "2 actor.lr=0.5",
    "3 seed=7",
  ]);
  const cut = read("configuration", "seed: 7", "learning_rate: 0");
  assert.deepEqual(cut.settings, ["1 seed=7"]);
  assert.deepEqual(cut.intake.skipped.map(({ reason }) => reason), [
    "a setting that may be cut off at the end of the file",
  ]);
});

Deno.test("LogReader takes the lines of a file of completions for texts, and options of a script", () => {
  assert.equal(read("completions", "Completion 1: the cat sat on the mat", "").settings.length, 0);
  assert.deepEqual(read("script", "config = GRPOConfig(beta=0.04, num_generations=8)  # seed=1").settings, [
    "1 beta=0.04",
    "1 num_generations=8",
  ]);
});

Deno.test("LogReader leaves out a line longer than a record that holds none, and says so", () => {
  const { taken, intake } = read("post", "x".repeat(50_001), "=:".repeat(200_000), " ".repeat(40_000) + "|");
  assert.deepEqual(taken, [true, true, false]);
  assert.deepEqual(intake.skipped.map(({ line, count }) => [line, count]), [[1, 2]]);
});

Deno.test("LogReader.pause() ends what spans lines", () => {
  const { records } = read("log", "{", "  'loss': 0.5,", "  'reward': 0.25,", "  'epoch': 1.0", "}");
  assert.equal(records, 1);
});
