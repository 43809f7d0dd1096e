import assert from "node:assert/strict";
import { Chat, chatLine } from "../../../../../data/adapters/post/text/chat.ts";
import { claimsOf, readPost, recordsOf } from "../read_post.ts";

for (
  const [line, name, rest] of [
    ["[10:31] mira: the loss is nan", "mira", "the loss is nan"],
    ["10:31 Jo Doe: hm", "Jo Doe", "hm"],
    ["[2026/3/1 10:31] 小王：一直是零", "小王", "一直是零"],
    ["[2026/3/1 10:31] 小王： 一直是零", "小王", "一直是零"],
    ["3/1/26, 10:31 AM - mira: hm", "mira", "hm"],
    ["(10:31:07) <mira> hm", "mira", "hm"],
    ["[10:31:07] INFO: loading", null, null],
    ["[10:31] step: 5 loss", null, null],
    ["[10:31] loss: 0.5 and", null, null],
    ["[10:31] trainer: resumed", null, null],
    ["10:31 is when it stopped", null, null],
    ["mira: hm", null, null],
    ["", null, null],
  ] as const
) {
  Deno.test(`chatLine() finds ${name ?? "nobody"} in "${line}"`, () => {
    assert.deepEqual(chatLine(line), name === null ? null : { name, rest });
  });
}

Deno.test("Chat takes who speaks first for the author", () => {
  const chat = new Chat();
  const speakers = ["[10:31] mira: a", "[10:32] tom: b", "no stamp", "[10:33] mira: c"].map((line) =>
    chat.take(line)?.speaker ?? null
  );
  assert.deepEqual(speakers, ["author", "other", null, "author"]);
});

Deno.test("PostReader reads a chat without its stamps, and takes nothing of who answers for the run's", async () => {
  const text = [
    "[10:31] mira: Hi, why is that? The loss is NaN.",
    "[10:31] mira: {'loss': nan, 'reward': 0.1, 'epoch': 1}",
    "[10:32] tom: For me the KL explodes.",
    "{'loss': 0.5, 'reward': 0.7, 'epoch': 1}",
    "[10:33] mira: The outputs are gibberish.",
  ].join("\n");
  const intake = await readPost(text);
  assert.deepEqual(claimsOf(intake), ["1 loss.not_finite", "other 3 kl.explodes", "5 completions.garbled"]);
  assert.equal(recordsOf(intake).length, 1);
});

Deno.test("each message of a chat is a sentence: what one says is not said of what the next one speaks of", async () => {
  const text = [
    "[10:31] ann: my grpo run is dead",
    "[10:31] ann: reward 0.0 for 80 steps",
    "[10:32] ann: why?",
  ].join("\n");
  assert.deepEqual(claimsOf(await readPost(text)), ["2 reward.zero"]);
  const chat = new Chat();
  assert.equal(chat.ended("no chat"), "no chat");
  chat.take("[10:31] mira: a");
  assert.deepEqual(["it is", "is it?", "it is:"].map((line) => chat.ended(line)), ["it is.", "is it?", "it is:"]);
});
