import assert from "node:assert/strict";
import { withoutReported } from "../../../../../data/adapters/post/stance/reported_speech.ts";
import { claimsOf, readPost } from "../read_post.ts";

const open = async (text: string) => claimsOf(await readPost(`Hi, GRPO, a question?\n\n${text}\n`));

for (
  const text of [
    'I keep reading posts titled "GRPO loss is NaN from step 1" and "reward always 0" but I have neither.',
    'Does #2107 ("loss NaN from step 1, reward 0") also affect LoRA?',
    "My boss asked 'why is the loss NaN and the reward always 0' yesterday.",
    'I tried it (prompt: "Explain why the loss is NaN").',
    '"The loss is NaN", said nobody here.',
    "Mein Chef fragte „warum ist der Loss NaN“.",
    "Je lis des messages intitulés « la perte est NaN ».",
    'Veo publicaciones tituladas "la pérdida es NaN".',
    'Meu chefe perguntou "por que a perda é NaN".',
    "Вижу посты с заголовком «лосс NaN».",
    "我老看到标题为“loss 一直是 NaN”的帖子。",
    "「loss が NaN になる」という投稿をよく見ます。",
    '"loss가 NaN입니다"라는 글을 자주 봅니다.',
  ]
) {
  Deno.test(`what others say in quotation marks is no claim: ${text}`, async () =>
    assert.deepEqual(await open(text), []));
}

for (
  const text of [
    'I get "loss is nan" in the console.',
    'The log says "loss: nan" from step 1.',
    'I have the same problem as #2107 ("loss is NaN").',
    'My question is "why is the loss NaN".',
    "控制台显示“loss 是 NaN”。",
  ]
) {
  Deno.test(`what the author quotes is one: ${text}`, async () =>
    assert.deepEqual(await open(text), ["3 loss.not_finite"]));
}

Deno.test("withoutReported() leaves each character where it stood, and reads in time that grows with the text", () => {
  const text = 'asked "is it NaN" and so';
  assert.equal(withoutReported(text), "asked             and so");
  assert.equal(withoutReported("it isn't so, it's that"), "it isn't so, it's that");
  for (const part of ['"', "'a ", "asked ", '"abc" ', "«a"]) withoutReported(part.repeat(20_000));
});
