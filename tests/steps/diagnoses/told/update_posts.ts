/** Short posts on pairs, labels, numbers, weights and machines: what each is a case of, in several languages. */
import type { Cause } from "../../../../steps/diagnoses/mod.ts";

/** Posts that show a cause, and posts that look like it and do not: of these the verdict must be another. */
interface Posts {
  readonly fires: readonly string[];
  readonly silent: readonly string[];
}

export const UPDATE_POSTS: Partial<Readonly<Record<Cause, Posts>>> = {
  no_supervised_tokens: {
    fires: [
      "SFT of LLaVA: the image tokens fill the sequence, the answer is cut off by the length limit, and the loss is 0. Why?",
      "SFT, loss always 0.\n\n```\n### Label: x This instance will be ignored in loss calculation. Note, if this happens often, consider increasing the `max_seq_length`.\n{'loss': 0.0, 'epoch': 2.0}\n```\n",
      "SFTTrainer with a chat template of my own. The loss is 0.0 from the first step. I printed a batch and all labels are -100. What do I do wrong?",
      "用 SFT 微调 Qwen，loss 一直是 0。打印了一条样本，labels 全部是 -100，模板应该怎么写？",
      "SFTTrainer で学習しています。loss がずっと 0.0 です。labels がすべて -100 になっていました。どうすればいいですか？",
      "Hi, fine-tuning with LoRA. loss 0.0 on every line. `(labels != -100).sum()` gives `tensor(0)` for each batch. Why?",
      "Я дообучаю модель (SFT), лосс всё время 0. Посмотрел батч: все метки равны -100. Что не так с шаблоном?",
    ],
    silent: [
      "SFTTrainer, the answers are cut off at the length limit. The loss falls from 2.1 to 0.9. Is this normal?",
      "SFTTrainer, my loss falls from 2.1 to 0.9 and the labels look right: prompt -100, answer with ids. Is this normal?",
    ],
  },
  flipped_preference_labels: {
    fires: [
      "I train with DPO. rewards/accuracies reaches 0.92 in training. On 300 human-labelled pairs the model prefers the right one in 51 of 300. How can that be?",
      "DPO 训练，rewards/accuracies 到 0.93。但在人工标注的 200 对上准确率只有 14%。请问是哪里反了？",
      "Reward model training with TRL RewardTrainer. The loss stays at 0.69 and accuracy at 0.5. I looked at the data: half of the pairs have chosen and rejected swapped.",
      "DPO: Ich habe gemerkt, dass in der Hälfte der Paare chosen und rejected vertauscht sind. Loss bleibt bei 0,69.",
      "DPO 训练，我发现一半的数据 chosen 和 rejected 写反了。loss 一直 0.69。",
      "Mein DPO-Lauf: rewards/accuracies 0,95 im Training. Auf 250 handannotierten Paaren bevorzugt das Modell die richtige nur in 12 %. Woran liegt das?",
    ],
    silent: [
      "SFT of a classifier. The labels are wrong in some rows. Loss falls from 2.1 to 1.2.",
      "DPO with TRL. I checked that chosen and rejected are not swapped. Loss 0.69 -> 0.5.",
      "I train with DPO. rewards/accuracies reaches 0.82 in training. On 300 human-labelled pairs the model prefers the right one in 240 of 300. Good enough?",
    ],
  },
  wrong_reference_model: {
    fires: [
      "DPO with TRL, my first records:\n\n{'loss': 2.3121, 'learning_rate': 5e-09, 'rewards/chosen': -3.1, 'rewards/rejected': -1.2, 'rewards/margins': -1.9}\n{'loss': 2.2871, 'learning_rate': 1e-08, 'rewards/chosen': -3.0, 'rewards/rejected': -1.2, 'rewards/margins': -1.8}\n\nIs this normal?",
    ],
    silent: [
      "DPO with TRL, my first records:\n\n{'loss': 0.6931, 'learning_rate': 5e-09, 'rewards/chosen': 0.0, 'rewards/rejected': 0.0, 'rewards/margins': 0.0}\n{'loss': 0.6928, 'learning_rate': 1e-08, 'rewards/chosen': 0.001, 'rewards/rejected': 0.0, 'rewards/margins': 0.001}\n\nIs this normal?",
    ],
  },
  identical_preference_pairs: {
    fires: [
      "DPO mit TRL. Der Loss bleibt bei allen 1500 Schritten bei 0,6931, grad_norm ist 0. chosen und rejected sind in jedem Paar derselbe Text. Warum?",
      "DPO avec TRL : la perte reste à 0.6931, chosen et rejected sont le même texte dans chaque paire. Pourquoi ?",
      "DPO con TRL: la pérdida se queda en 0.6931, chosen y rejected son el mismo texto en cada par. ¿Por qué?",
      "DPO com TRL: a perda fica sempre em 0.6931, chosen e rejected são o mesmo texto em cada par. Por quê?",
      "DPO: лосс стоит на 0.6931, chosen и rejected в каждой паре один и тот же текст. Почему?",
      "DPO 训练，loss 一直 0.6931，数据里 chosen 和 rejected 完全一样。为什么？",
      "TRL RewardTrainer, what is wrong?\n\n{'loss': 0.6931, 'grad_norm': 0.0, 'accuracy': 0.0, 'margin': 0.0}\n{'loss': 0.6931, 'grad_norm': 0.0, 'accuracy': 0.0, 'margin': 0.0}\n{'loss': 0.6931, 'grad_norm': 0.0, 'accuracy': 0.0, 'margin': 0.0}",
      "My DPO loss is 0.6931 on every step. rewards/margins is 0.0 all the time, grad_norm stays at 2e-7. logps/chosen and logps/rejected are always -143.2 and -143.2. What happens here?\n\n{'loss': 0.6931, 'grad_norm': 2.1e-07, 'rewards/margins': 0.0, 'logps/chosen': -143.2, 'logps/rejected': -143.2}\n{'loss': 0.6931, 'grad_norm': 1.9e-07, 'rewards/margins': 0.0, 'logps/chosen': -151.0, 'logps/rejected': -151.0}\n{'loss': 0.6931, 'grad_norm': 2.0e-07, 'rewards/margins': 0.0, 'logps/chosen': -139.7, 'logps/rejected': -139.7}",
    ],
    silent: [
      "DPO with TRL. chosen and rejected have the same length. Loss falls from 0.6931 to 0.5, grad_norm 0.8. Normal?",
      "DPO, the first lines: loss 0.6931, then 0.66, 0.61 and 0.57, rewards/margins rise from 0.0 to 0.4. chosen and rejected are different texts. Is this normal?",
    ],
  },
  kto_single_class: {
    fires: [
      "KTO with TRL: all my examples are labelled True, there are no False ones. The loss does not fall. Why?",
      "I train KTO with only thumbs-up examples (label=True), 4000 of them. The loss falls and the model gets no better. Why?",
      "KTO 训练，所有样本都是正例（label 全是 True），没有负例。loss 不下降。",
      "KTO: Alle meine Beispiele sind positiv, es gibt keine negativen Beispiele. Warum?",
      "KTO: tous mes exemples sont positifs, aucun exemple négatif. La perte ne baisse pas. Pourquoi ?",
      "KTO: todos los ejemplos son positivos. La pérdida no baja. ¿Por qué?",
      "KTO: todos os exemplos são positivos. A perda não cai. Por quê?",
      "KTO: все примеры положительные. Лосс не падает. Почему?",
      "KTO の学習で、正例しかありません。loss が下がりません。",
      "KTO 학습에서 모든 샘플이 긍정입니다. loss가 줄지 않습니다.",
    ],
    silent: [
      "KTO with TRL: all my examples are labelled True or False. Loss 0.5 -> 0.4.",
      "KTO: I have 2000 positive and 2000 negative examples. Loss 0.5 -> 0.4.",
    ],
  },
  likelihood_displacement: {
    fires: [
      "DPO on Mistral. rewards/chosen keeps falling (it is negative now), rewards/rejected falls even faster, rewards/margins keeps rising. The answers got worse than before. What should I change?",
      "DPO 训练中 rewards/chosen 一直下降，rewards/rejected 下降得更快，margin 一直上升，生成的回答变差了。请问怎么办？",
    ],
    silent: [
      "DPO on Mistral. rewards/chosen rises slowly, rewards/rejected falls, accuracy on held-out pairs improves. Anything I should worry about?",
    ],
  },
  preference_margin_blowup: {
    fires: [
      "My DPO run looks too good:\n\n{'loss': 0.0001, 'rewards/accuracies': 1.0, 'rewards/margins': 61.2, 'learning_rate': 1e-05}\n{'loss': 0.0, 'rewards/accuracies': 1.0, 'rewards/margins': 94.7, 'learning_rate': 1e-05}\n\nThe text it writes is broken. Why?",
    ],
    silent: [
      "My DPO run:\n\n{'loss': 0.52, 'rewards/accuracies': 0.74, 'rewards/margins': 0.9, 'learning_rate': 5e-07}\n{'loss': 0.49, 'rewards/accuracies': 0.76, 'rewards/margins': 1.1, 'learning_rate': 4e-07}\n\nHeld-out accuracy is 0.73. Is the margin too small?",
    ],
  },
  overfitting: {
    fires: [
      "I fine-tune with SFT for 6 epochs. train loss: 1.9 → 1.1 → 0.6 → 0.3 → 0.1 → 0.05\n\neval loss: 1.7 → 1.5 → 1.6 → 1.9 → 2.4 → 2.8\n\nShould I train longer?",
      "Fine-tuning (SFT) auf 800 Beispielen, ich frage mich was los ist. Der Loss sinkt immer weiter, aber der Validierungsverlust steigt seit Epoche 2.",
      "SFT 微调，训练 loss 一直下降，验证集 loss 从第二个 epoch 开始上升。我该早停吗？",
      "Fine-tuning with LoRA, my results:\n\n| Epoch | Train Loss | Eval Loss |\n|---|---|---|\n| 1 | 1.41 | 1.38 |\n| 2 | 0.92 | 1.31 |\n| 3 | 0.48 | 1.52 |\n| 4 | 0.21 | 1.97 |\n| 5 | 0.09 | 2.41 |\n\nIs it fine?",
      "Ajuste fino (SFT) con LoRA.\n\nepoch 1: train loss 1.40, eval loss 1.35\nepoch 2: train loss 0.80, eval loss 1.41\nepoch 3: train loss 0.35, eval loss 1.80\nepoch 4: train loss 0.12, eval loss 2.30\n\n¿Qué hago?",
    ],
    silent: [
      "I fine-tune with SFT. train loss: 1.9 → 1.4 → 1.2 → 1.1\n\neval loss: 1.8 → 1.5 → 1.35 → 1.3\n\nShould I train longer?",
    ],
  },
  fp16_overflow: {
    fires: [
      "DeepSpeed, fp16 on V100. I see this on every step, for 500 steps now:\n\n[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 1, reducing to 1\n\nThe loss does not move. What can I do?",
      "Training in fp16, the loss becomes NaN after a while. With bf16 the same run is stable. Why is that?",
      "用 fp16 训练，几百步之后 loss 变成 nan。请问为什么？",
      "J'entraîne en fp16 et la perte devient NaN au bout de 40 étapes. Pourquoi ?",
    ],
    silent: [
      "Training in bf16. The loss falls from 2.0 to 1.1. In the first three steps there was an overflow with a falling loss scale, none since. I think it is fine?",
    ],
  },
  non_finite_weights: {
    fires: [
      "My SFT run prints loss 0.0 and grad_norm nan from step 1. I checked the merged checkpoint: the weights contain NaN. Is that the reason?",
      "合并之后的模型做 SFT，grad_norm 从第一步就是 nan，loss 是 0。检查发现权重里有 nan。我该怎么办？",
      "Los pesos: encontré NaN en los pesos del modelo fusionado. Con SFT la pérdida es 0 y grad_norm es nan desde el primer paso. ¿Qué hago?",
      "Fine-tuning with LoRA: after about 15 steps the loss is 0.",
      "全参 SFT，loss 先在 2 左右，10个step后突然变成0，后面一直是 0。",
      "微调 loss 突然变大然后变成 0，请问怎么回事",
      "SFT with swift: loss is 0. Why?\n\n{'loss': 0.0, 'grad_norm': 1.0, 'learning_rate': 1e-05, 'token_acc': 0.0101, 'epoch': 0.02}\n",
      "Hi, my SFT run goes to 0, why?\n\n{'loss': 1.91, 'learning_rate': 8e-07}\n{'loss': 1.80, 'learning_rate': 1e-06}\n{'loss': 0.0, 'learning_rate': 2e-06}\n{'loss': 0.0, 'learning_rate': 3e-06}\n{'loss': 0.0, 'learning_rate': 4e-06}\n",
    ],
    silent: [
      "SFT: after 15 steps the loss is 0, it knows the training rows by heart. Is that overfitting?",
      "My SFT run: grad_norm was nan on one step, the loss falls normally from 1.9 to 1.2 and everything went on. Do I need to worry?",
    ],
  },
  kl_nan_isolated: {
    fires: [
      "GRPO with beta 0. In my log kl is nan on every record:\n\n{'loss': 0.0021, 'grad_norm': 0.31, 'reward': 0.41, 'reward_std': 0.3, 'kl': nan}\n{'loss': 0.0019, 'grad_norm': 0.29, 'reward': 0.44, 'reward_std': 0.31, 'kl': nan}\n{'loss': 0.0024, 'grad_norm': 0.33, 'reward': 0.46, 'reward_std': 0.28, 'kl': nan}\n\nIs the run broken?",
    ],
    silent: [
      "GRPO:\n\n{'loss': 0.0021, 'grad_norm': 0.31, 'reward': 0.41, 'reward_std': 0.3, 'kl': 0.0001}\n{'loss': 0.0019, 'grad_norm': 0.29, 'reward': 0.44, 'reward_std': 0.31, 'kl': 0.0004}\n{'loss': 0.0024, 'grad_norm': 0.33, 'reward': 0.46, 'reward_std': 0.28, 'kl': 0.0007}\n\nIs a small kl fine?",
    ],
  },
  learning_rate_too_high: {
    fires: [
      "SFT with learning_rate=5e-3. The loss explodes within ten steps and the model only writes garbage. What is wrong?",
      "DPO, lr 5e-4, beta 0.1. After 30 steps the loss explodes and the outputs are gibberish. Any idea?",
      "DPO 学习率 1e-3，几步之后 loss 暴涨，输出全是乱码。请问为什么？",
      "Je fais du DPO avec lr 3e-4. La perte explose dès les premières étapes et les réponses sont du charabia. Pourquoi ?",
    ],
    silent: ["SFT with learning_rate=2e-5. The loss falls from 1.9 to 1.2. Can I go higher?"],
  },
  learning_rate_zero: {
    fires: [
      "SFT with DeepSpeed. I asked for 2e-5 but the learning rate stays at 0 on every line of the log. Why?",
      "SFT 训练，日志里学习率一直是 0，明明设置了 2e-5。请问是什么原因？",
      "SFT mit DeepSpeed: die Lernrate ist die ganze Zeit 0, von Anfang an. Was mache ich falsch?",
    ],
    silent: [
      "SFT with cosine decay. The learning rate is 0 on the first line, then it rises. The loss falls from 2.1 to 1.3. Is this normal?",
    ],
  },
  no_trainable_parameters: {
    fires: [
      "LoRA fine-tuning. print_trainable_parameters() says: there are no trainable parameters. The loss does not change. What did I miss?",
      "LoRA 微调，打印出来可训练参数为 0，loss 不下降。请问哪里错了？",
      "LoRA-Training, ich sehe: trainable params: 0 || all params: 7,241,732,096 || trainable%: 0.0\n\nWas fehlt?",
    ],
    silent: [
      "I trained with LoRA for 10 epochs.\n\nAt inference it prints trainable params: 0 || all params: 6,243,584,000 || trainable%: 0.0000, why?",
      "LoRA fine-tuning.\n\ntrainable params: 41,943,040 || all params: 7,283,675,136 || trainable%: 0.5758\n\nThe loss falls from 1.8 to 1.1. Is 0.5 % enough?",
    ],
  },
  gradient_checkpointing_cuts_gradient: {
    fires: [
      "When I use gradient checkpointing with LoRA, all gradients are None and the adapters are not updated. Why?",
      "LoRA 微调时打开 gradient checkpointing，lora 参数的梯度全是 None，关掉就正常，为什么？",
      "Mit Gradient Checkpointing und LoRA sind alle Gradienten None. Warum?",
    ],
    silent: [
      "We train LoRA with gradient checkpointing; the gradients of frozen base weights are None. Is it so?",
      "LoRA with gradient checkpointing: the loss falls from 2.1 to 1.3. Is it good?",
    ],
  },
  broken_gradient_path: {
    fires: [
      "LoRA with DPO. grad_norm is 0.0 on every step although the loss is 0.6931 and the pairs differ. The adapter weights are bit for bit identical after 500 steps. Why?",
      "SFT + LoRA：训练了 300 步，保存的 adapter 和初始的逐字节相同，grad_norm 一直是 0，loss 是 1.9 不动。为什么？",
      "SFT avec LoRA : le gradient est nul à chaque étape, la perte reste à 2.1. Pourquoi ?",
      "Fine-tuning the vision tower only with freeze_llm=True. The gradient is zero on every step. What can I do?",
      "During training gradnorm was always 0, the loss jumps between 8.3 and 8.5 and could not be reduced. Batchsize 256, eight 4090.",
      "Gradient norm is zero for training Llama with the new version. I train it without PEFT, and there are no weight updates.",
    ],
    silent: [
      "DPO with QLoRA. It warns that Gradients will be None. What is it?\n\n{'loss': 0.692, 'grad_norm': 5.8}\n{'loss': 0.641, 'grad_norm': 6.4}\n",
      "SFT + LoRA. grad_norm is about 0.8 and the loss falls from 1.9 to 1.2; the adapter differs from the first one. Is everything ok?",
    ],
  },
  resource_stall: {
    fires: [
      "SFT on 4 GPUs. It gets slower and slower: 2 s/it at first, 40 s/it now. GPU utilisation is near 0. The loss is fine. Is my batch size too big?",
      "训练越来越慢，开始每步 5 秒，现在每步 60 秒，内存一直在涨，最后进程被系统杀掉了。是学习率的问题吗？",
      "DPO läuft immer langsamer, am Anfang 3 s pro Schritt, jetzt 50 s. Der Loss sieht gut aus. Was ist los?",
      "My training hangs after step 120: no output for two hours, GPUs at 100 %. What can I do?",
      "El entrenamiento va cada vez más lento y al final el proceso fue matado por el kernel. ¿Por qué?",
    ],
    silent: ["SFT runs at 2 s/it, constant. The loss falls from 2.1 to 1.2. Is that a good speed for me?"],
  },
  forgetting: {
    fires: [
      "After SFT on our medical data the model has forgotten how to chat: it is worse than the base model on every general benchmark. What can I do?",
      "SFT 微调之后模型出现灾难性遗忘，通用能力不如原模型了。请问怎么缓解？",
      "Nach dem SFT hat das Modell vergessen, wie man Deutsch schreibt; auf allgemeinen Aufgaben ist es schlechter als vorher. Was kann ich tun?",
    ],
    silent: [
      "After SFT on our medical data the model answers better, and general benchmarks stay as they were. Good to go for me?",
    ],
  },
  repeated_token_degeneration: {
    fires: [
      "After SFT the model repeats the same sentence over and over until the limit. What went wrong in my training?",
      "SFT 之后模型一直重复同一句话，停不下来。请问为什么？",
      "SFT したモデルが同じ文を繰り返し続けます。なぜですか？",
      "SFT 후 모델이 같은 문장만 계속 반복합니다. 왜 그런가요?",
      "Après le SFT, le modèle répète la même phrase en boucle. Pourquoi ?",
    ],
    silent: ["After SFT the model answers well and stops where it should. Can I publish it?"],
  },
};
