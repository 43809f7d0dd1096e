/** Posts on pairs, labels, numbers, weights and machines as people ask: the causes that may be named first, or none. */
import type { Cause } from "../../../../steps/diagnoses/mod.ts";

/** What may be named first, and the post. */
export const NAMED: readonly (readonly [causes: readonly Cause[], post: string])[] = [
  [
    ["fp16_overflow", "non_finite_weights", "nan_loss"],
    "T4 で QLoRA をやっています（fp16）。途中から loss が nan になります。bf16 は T4 では使えません。対処法はありますか？",
  ],
  [
    ["learning_rate_too_high", "training_divergence"],
    "ORPO on Llama-3-8B, lr 8e-4 (the paper says 8e-6, I mistyped). After 40 steps loss jumps from 1.4 to 9.8 and never comes back, generations are random tokens.",
  ],
  [
    ["overfitting"],
    "I trained my LoRA for 20 epochs on 300 samples. Training loss is 0.01. It answers the training questions word for word but fails on anything new. eval_loss went from 1.2 to 3.1.",
  ],
  [
    ["overfitting"],
    "LoRA 微调 500 条数据 30 个 epoch，train loss 降到 0.005，但是换个问法就答不对，训练集里的问题能背出来。",
  ],
  [
    ["no_supervised_tokens"],
    "loss = 0 et eval_loss = nan depuis le début (SFTTrainer, DataCollatorForCompletionOnlyLM).\n\n```\nUserWarning: Could not find response key `### Answer:` in the following instance: ... This instance will be ignored in loss calculation.\n```\n\nJe ne comprends pas.",
  ],
  [
    ["no_trainable_parameters"],
    "```\ntrainable params: 0 || all params: 6,738,415,616 || trainable%: 0.0\n```\nI load an adapter with PeftModel.from_pretrained and continue SFT. Loss is constant at 1.83. What's missing?",
  ],
  [
    ["resource_stall"],
    "Our SFT job is killed after 3-4 hours, every time. dmesg says `Out of memory: Killed process 8812 (python)`. RAM use grows by 2 GB per 100 steps. Loss looks perfect.",
  ],
  [
    ["resource_stall"],
    "DPO training hangs at step 250 on 2 nodes. Then:\n\n```\n[E ProcessGroupNCCL.cpp:828] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1234, OpType=ALLREDUCE) ran for 1800000 milliseconds before timing out.\n```\nIs my loss function wrong?",
  ],
  [
    ["resource_stall"],
    "eval 之后训练速度从 3s/it 变成 30s/it，一直不恢复。loss 正常下降。是不是 DPO 的 beta 设得不对？",
  ],
  [
    ["identical_preference_pairs"],
    "DPO loss stuck at 0.6931 for 600 steps, rewards/margins 0.0, rewards/chosen equals rewards/rejected on every line, grad_norm 1e-7. I found that chosen and rejected are the same text after truncation.",
  ],
  [["invalid_config_value"], "DPO with beta=0. Loss is 0.6931 forever and grad_norm is 0."],
  [
    ["flipped_preference_labels"],
    "Reward model: train accuracy 0.88. On the 500 pairs labelled by experts accuracy is only 0.17. What went wrong?",
  ],
  [
    ["wrong_reference_model"],
    "DPO question: with TRL DPO, lr 5e-7, beta 0.1, the very first log line is\n\n```\n{'loss': 1.4521, 'grad_norm': 31.0, 'learning_rate': 2.1e-09, 'rewards/chosen': -5.2, 'rewards/rejected': -3.9, 'rewards/accuracies': 0.31, 'rewards/margins': -1.3, 'epoch': 0.0}\n```\nI pass the base model as ref_model. Is that ok?",
  ],
  [
    ["kto_single_class", "kto_vanilla_loss_nan"],
    "KTOTrainer: rewards/rejected is nan on every line and loss is nan. All my rows have label True.\n\n{'loss': nan, 'rewards/chosen': 0.02, 'rewards/rejected': nan, 'kl': 0.1}\n{'loss': nan, 'rewards/chosen': 0.03, 'rewards/rejected': nan, 'kl': 0.1}\n{'loss': nan, 'rewards/chosen': 0.05, 'rewards/rejected': nan, 'kl': 0.2}",
  ],
  [
    ["preference_margin_blowup", "learning_rate_too_high", "likelihood_displacement"],
    "| step | loss | rewards/margins | rewards/accuracies | rewards/chosen |\n|---|---|---|---|---|\n| 50 | 0.12 | 9.8 | 0.98 | -4 |\n| 100 | 0.003 | 38 | 1.00 | -22 |\n| 150 | 0.0000 | 71 | 1.00 | -49 |\n\nLooks perfect, but the model writes nonsense. DPO, lr 5e-6.",
  ],
  [
    ["likelihood_displacement", "preference_margin_blowup"],
    "DPO: logps/chosen drops from -120 to -310, logps/rejected from -130 to -520, margins up to 14. The model's answers got shorter and worse. Is that expected?",
  ],
  [
    ["gradient_checkpointing_cuts_gradient"],
    "LoRA + gradient_checkpointing:\n\n```\nRuntimeError: element 0 of tensors does not require grad and does not have a grad_fn\n```\nWhat to do?",
  ],
  [
    ["repeated_token_degeneration"],
    "ファインチューニング後、「はい、はい、はい、はい、はい、はい」のように同じ言葉を延々と繰り返します。学習損失は下がっていました。",
  ],
  [
    ["forgetting", "overfitting"],
    "| model | MMLU | GSM8K | our task |\n|---|---|---|---|\n| base | 64.1 | 55.2 | 31.0 |\n| after SFT | 41.3 | 12.0 | 78.5 |\n\nSFT on 20k rows of our task, lr 2e-5, 5 epochs. General skills are gone.",
  ],
  [
    ["update_too_small", "learning_rate_zero"],
    "SFT with lr 1e-9 by mistake... after 2000 steps the loss is exactly where it started (2.31) and the outputs are the same as the base model's.",
  ],
  [
    ["non_finite_weights", "fp16_overflow", "nan_loss"],
    "Loss NaN from the first step in SFT of a model that I quantised and merged myself; the lm_head contains inf values. What now?",
  ],
  [
    ["training_divergence", "learning_rate_too_high"],
    "SFT, lr 1e-4 full fine-tuning: loss goes 1.9, 2.4, 4.8, 9.1, 33.0, inf. I use AdamW.",
  ],
  [
    ["non_finite_weights", "fp16_overflow", "nan_loss"],
    "alpaca-lora on V100 with load_in_8bit. After ~1k steps:\n\n```\n{'loss': 0.9321, 'learning_rate': 0.00021, 'epoch': 0.8}\n{'loss': 0.0, 'learning_rate': 0.0002, 'epoch': 0.83}\n{'loss': 0.0, 'learning_rate': 0.00019, 'epoch': 0.86}\n{'eval_loss': nan, 'epoch': 0.86}\n```\nAnd the model outputs only '!!!!'. fp16=True.",
  ],
  [
    ["no_trainable_parameters", "broken_gradient_path"],
    "After finetuning with alpaca-lora, adapter_model.bin is only 443 bytes. Training itself ran without any error, loss went from 2.1 to... well it stayed at 2.1. What is missing in the saved file?",
  ],
  [
    ["no_supervised_tokens"],
    "Unsloth says: `All labels in your dataset are -100. Training losses will be all 0.` and indeed loss is 0. I use train_on_responses_only with the llama template on a Qwen model.",
  ],
  [
    ["resource_stall"],
    "CUDA out of memory after exactly 112 steps of SFT, the first 111 are fine:\n\n```\ntorch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.31 GiB\n```\nloss looks normal (1.3). Is my learning rate too high?",
  ],
  [
    ["repeated_token_degeneration", "no_supervised_tokens"],
    "微调后的模型回答完不停，会一直重复最后一句，直到 max_new_tokens。训练用的是 pad_token = eos_token。",
  ],
  [
    ["non_finite_weights", "nan_loss", "fp16_overflow"],
    "LLaMA-Factory sft Qwen2.5-7B，V100，fp16。loss 一直 0，grad_norm nan：\n\n{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 4.9e-05, 'epoch': 0.01}\n{'loss': 0.0, 'grad_norm': nan, 'learning_rate': 4.8e-05, 'epoch': 0.02}",
  ],
  [
    ["flipped_preference_labels", "identical_preference_pairs", "broken_gradient_path"],
    "Reward model training with 40k pairs. After a full epoch (600 steps) accuracy is 0.50 and the loss is 0.693 on every step, grad_norm about 1.2. I tried lr 1e-5 and 5e-6.",
  ],
  [
    ["overfitting"],
    "学習データ 500 件、10 エポック。train loss は 0.03 まで下がったのに、eval loss は 2 エポック目から上がり続けています（1.2 → 2.6）。",
  ],
  [
    ["overfitting"],
    "Fine-tuning: train loss drops at each new epoch like a staircase (1.4, 0.8, 0.3) and eval loss climbs from 1.3 to 2.2. Why the stairs?",
  ],
  [
    ["learning_rate_too_high", "training_divergence", "non_finite_weights"],
    "QLoRA with learning_rate 2e-2. loss: 1.8, 6.5, 11.2, nan. What is happening?",
  ],
  [
    ["learning_rate_too_high", "preference_margin_blowup", "likelihood_displacement", "repeated_token_degeneration"],
    "После DPO с lr=1e-4 модель выдаёт мусор: бесконечные повторы. loss быстро упал до 0.01, margin вырос до 35. Что я сделал не так?",
  ],
  [
    ["fp16_overflow", "non_finite_weights", "nan_loss"],
    "T5 fine-tuning with fp16=True gives loss nan / 0.0. Without fp16 it trains fine. t5-large.",
  ],
  [
    ["broken_gradient_path", "gradient_checkpointing_cuts_gradient", "no_trainable_parameters"],
    "grad_norm: 0.0 on all steps with LoRA + gradient_checkpointing=True, loss does not change (1.92). Warning: `None of the inputs have requires_grad=True. Gradients will be None`.",
  ],
  [
    ["broken_gradient_path", "update_too_small", "no_trainable_parameters"],
    "I compared the LoRA weights before and after DPO training: they are exactly the same, torch.equal returns True for all of them. Loss moves around 0.69.",
  ],
  [
    ["identical_preference_pairs"],
    "DPO のロスが 0.6931 のまま変わりません。chosen と rejected が同じ文章になっていました。",
  ],
  [
    ["wrong_reference_model", "preference_margin_blowup"],
    "DPO after SFT-LoRA: loss starts at 0.02 instead of 0.69:\n\n{'loss': 0.0213, 'learning_rate': 1e-07, 'rewards/chosen': 6.1, 'rewards/rejected': -4.2, 'rewards/accuracies': 1.0, 'rewards/margins': 10.3, 'epoch': 0.01}",
  ],
  [
    ["kto_vanilla_loss_nan", "nan_loss", "kto_single_class"],
    "KTO: batch size 1, loss is nan on some steps:\n\n{'loss': 0.48, 'rewards/chosen': 0.1, 'rewards/rejected': nan}\n{'loss': nan, 'rewards/chosen': nan, 'rewards/rejected': -0.1}\n{'loss': 0.47, 'rewards/chosen': 0.2, 'rewards/rejected': nan}\n{'loss': nan, 'rewards/chosen': nan, 'rewards/rejected': -0.2}",
  ],
  [
    ["resource_stall"],
    "NCCL timeout after 30 min at step 0 of DPO with 8 GPUs. `Watchdog caught collective operation timeout`. GPU utilization 100 %, nothing happens.",
  ],
  [
    ["invalid_config_value"],
    "orpo: beta: \"0.1\" in yaml and lr 5e-6 was parsed as a string:\n\n```\nTypeError: '<=' not supported between instances of 'float' and 'str'\n```\nlearning_rate: '5e-6'",
  ],
  [
    ["training_divergence", "learning_rate_too_high"],
    "loss 开始 2.1，然后 2.8、4.5、7.9、11.3，一直涨。全参 SFT，lr 1e-5。",
  ],
  [
    ["length_inflation", "preference_margin_blowup", "reward_hacking"],
    "After DPO the answers are three times as long (210 → 640 tokens) but the judged win rate stays at 50 %. beta 0.1, lr 5e-7.",
  ],
  [
    ["mode_collapse", "overfitting", "repeated_token_degeneration"],
    "After SFT the model gives the same answer to every question, no matter what I ask: 'I am an AI assistant developed by ...'. 3 epochs, 2000 rows, loss 0.02.",
  ],
  [
    ["overfitting"],
    "KoAlpaca 스타일로 2천 건을 SFT 했습니다. 10 에폭 동안 train loss 는 0.02 까지 떨어졌는데 eval loss 는 3 에폭부터 계속 올라갑니다. 괜찮은 건가요?",
  ],
  [
    ["overfitting"],
    "Hice SFT con 900 ejemplos. La pérdida de entrenamiento baja siempre, pero la pérdida de validación sube desde la época 2. ¿Cuándo paro?",
  ],
  [
    ["resource_stall"],
    "Обучение SFT: сначала 2 с/шаг, потом всё медленнее, сейчас 45 с/шаг. Лосс нормальный. Память растёт, процесс убит системой.",
  ],
  [
    ["resource_stall"],
    "학습이 점점 느려집니다. 처음에는 스텝당 3초였는데 지금은 스텝당 50초입니다. loss 는 정상적으로 내려갑니다.",
  ],
  [
    ["resource_stall"],
    "学習がだんだん遅くなり、最初は 3 s/it だったのが今は 40 s/it です。損失は下がっています。原因は何でしょうか。",
  ],
  [
    ["non_finite_weights", "nan_loss", "fp16_overflow"],
    "V100 で fp16 の SFT、最初のステップから loss 0.0、grad_norm nan です。",
  ],
  [
    ["learning_rate_too_high", "training_divergence"],
    "SFT mit Lernrate 1e-2: der Loss explodiert nach wenigen Schritten, danach kommt nur noch Kauderwelsch heraus. Was ist da los?",
  ],
  [
    ["learning_rate_zero"],
    "学習率がずっと 0 のままです。5e-5 を指定したのに、ログの learning_rate は毎回 0 になっています。",
  ],
  [
    ["no_trainable_parameters"],
    "LoRA を付けたのに trainable params: 0 || all params: 1,543,714,304 || trainable%: 0.0 と出ます。loss は変わりません。",
  ],
  [
    ["broken_gradient_path"],
    "LoRA 학습인데 grad_norm 이 계속 0 이고 loss 는 2.1 에서 변하지 않습니다. 학습 파라미터 수는 4천만 개로 나옵니다.",
  ],
  [
    ["identical_preference_pairs"],
    "DPO loss 一直是 0.6931，margin 是 0。后来发现 chosen 和 rejected 完全一样，数据处理写错了。",
  ],
  [
    ["likelihood_displacement", "preference_margin_blowup"],
    "В DPO rewards/chosen падает ниже нуля, rewards/rejected падает ещё быстрее, margin растёт, а ответы стали хуже. Это нормально?",
  ],
  [
    ["forgetting"],
    "Depois do SFT o modelo esqueceu tudo: está pior que o modelo base em todos os benchmarks gerais. O que faço?",
  ],
  [
    ["forgetting"],
    "SFT したら元の能力を忘れてしまいました。一般的な質問に答えられなくなりました。どうすればいいですか。",
  ],
  [["repeated_token_degeneration"], "DPO 后模型输出变成无限重复：“好的好的好的好的好的好的好的”。beta 0.1，lr 5e-7。"],
  [
    ["fp16_overflow", "nan_loss", "non_finite_weights"],
    "En fp16 la pérdida se vuelve NaN después de 200 pasos. En bf16 no pasa. ¿Qué hago?",
  ],
  [["no_supervised_tokens"], "loss 为 0，检查 labels 发现全是 -100，是 response template 没匹配上吗？"],
  [
    ["kto_single_class", "kto_vanilla_loss_nan"],
    "KTO 학습인데 rewards/rejected 가 모든 줄에서 nan 입니다. 데이터에 label=True 만 있습니다.\n\n{'loss': 0.4, 'rewards/chosen': 0.1, 'rewards/rejected': nan}\n{'loss': 0.39, 'rewards/chosen': 0.2, 'rewards/rejected': nan}\n{'loss': 0.38, 'rewards/chosen': 0.3, 'rewards/rejected': nan}",
  ],
  [
    ["training_divergence", "learning_rate_too_high"],
    "Der Loss steigt statt zu fallen: 2,0 → 2,9 → 4,8 → 9,5. SFT, lr 2e-5, bf16.",
  ],
  [
    ["gradient_spikes", "training_divergence"],
    "SFT 13B: grad_norm is around 1 but spikes to 60-200 every few hundred steps, each time the loss jumps up and needs 100 steps to come back; the loss does not improve any more.",
  ],
];

/** Too little to name a cause. */
export const HELD_BACK: readonly string[] = [
  "My loss is NaN, what can it be? I use a custom dataset.",
  "DPO 训练 loss 不下降，请问是为什么？",
  "Training is very slow on my GPU. Is that normal?",
  "学習がうまくいきません。loss が下がらないです。どうすればいいでしょうか？",
  "After SFT the model is bad. Which hyperparameters should I change?",
  "grad_norm is sometimes nan in my SFT run, loss otherwise looks ok. I have not saved the log.",
  "DPO: loss stays at 0.69 for the first 10 steps. Should I worry? lr 5e-7 with warmup.",
  "SFT 之后推理结果和没训练一样，是不是 LoRA 没有加载？",
  "DPO: rewards/chosen is negative. Is this normal?",
  "Loss is 0.0 in my SFT run. I have no other log. What should I check?",
  "reward model accuracy is 0.6, paper says 0.7. Which parameters did you use?",
  "KTO loss is nan since yesterday. I lost the log file.",
  "The loss curve of my fine-tuning looks strange, see the picture.\n\n![loss](https://example.org/loss.png)",
  "SFT 학습 loss 가 잘 안 내려가요. 왜 그럴까요?",
  "Мой DPO не работает, ответы плохие. Что проверить?",
  "Ma perte est NaN. Que faire ?",
  "Reward-Modell: Genauigkeit 0,63. Ist das gut?",
];

/** Nothing is wrong, whatever is asked. */
export const SOUND: readonly string[] = [
  "DPO first loss is 0.6931 and rewards are 0 on line one. Then loss goes down to 0.55 with margins rising to 0.6 and eval accuracy 0.72. Is the 0.6931 a problem?",
  "I see `OVERFLOW! Skipping step. Attempted loss scale: 65536, reducing to 32768` twice at the start, afterwards never. Loss goes from 2.2 to 1.3 over 900 steps. OK?",
  "The learning rate in my log is 0.0 on the first line (warmup), then it grows to 2e-5. Loss falls steadily: 2.0, 1.7, 1.5, 1.4. Is my scheduler broken?",
  "SimPO loss is 1.1, above ln 2. It falls to 0.9, reward accuracies 0.8, eval win rate goes from 50 to 61 %. Is the level wrong?",
  "Only 0.5% of parameters are trainable (LoRA). trainable params: 20,971,520 || all params: 8,051,232,768. Loss falls from 1.6 to 1.0, eval loss from 1.5 to 1.1. Too few?",
  "One grad_norm spike of 40 at step 12 during warmup, since then 0.5 to 0.9, loss falls from 2.4 to 1.2. Should I lower the rate?",
  "First step takes 90 s, all others 4 s. Loss falls from 2.1 to 1.4. Is my disk slow?",
  "eval loss 1.31 → 1.22 → 1.18 → 1.17 → 1.18, train loss 1.4 → 1.0. Is this overfitting already?",
  "Is it normal that the DPO loss on the first step is exactly 0.6931?\n\n{'loss': 0.6931, 'grad_norm': 3.1, 'learning_rate': 1e-08, 'rewards/chosen': 0.0, 'rewards/rejected': 0.0, 'rewards/accuracies': 0.0, 'rewards/margins': 0.0}\n{'loss': 0.6702, 'grad_norm': 3.0, 'learning_rate': 2e-07, 'rewards/chosen': 0.03, 'rewards/rejected': -0.02, 'rewards/accuracies': 0.61, 'rewards/margins': 0.05}\n{'loss': 0.6120, 'grad_norm': 2.8, 'learning_rate': 5e-07, 'rewards/chosen': 0.1, 'rewards/rejected': -0.12, 'rewards/accuracies': 0.70, 'rewards/margins': 0.22}",
  "SFT: 第一个 epoch loss 从 1.8 降到 1.1，之后每个 epoch 降一点，eval loss 1.15、1.08、1.06。grad_norm 0.5 左右。曲线不太平滑，正常吗？",
  "grad_norm is 15 in my DPO run, is this too high? loss 0.69 → 0.52, accuracy 0.5 → 0.74, eval accuracy 0.72, everything finite.",
  "KTO: kl is exactly 0.0 on many lines, is the reference model broken? loss 0.50 → 0.41, rewards/chosen 0.0 → 0.8, rewards/rejected 0.0 → -0.6.",
  "Training is slower than I thought: 12 s/it, constant from the first to the last step. Loss 2.0 → 1.2. Can I speed it up?",
  "trainable%: 0.06. Is it too low for LoRA? Loss 1.9 → 1.2, outputs look good.",
  "Warnung: `None of the inputs have requires_grad=True`. Der Loss sinkt aber von 1,9 auf 1,2 und grad_norm ist etwa 0,8. Muss ich etwas tun?",
  "Ошибка ли это: eval loss чуть вырос с 1.10 до 1.12 в конце, train loss 1.05. Качество на тесте 71 % → 73 %.",
  "DPO の最初の loss が 0.6931 でした。その後 0.58 まで下がり、eval の accuracy は 0.71 です。問題ないでしょうか？",
  "SFT loss von 1,9 auf 1,2, Validierungsverlust von 1,8 auf 1,3. Ist 1,3 zu hoch?",
  "Первый шаг занял 2 минуты, дальше 4 с/шаг. Лосс падает с 2.1 до 1.3, eval loss с 2.0 до 1.4. Всё ли в порядке?",
  "rewards/chosen 是负的（-0.3），rewards/rejected 是 -1.2，margin 0.9，验证集准确率从 0.5 升到 0.74，正常吗？",
];
