import assert from "node:assert/strict";
import { readPost, settingsOf } from "./read_post.ts";

for (
  const [sentence, ...wanted] of [
    ["I use temperature=0.01 and top_p=0.001 here, nothing else.", "3 temperature=0.01", "3 top_p=0.001"],
    ["We train with a learning rate of 5e-7 on it.", "3 learning_rate=5e-7"],
    ["学习率设为 1e-5，温度 0.9。", "3 learning_rate=0.00001", "3 temperature=0.9"],
    ["La température est de 0.7 chez nous.", "3 temperature=0.7"],
    ["Мы обучаем, скорость обучения 0.001 у нас.", "3 learning_rate=0.001"],
    ["I train it with num_generations: 8 on one card.", "3 num_generations=8"],
    ["Everything runs in fp16 on this card.", '3 torch_dtype="fp16"'],
    ["It isn't fp16, we train in bf16 everywhere.", '3 torch_dtype="bf16"'],
    ["Es liegt nicht an fp16, alles läuft in bf16.", '3 torch_dtype="bf16"'],
    ["Ce n'est pas le fp16, tout est en bf16.", '3 torch_dtype="bf16"'],
    ["No es fp16, todo corre en bf16.", '3 torch_dtype="bf16"'],
    ["Não é fp16, tudo roda em bf16.", '3 torch_dtype="bf16"'],
    ["Дело не в fp16, везде bf16.", '3 torch_dtype="bf16"'],
    ["不是 fp16 的问题，用的是 bf16。", '3 torch_dtype="bf16"'],
    ["fp16 ではなく bf16 です。", '3 torch_dtype="bf16"'],
    ["fp16이 아니라 bf16입니다.", '3 torch_dtype="bf16"'],
    ["It does not work in fp16 at all.", '3 torch_dtype="fp16"'],
    ["We run fp16, not bf16, on this card.", '3 torch_dtype="fp16"'],
    ["The training temperature 1.0 is as usual, the eval temperature 0 is not.", "3 temperature=1"],
    ["The entropy coefficient is 0 and the KL coefficient is 0.04.", "3 kl_coef=0.04"],
    ["La température est 0.9, la température d'évaluation 0.", "3 temperature=0.9"],
    ["With learning rate 0.5 it exploded, now with 1e-6 the reward rises.", "3 learning_rate=0.000001"],
    ["With lr=0.5 it exploded, now with 1e-6 the reward rises.", "3 learning_rate=0.000001"],
    ["When I use gradient checkpointing with LoRA it fails.", "3 gradient_checkpointing=true"],
    ["我们把 temperature 设成了 0，其他没动。", "3 temperature=0"],
    ["我们的 temperature 设为了 0，其他没动。", "3 temperature=0"],
    ["训练里温度调成 0.01，其他没动。", "3 temperature=0.01"],
    ["训练里学习率设成了 5e-4，其他没动。", "3 learning_rate=0.0005"],
    ["温度用的是 0，其他没动。", "3 temperature=0"],
    ["Here the temperature is set to 0 for all of it.", "3 temperature=0"],
    ["La température est réglée à 0 chez nous.", "3 temperature=0"],
    ["La temperatura está puesta a 0 en todo.", "3 temperature=0"],
    ["A temperatura foi definida como 0 aqui.", "3 temperature=0"],
    ["Die Temperatur ist auf 0 gesetzt bei uns.", "3 temperature=0"],
    ["Температура равна 0 у нас.", "3 temperature=0"],
    ["I pass --beta 0.0 and --vllm_mode=colocate to it.", "3 beta=0", '3 vllm_mode="colocate"'],
  ] as const
) {
  Deno.test(`readProseSettings() takes ${wanted.join(", ")} of "${sentence.slice(0, 40)}…"`, async () => {
    const found = settingsOf(await readPost(`Hi, why does it fail?\n\n${sentence}\n`)).map((one) =>
      one.replace("lr=", "learning_rate=")
    );
    for (const want of wanted) assert(found.includes(want), `${want} is not in ${found.join(", ")}`);
    assert.equal(found.length, wanted.length, found.join(", "));
  });
}

for (
  const sentence of [
    "Maybe I should use a learning rate of 5e-7 instead.",
    "Without temperature=0.01 it works for us.",
    "The paper reports a learning rate of 1e-6, they say.",
    "At first the learning rate was 1e-3 and it diverged.",
    "The learning rate schedule is what I do not understand.",
    "When I test it the temperature is 0.01 and top_p is 0.9.",
    "训练完推理时温度 0.01。",
    "推理时温度设成了 0。",
    "是不是应该把学习率改成 5e-7？",
  ]
) {
  Deno.test(`readProseSettings() takes nothing of "${sentence.slice(0, 40)}…"`, async () => {
    assert.deepEqual(settingsOf(await readPost(`Hi, why does it fail?\n\n${sentence}\n`)), []);
  });
}

Deno.test("readProseSettings() takes a comparison for no value", async () => {
  const intake = await readPost("Hi, why? It checks that batch_size % num_generations == 0 holds.\n");
  assert.deepEqual(settingsOf(intake), []);
});

for (const rate of ["1×10⁻⁶", "1e−6", "1e‑6", "1×10^-6", "1*10^-6", "1 x 10-6", "1e -6", "10^-6", "10^{-6}", "10⁻⁶"]) {
  Deno.test(`readProseSettings() reads a rate of ${rate} as 0.000001`, async () => {
    const ways = [`The learning rate is ${rate} here.`, `We train with lr = ${rate}, beta 0.04.`, `学习率为 ${rate}。`];
    for (const way of ways) {
      const { settings } = await readPost(`Hi, why does it fail?\n\n${way}\n`);
      assert.equal(settings.find(({ name }) => /rate|lr/.test(name))?.value, 1e-6, way);
    }
  });
}

for (
  const [sentence, ...wanted] of [
    ["actor lr 1e-6，critic lr 1e-3。", "3 learning_rate=0.000001", "3 critic_learning_rate=0.001"],
    [
      "We train PPO with a critic learning rate of 1e-3 and actor lr 1e-6.",
      "3 critic_learning_rate=0.001",
      "3 learning_rate=0.000001",
    ],
    ["The critic's lr is 1e-3 in our run.", "3 critic_learning_rate=0.001"],
    ["critic 的学习率为 1e-3，其他默认。", "3 critic_learning_rate=0.001"],
    ["Our learning rate of the critic is 1e-3 now.", "3 critic_learning_rate=0.001"],
    ["We use lr 1e-3 for the critic here.", "3 critic_learning_rate=0.001"],
    ["Critic lr: 1e-3, actor lr: 1e-6 in our run.", "3 critic_learning_rate=0.001", "3 learning_rate=0.000001"],
    ["I set critic_lr=1e-3 and lr=1e-6 in our run.", "3 critic_learning_rate=0.001", "3 learning_rate=0.000001"],
    ["We train with actor/critic lr 1e-6/5e-6 here.", "3 learning_rate=0.000001", "3 critic_learning_rate=0.000005"],
    ["We train with a value head learning rate of 1e-4.", "3 critic_learning_rate=0.0001"],
    ["We train it, reward model lr 9e-6, policy lr 1e-6.", "3 learning_rate=0.000001"],
    ["We train on critical tasks, lr 1e-6 for the policy.", "3 learning_rate=0.000001"],
  ] as const
) {
  Deno.test(`readProseSettings() tells whose rate it is: "${sentence.slice(0, 50)}"`, async () => {
    const found = settingsOf(await readPost(`Hi, why does it fail?\n\n${sentence}\n`)).map((one) =>
      one.replace(" lr=", " learning_rate=")
    );
    assert.deepEqual(found.toSorted(), [...wanted].toSorted());
  });
}
