/** Who speaks, where what begins and ends, and that what was not understood is listed. */
import assert from "node:assert/strict";
import { claimsOf, readPost, recordsOf, toldOf } from "./read_post.ts";

const UNKNOWN = "sentence not understood";
const skippedOf = async (text: string, name?: string) =>
  (await readPost(text, name)).skipped.map(({ line, reason, count }) => `${line} ${reason} ${count}`);

Deno.test("PostReader takes what others answer and what is quoted for no claim of the author", async () => {
  const intake = await readPost(
    "Hi, why? The loss is NaN. The KL is 0.5.\n\n> the reward is zero\n\n**Reply 1:** For me the KL explodes.\n\nEntropy collapses too.\n\n" +
      "**Author:** Now the outputs are gibberish.\n",
  );
  assert.deepEqual(claimsOf(intake), [
    "1 loss.not_finite",
    "quoted 3 reward.zero",
    "other 5 kl.explodes",
    "other 7 entropy.collapses",
    "9 completions.garbled",
  ]);
  assert(intake.skipped.some(({ source, reason }) => source === "answers of others" && /^2 lines/.test(reason)));
  assert(intake.skipped.some(({ reason, line }) => reason === "lines quoted from another message" && line === 3));
});

Deno.test("PostReader reads a quoted log where it is all there is, and figures of others never", async () => {
  assert.deepEqual(recordsOf(await readPost("Hello, why?\n\n> {'loss': 0.5, 'reward': 0.1, 'epoch': 1}\n")).length, 1);
  const answered =
    "Hello, why? It is stuck.\n\n**Reply 1:** mine:\n\n```\n{'loss': 0.5, 'reward': 0.1, 'epoch': 1}\n```\n";
  assert.deepEqual(recordsOf(await readPost(answered)), []);
  for (const before of ["**Reply 1:** ", "> "]) {
    const said = await readPost(`Hi, why? The loss is NaN.\n\n${before}my reward is 0.5 and my loss is 0.\n`);
    assert.deepEqual([toldOf(said), recordsOf(said)], [[], []], before);
    assert.deepEqual(claimsOf(said).filter((one) => !/^(?:other|quoted)/.test(one)), ["1 loss.not_finite"], before);
  }
});

Deno.test("PostReader reads a report that is passed on whole as its author's, and its quotations as quotations", async () => {
  const report =
    "> The loss is NaN.\n>\n> ```\n> {'loss': 0.5, 'reward': 0.1, 'epoch': 1}\n> ```\n>\n> > The reward is zero\n";
  const intake = await readPost(`mira wrote:\n\n${report}`);
  assert(claimsOf(intake).includes("3 loss.not_finite"));
  assert(!claimsOf(intake).includes("9 reward.zero"));
  assert.equal(recordsOf(intake).length, 1);
  const rows = await readPost("> | step | reward |\n> |---|---|\n> | 1 | 0.5 |\n> | 2 | 0.6 |\n");
  assert.deepEqual(recordsOf(rows), ["3 1 reward=0.5", "4 2 reward=0.6"]);
  const own = "I look at this now.\n\nIt is a new day here.\n\nWhat is it?\n\n";
  for (const before of [own, "The KL explodes.\n\n", "learning_rate: 1e-3\n\n"]) {
    const quoted = await readPost(`Hi, why?\n\n${before}> The loss is NaN.\n> It stays so.\n`);
    assert(!claimsOf(quoted).some((claim) => /^\d+ loss/.test(claim)), before);
  }
});

Deno.test("PostReader takes what a worker printed for nobody's sentence", async () => {
  const intake = await readPost(
    "Hi, why?\n(WorkerDict pid=4732) MICROBATCH STEP [repeated 16x across cluster]\nThe loss is NaN.\n",
  );
  assert.deepEqual(claimsOf(intake), ["3 loss.not_finite"]);
});

Deno.test("PostReader takes the whole sentence before a fence for what the fence shows, where it is broken", async () => {
  const text =
    "Hi, why? Here is one of the completions of step 12\nas it was\nprinted:\n\n```\nthe cat sat on the mat\n```\n";
  assert.deepEqual((await readPost(text)).completions.map(({ text }) => text), ["the cat sat on the mat"]);
});

Deno.test("PostReader ends a paragraph at empty lines, rules, headings, points and fences", async () => {
  for (const end of ["", "---", "# Heading", "```\nx\n```"]) {
    const intake = await readPost(`Hi, why? I look at the completions\n${end}\nidentical they are\n`);
    assert.deepEqual(claimsOf(intake), [], JSON.stringify(end));
  }
  assert.deepEqual(claimsOf(await readPost("Hi, why?\n\n- The loss is NaN\n- The KL explodes\n")), [
    "3 loss.not_finite",
    "4 kl.explodes",
  ]);
});

Deno.test("PostReader reads prose between spans of code, and none of the code", async () => {
  assert.deepEqual(
    claimsOf(await readPost("Hi, why? With `beta=0` the reward is zero and `num_generations` is 8.\n")),
    ["1 reward.zero"],
  );
  assert.deepEqual(claimsOf(await readPost("Hi, why? I call `if loss == nan: return 0` here.\n")), []);
});

Deno.test("PostReader reads a bar, and what is printed behind it on the same line", async () => {
  const record = "{'loss': 0.5, 'reward': 0.1, 'epoch': 1}";
  const bars = " 4%|█ | 1/25 [00:25<10:05, 25.24s/it]".repeat(200);
  const intake = await readPost(`Hi, why is it so?\n\n${bars}${record}\n`);
  assert.deepEqual(recordsOf(intake).map((one) => one.split(" ").slice(0, 1)), [["3"]]);
});

Deno.test("PostReader lists the sentences that it does not understand: the first line, and how many", async () => {
  assert.deepEqual(
    await skippedOf("Hi, why?\n\nMy cat is on the mat again.\nThe loss is NaN.\n\nIt will rain tomorrow I fear.\n"),
    [
      `3 ${UNKNOWN} 2`,
    ],
  );
  assert.deepEqual(
    await skippedOf("<html><body>\n<p>Hi</p>\n\n<p>My cat is on the mat again.</p></body></html>", "a.html"),
    [
      `4 ${UNKNOWN} 1`,
    ],
  );
  assert.deepEqual(await skippedOf("Hi, why?\n\nThe loss is NaN. The reward is 0.5.\n"), []);
});

Deno.test("PostReader lists nothing of the prose of others, of a log, or of figures", async () => {
  const log =
    "INFO engine started on node seven\n{'loss': 0.5, 'reward': 0.1, 'epoch': 1}\nsaving the model to a folder\n";
  assert.deepEqual(await skippedOf(log, "log.txt"), []);
  const answered = await skippedOf("Hi, why? The loss is NaN.\n\n**Reply 1:** My cat is on the mat again.\n");
  assert(!answered.some((one) => one.includes(UNKNOWN)), answered.join());
  assert.deepEqual(await skippedOf(`Hi, why?\n\n\`\`\`\n${log}\`\`\`\n`), []);
});

Deno.test("PostReader bounds a paragraph without an end, a sentence without an end, and a book", async () => {
  const text = "Hi, why?\n\n" + "The loss is NaN and nobody knows it\n".repeat(5000);
  const intake = await readPost(text);
  assert(intake.claims.length > 10);
  assert.equal(intake.claims[0]!.line, 3);
  assert(intake.claims.some(({ line }) => line > 2000), "what stands far down is read");
  const sentence = await skippedOf("Hi, why?\n\n" + "words ".repeat(5000) + "\n");
  assert.deepEqual(sentence, ["3 a sentence over 20000 characters 1"]);
  const book = await skippedOf("Hi, why?\n\n" + "The night was dark.\n\n".repeat(6000));
  assert(book.some((one) => /prose after 4000 clauses/.test(one)), book.join());
});

Deno.test("PostReader reads numbers told beside records of a log at their own lines", async () => {
  const intake = await readPost("Hi, why?\nThe reward is 0.5 at step 3.\n\n```\n{'loss': 0.5, 'step': 1}\n```\n");
  assert.deepEqual(toldOf(intake), ["2 reward is 0.5"]);
});
