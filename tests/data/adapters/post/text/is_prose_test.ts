import assert from "node:assert/strict";
import { isProse } from "../../../../../data/adapters/post/text/is_prose.ts";

for (
  const text of [
    "Hi all, I train a model and the reward stays at zero.",
    "我在训练模型，奖励一直是零，请问大家怎么办",
    "モデルを学習していますが、報酬がずっとゼロです。",
    "학습을 하고 있는데 보상이 계속 0입니다. 왜 그런가요",
    "Bonjour, je lance un entraînement et la récompense reste nulle.",
    "Hallo, ich trainiere ein Modell und der Verlust bleibt gleich.",
    "Hola, mi modelo no aprende nada y la recompensa es cero.",
    "Olá, meu modelo não aprende e a recompensa fica em zero.",
    "Привет, мы обучаем модель, и награда всё время нулевая.",
    "The reward stays at zero for the whole run with eight samples.",
    "[10:31] mira: the reward stays at zero for my whole run, why",
    "> 奖励一直是零，该怎么改？ 😭🔥",
    "# Recompensa em zero\n\nPessoal, alguém já viu isso em um treino de modelo\nkl 0,1",
    "各位大佬帮看看，才几步训练就崩了：\nstep 1 loss 0.5\nstep 2 loss 0.4\nstep 3 loss 9",
    "All eight answers of a group are the same text. The reward of every group is zero for the whole run.",
    "Learning rate fixed at 0\nThe learning rate stays at zero for the whole run.\nlr: 0\nlr: 0\nlr: 0\nlr: 0",
    "奖励一直是零，八个回答都一样，\n不知道问题在哪里",
    "Some text\n```\n{'loss': 0}\n```",
    "Colab notebook, copy of the table:\n\nStep\treward\n1\t0.5\n2\t0.6",
    "Step\treward\n1\t0.5\n2\t0.6\n3\t0.6\n4\t0.6\n\nThe correctness reward never comes. Outputs are empty tags.",
    "X-R1 3B 中文数学，下面是最前面三条记录：\n\n{'loss': 0.1}\n{'loss': 0.1}",
    "verl, GRPO. actor/entropy 0.38, critic/score/mean 0.0, response_length/clip_ratio 0.97, (max_response_length=1024), same numbers on every one of 60 steps.",
    "{'loss': 0.1}\n{'loss': 0.1}\n{'loss': 0.1}\nCan anyone tell me what is going on here with it?",
  ]
) {
  Deno.test(`isProse() is true of "${text.slice(0, 32)}…"`, () => assert(isProse(text)));
}

for (
  const text of [
    "{'loss': 0.1, 'reward': 0.5}\n{'loss': 0.2, 'reward': 0.5}",
    "INFO 11-23 17:50:38 [engine.py:12] Avg prompt throughput: 1234.5 tokens/s, running: 12 reqs",
    "You're using a Qwen2TokenizerFast tokenizer. Please note that with a fast tokenizer, using the `__call__` method is faster.",
    "Some weights of the model checkpoint were not used when initializing",
    "UserWarning: please pass your input's `attention_mask` to obtain reliable results when needed",
    "loading the weights now\n{'loss': 0.5}\nThe reward stays at zero in this story of the two sisters\n{'loss': 0.5}\n{'loss': 0.4}",
    "Mon Nov 24 10:00:00 2025 the job starts on node seven of eight",
    "step 1 loss 0.5\nstep 2 loss 0.4",
    "Training starts now\n\n{'loss': 0.5}",
    "{'loss': 0.1}\n\nThe model was saved to the folder. All of the workers have finished.\n\n{'loss': 0.1}",
    "INFO: the reward stays at zero for the whole run.\n\n{'loss': 0.1}",
    "{'loss': 0.1}\nThe reward stays at zero in this story. The end of it.\n{'loss': 0.1}\n{'loss': 0.2}",
    "It was a dark night in the old town and nobody saw it coming",
    "",
    "\n \n",
  ]
) {
  Deno.test(`isProse() is false of "${text.slice(0, 32)}…"`, () => assert(!isProse(text)));
}

for (
  const [what, text] of [
    ["a table as people set it", "| step | reward |\n|---|---|\n| 10 | 0.1 |\n| 20 | 0.3 |\n"],
    ["a list of figures by train step", "GRPO\n- step 100: loss 2.1, reward 0.3\n- step 200: loss 2.0, reward 0.4\n"],
    ["such a list in another script", "第100步：reward 0.4\n第200步：reward 0.5\n"],
  ] as const
) {
  Deno.test(`isProse() is true of a short text with ${what}`, () => assert(isProse(text)));
}

Deno.test("isProse() is false of lines by train step that a program prints, and of a long log with a table", () => {
  assert(!isProse("step 100: loss 2.1, reward 0.3\nstep 200: loss 2.0, reward 0.4\n"));
  const line = "{'loss': 0.5, 'step': 1}\n";
  assert(!isProse(`${line.repeat(100)}| task | acc |\n|---|---|\n| gsm8k | 0.4 |\n`));
});
