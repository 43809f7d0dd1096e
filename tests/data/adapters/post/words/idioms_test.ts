import assert from "node:assert/strict";
import { clausesOf } from "../../../../../data/adapters/post/clauses.ts";
import { readClause } from "../../../../../data/adapters/post/read_clause.ts";
import { IDIOMS } from "../../../../../data/adapters/post/words/idioms.ts";

const sayings = (text: string) =>
  clausesOf([{ text, number: 1, ended: true }]).flatMap((clause) =>
    readClause(clause, "author", []).claims.map(({ subject, predicate }) => `${subject}.${predicate}`)
  );

const CASES = [
  [
    "labels.zero",
    [
      "The collator sets everything to ignore_index.",
      "supervised tokens: 0",
      "有效 token 数为 0。",
      "kein einziges Token geht in den Loss ein.",
      "All labels are -100.",
      "标签全是 -100。",
      "todas las etiquetas son -100.",
    ],
    "Some labels are -100.",
  ],
  [
    "adapter.constant",
    ["The adapter is byte-identical to the first one.", "适配器没有任何变化。", "Веса не изменились."],
    "The adapter changed a little.",
  ],
  [
    "parameters.not_finite",
    ["There are NaNs in the weights.", "权重里有 NaN。", "重みに NaN。"],
    "No NaNs in the weights.",
  ],
  ["logprobs.not_finite", ["The logits are NaN.", "logits 全为 nan。"], "The logits are large."],
  ["parameters.zero", [
    "No weights are being trained.",
    "优化器里没有参数。",
    "There are 0 trainable parameters.",
    "可训练参数：0。",
  ], "There are 12 trainable parameters."],
  ["adapter.empty", ["The adapter is 40 bytes.", "adapter 文件只有 40 字节。"], "The adapter is 40 MB."],
  [
    "completion_length.rises",
    ["Answers are twice as long as before.", "回答长度翻了两倍。", "Die Antworten sind doppelt so lang."],
    "Answers are as long as before.",
  ],
  [
    "completion_length.high",
    ["The outputs are far too long.", "输出特别长。", "Antworten viel zu lang."],
    "The outputs are short.",
  ],
  [
    "completions.repeats",
    ["It keeps saying the same line.", "不停地输出同样的话。", "La réponse part en répétition infinie."],
    "Nothing is repeated on loop.",
  ],
  [
    "policy.memorised",
    [
      "It only knows the exact questions it was trained on.",
      "дословно воспроизводит примеры из обучения.",
      "It copies the training answers word for word.",
      "训练集的答案一字不差。",
      "Es gibt die Trainingstexte wortwörtlich wieder.",
    ],
    "It does not copy the training answers.",
  ],
  [
    "evaluation.low",
    ["It fails on anything new.", "换个问法就答不对。", "Il échoue sur tout ce qui est nouveau."],
    "It does well on new prompts.",
  ],
  [
    "completions.identical",
    ["vLLM returns eight clones.", "四条跟复制的一样。", "Alle Antworten einer Gruppe sind gleich."],
    "No clones in there.",
  ],
  [
    "completions.same_everywhere",
    [
      'The actor constantly generates "</s>".',
      "同一个答案应付所有问题。",
      "für jedes Bild dieselbe Beschreibung.",
      "It ignores the prompt.",
      "不管问什么，都是同一段话。",
      "何を聞いても一文だけです。",
    ],
    "It does not ignore the prompt.",
  ],
  [
    "completions.garbled",
    ["All I get is a soup of subwords.", "输出一堆乱七八糟的字符。", "Es kommt nur Buchstabensalat."],
    "All I get is a proper sentence.",
  ],
  [
    "completions.token_zero",
    ["Every generated token id is 0.", "token id 全是 0。", "todos los tokens generados son 0."],
    "The first token id is 7.",
  ],
  [
    "completions.empty",
    [
      "The first generated token is the end token.",
      "El modelo emite EOS de inmediato.",
      "直接就输出结束符了。",
      "The first token is EOS.",
      "模型一个字都不说。",
      "Die Antwort ist ein leerer Text.",
    ],
    "None of it is an empty string.",
  ],
  [
    "completions.readable",
    ["All of it is well-formed English.", "回答读起来挺通顺。", "Les textes sont tout à fait lisibles."],
    "The texts are odd.",
  ],
  [
    "completions.correct",
    ["18 of 20 answers are right.", "人工检查，18 条答对。", "18 von 20 Lösungen stimmen."],
    "The teacher says that 18 of 20 are wrong.",
  ],
  [
    "completions.truncated",
    ["They never emit an EOS.", "没写完就被截断。", "Die Antworten erreichen das Maximum."],
    "All of them end by themselves.",
  ],
  [
    "logprobs.differs",
    ["The ratio at the first step is not 1.", "训推不一致很明显。", "Die Logprobs aus vLLM weichen ab."],
    "The log-probs agree.",
  ],
  [
    "parameters.frozen",
    ["Only the projector is trained.", "视觉编码器没有更新。", "Die Schichten sind eingefroren."],
    "Die Schichten sind nicht eingefroren.",
  ],
  [
    "training.overflows",
    ["The values exceed 65504.", "fp16 装不下。", "Les activations dépassent la plage."],
    "The values stay small.",
  ],
  [
    "loss_scale.low",
    ["The loss scale is already at its minimum.", "loss scale 降到底了。", "loss scale が最小値です。"],
    "The loss scale is not at its minimum.",
  ],
  [
    "training.killed",
    ["It exits with code 137.", "进程被系统杀掉。", "El proceso fue matado."],
    "The job was not killed.",
  ],
  [
    "training.hangs",
    ["It is stuck at step 12.", "卡在 0/500。", "Das Training bleibt bei 0/500 stehen."],
    "The loss is stuck at 0.69.",
  ],
  [
    "policy.forgets",
    [
      "It can't do general chat any more.",
      "Allgemeine Fähigkeiten sind nach dem Finetuning weg.",
      "原来的能力丢失严重。",
      "MMLU fell a lot.",
      "通用能力退化了。",
      "El modelo perdió sus capacidades.",
    ],
    "MMLU did not fall.",
  ],
  [
    "training.cheats",
    ["It flatters the judge.", "模型讨好裁判。", "Es nutzt ein Schlupfloch im Reward."],
    "It flatters nobody.",
  ],
  [
    "clip_fraction.high",
    ["Most of the tokens are clipped.", "大多数 token 都被裁剪了。"],
    "Few tokens are clipped.",
  ],
  ["gold.low", ["The annotators rank them in reverse.", "人工标注的结果正好相反。"], "Human annotators agree."],
  [
    "preference_accuracy.high",
    ["It separates chosen from rejected perfectly.", "It almost always ranks the chosen above the rejected."],
    "It reads chosen and rejected.",
  ],
  [
    "group_reward_std.zero",
    [
      "Die Streuung innerhalb der Gruppe ist null.",
      "todas las recompensas del grupo son iguales.",
      "All completions get the same score.",
      "组内所有回答的奖励都一样。",
    ],
    "All completions get a score of their own.",
  ],
  [
    "completion_length.falls",
    ["The answers get shorter and shorter.", "回复越来越短。"],
    "The answers are as they were.",
  ],
  [
    "kl.explodes",
    ["The policy drifts further and further away from the reference.", "离参考模型越来越远。"],
    "The policy stays near.",
  ],
  ["evaluation.zero", ["It solves not a single held-out problem.", "测试题全军覆没。"], "It solves some problems."],
  [
    "evaluation.constant",
    ["Every checkpoint gets the same score.", "每个 checkpoint 都差不多。"],
    "Every checkpoint is saved.",
  ],
  [
    "evaluation.falls",
    [
      "The benchmark numbers are lower after training than before.",
      "测试集准确率比训练前还低。",
      "Every checkpoint is worse than the one before.",
      "越往后的 checkpoint 越差。",
    ],
    "Every checkpoint is saved.",
  ],
  [
    "evaluation.rises",
    ["Every checkpoint is better than the one before.", "越往后的 checkpoint 越好。"],
    "Every checkpoint is saved.",
  ],
  ["loss.constant", ["It is 0.693 forever.", "一直卡在 0.693。"], "It is at 0.5."],
  [
    "grad_norm.worsens",
    [
      "Each spike is higher than the last.",
      "尖峰一次比一次高。",
      "Chaque fois un pic, chacun plus haut que le précédent.",
    ],
    "Each spike is lower than the last.",
  ],
  [
    "reward.at_maximum",
    ["Every sample gets full marks from step 1.", "All completions receive the maximum reward."],
    "No sample gets full marks.",
  ],
  [
    "eval_loss.rises",
    ["La perte d'entraînement baisse mais celle de validation remonte."],
    "La perte d'entraînement remonte.",
  ],
  [
    "completions.worsens",
    ["The answers are useless.", "生成的内容没法看。", "Die Antworten sind unbrauchbar.", "답변이 엉망입니다."],
    "The answers are useful.",
  ],
  ["policy.worsens", ["效果也越来越差。"], "效果也越来越好。"],
  [
    "grad_norm.noisy",
    ["Single batches produce gradients hundreds of times larger than usual.", "grad_norm 平时 0.5，隔一阵就蹦到上百。"],
    "The gradients of all batches are alike.",
  ],
  ["grad_norm.not_finite", ["p.grad.isnan().any() is True.", ".grad.isnan() 返回 True。"], "p.grad is a tensor."],
  ["entropy.collapses", ["There is no exploration left.", "策略变成确定性。"], "It explores."],
  ["entropy.rises", ["It is less and less certain.", "输出越来越接近均匀分布。"], "It is certain."],
  [
    "chosen.falls",
    ["The chosen responses become less and less likely.", "好的回答的概率越来越低。"],
    "The chosen responses are read.",
  ],
  [
    "rejected.falls",
    [
      "The rejected reward goes deeper into the negative.",
      "las logps de rejected caen continuamente.",
      "The rejected responses become less and less likely.",
      "被拒的回答的概率越来越低。",
    ],
    "The rejected responses are read.",
  ],
  [
    "margin.rises",
    ["Chosen and rejected drift apart.", "chosen 和 rejected 越来越远。"],
    "Chosen and rejected are close.",
  ],
  [
    "chosen.identical",
    [
      "chosen und rejected sind in jedem Paar derselbe Text.",
      "chosen et rejected sont le même texte.",
      "chosen y rejected son el mismo texto.",
      "chosen и rejected один и тот же текст.",
      "chosen 和 rejected 完全一样。",
      "chosen と rejected は同じ文章です。",
      "chosen과 rejected가 똑같습니다.",
    ],
    "chosen und rejected haben dieselbe Länge.",
  ],
  [
    "labels.wrong",
    [
      "Half of the pairs have chosen and rejected swapped.",
      "chosen und rejected sind vertauscht.",
      "chosen et rejected sont inversés.",
      "chosen y rejected están intercambiados.",
      "chosen e rejected estão trocados.",
      "chosen и rejected перепутаны.",
      "chosen 和 rejected 写反了。",
      "chosen と rejected が逆でした。",
      "chosen과 rejected가 뒤바뀌었습니다.",
    ],
    "chosen and rejected are not swapped.",
  ],
  [
    "labels.identical",
    [
      "All my examples are labelled True.",
      "Every single data point ends up as a desired example.",
      "The undesirable ones are gone.",
      "数据里所有的 kto_tag 都是 true。",
      "Alle Labels in meinem Datensatz sind True.",
      "I have only thumbs-up examples.",
      "Alle meine Beispiele sind positiv.",
      "Tous mes exemples sont positifs.",
      "Todos los ejemplos son positivos.",
      "Todos os exemplos são positivos.",
      "Все примеры положительные.",
      "所有样本都是正例。",
      "正例しかありません。",
      "모든 샘플이 긍정입니다.",
    ],
    "All my examples are labelled True or False.",
  ],
  [
    "grad_norm.zero",
    [
      "all gradients are None",
      "param.grad is None for all lora weights",
      "all gradients will be 'None'",
      "tous les gradients sont None",
      "alle Gradienten sind None",
      "los gradientes son None",
      "градиенты равны None",
      "lora参数的梯度全是None",
      "勾配がすべて None になる",
      "그래디언트가 전부 None",
    ],
    "The gradients of frozen base weights are None.",
  ],
  [
    "parameters.constant",
    [
      "there are no weight updates",
      "the adapters never get updated",
      "lora_A and B are not updated",
      "rien n'est mis à jour",
      "die Adapter werden nie aktualisiert",
      "los pesos no se actualizan",
      "os pesos não são atualizados",
      "веса не обновляются",
      "lora 权重没有更新",
      "LoRA の重みが更新されません",
      "가중치가 업데이트되지 않습니다",
    ],
    "The weights are updated after each batch.",
  ],
] as const;

for (const [saying, texts, silent] of CASES) {
  Deno.test(`IDIOMS say ${saying} without another subject, and not "${silent}"`, () => {
    for (const text of texts) assert(sayings(text).includes(saying), `${text} says ${sayings(text)}`);
    assert(!sayings(silent).includes(saying), silent);
  });
}

Deno.test("each idiom is tried above", () => {
  const tried = new Set<string>(CASES.map(([saying]) => saying));
  const rest = IDIOMS.map(({ subject, predicate }) => `${subject}.${predicate}`).filter((one) => !tried.has(one));
  assert.deepEqual(rest.filter((one) => one !== "training.slows"), []);
  assert(sayings("Each step is slower than the step before.").includes("training.slows"));
});
