/** What is found in completions, entropy and sampling, in Chinese: templates as those of `templates.ts`. @module */

export const FOUND_TEXTS_ZH: readonly (readonly [english: string, chinese: string])[] = [
  // ***** length *****
  [
    "no completion token counts in the loss: all completions are truncated and masked",
    "没有补全词元计入损失：所有补全都被截断并掩掉",
  ],
  [
    "no completion token counts in the loss: {} of the completions are truncated and masked",
    "没有补全词元计入损失：{1} 的补全被截断并掩掉",
  ],
  [
    "hardly any completion token counts in the loss: {} of the completions are truncated and masked",
    "几乎没有补全词元计入损失：{1} 的补全被截断并掩掉",
  ],
  [
    "hardly any completion token counts in the loss: all completions are truncated and masked",
    "几乎没有补全词元计入损失：所有补全都被截断并掩掉",
  ],
  [
    "[on average ]{} of the completions reach the length cap[ (mean length {} tokens)], with a reward above the floor",
    "{1} 的补全到达长度上限[（平均 {2} 个词元）]，奖励高于最低处",
  ],
  [
    "[on average ]{} of the completions reach the length cap[ (mean length {} tokens)] and {said}",
    "{1} 的补全到达长度上限[（平均 {2} 个词元）]，{3}",
  ],
  [
    "on {} of the records all completions reach the length cap[ (mean length {} tokens)], with a reward above the floor",
    "{1} 的记录上所有补全都到达长度上限[（平均 {2} 个词元）]，奖励高于最低处",
  ],
  [
    "on {} of the records all completions reach the length cap[ (mean length {} tokens)] and {said}",
    "{1} 的记录上所有补全都到达长度上限[（平均 {2} 个词元）]，{3}",
  ],
  ["{name} goes from {} to {}", "{1} 从 {2} 变到 {3}"],
  ["the reward is at its floor", "奖励在最低处"],
  ["the reward is at its floor on {} of the records", "{1} 的记录上奖励在最低处"],
  ["none of all are right, whatever is rewarded", "没有一个答对，不论奖励给了什么"],
  ["on average {} of all are right, whatever is rewarded", "平均只有 {1} 答对，不论奖励给了什么"],
  ["the mean reward is {}", "平均奖励为 {1}"],
  ["no group has spread", "组内没有差异"],
  ["on {} of the records no group has spread", "{1} 的记录上组内没有差异"],
  [
    "the share of completions that reach the length cap went from {} to {}, and since {step} {said}",
    "到达长度上限的补全比例从 {1} 变到 {2}，而[自{3}起]{4}",
  ],
  [
    "up to {step} [on average ]{} of the completions reach the length cap, and over the run {name} goes from {} to {}",
    "[到{1}为止，]{2} 的补全到达长度上限，而整个训练中 {3} 从 {4} 变到 {5}",
  ],
  [
    "completions went from about {} to {} tokens, and since {step} {said}",
    "补全从约 {1} 变到 {2} 个词元，而[自{3}起]{4}",
  ],
  ["completions went from {} to {} tokens while {name} changed by {}", "补全从 {1} 变到 {2} 个词元，而 {3} 变化了 {4}"],
  // ***** entropy *****
  [
    "entropy fell from {} to {} nats per token while the reward changed by {}",
    "熵从每词元 {1} nat 降到 {2}，而奖励变化了 {3}",
  ],
  [
    "entropy went from about {} to {} nats per token, and since {step} {said}",
    "熵从每词元约 {1} nat 变到 {2}，而[自{3}起]{4}",
  ],
  [
    "the policy is deterministic from the start: entropy {} nats per token, one text in {} of the groups",
    "策略一开始就是确定的：熵为每词元 {1} nat，{2} 的组只有一段文本",
  ],
  [
    "the entropy is {} nats per token of the given texts, near that of random weights",
    "在给定文本上熵为每词元 {1} nat，接近随机权重",
  ],
  // ***** broken texts *****
  [
    "completions are one character over and over: token id 0, what a sampler emits for NaN logits",
    "补全反复写同一个字符：词元编号 0，这是采样器遇到 NaN logits 时写的",
  ],
  ["{} of the completions answer as if the image were noise or empty", "{1} 的补全像是看到噪声或空白图像在作答"],
  [
    "the entropy is {} nats per token and {said}: an untrained model, or broken text",
    "熵为每词元 {1} nat，{2}：模型未经训练，或文本是坏的",
  ],
  ["every reward is at the floor", "每个奖励都在最低处"],
  ["every goal is 0", "各项目标都是 0"],
  [
    "the first completions read as noise ({} odd changes of character class per character)[; entropy {} nats per token]",
    "最初的补全像是噪声（每字符 {1} 次不正常的字符类别变化）[；熵为每词元 {2} nat]",
  ],
  [
    "the entropy is {} nats per token from the first record, near that of random text, and {said}",
    "从第一条记录起熵就是每词元 {1} nat，接近随机文本，{2}",
  ],
  [
    "{where} not one box is read ({name} 0, which pays wrong boxes too) and not one {name}: what is sampled is no text that the model would write",
    "{1}没有读到一个框（{2} 为 0，而错的框也有分），也没有一个 {3}：采样出的不是模型会写的文本",
  ],
  [
    "{where} boxes and format are met by luck alone ({text}, and wrong boxes are paid too): what is sampled is no text that the model would write",
    "{1}框与格式只是碰巧对上（{2}，而错的框也有分）：采样出的不是模型会写的文本",
  ],
  [
    "the update of {step} is not finite; the weights are. First: {text}",
    "[{1}的]更新不是有限值，权重是。最先出现在：{2}",
  ],
  // ***** texts that are alike *****
  ["sampling is near-greedy: {text}", "采样近乎贪心：{1}"],
  ["all completions of a group are the same text, in {} groups", "{1} 个组里，组内所有补全都是同一段文本"],
  [
    "all completions of a group are the same text, in {} of {} groups",
    "{2} 个组中有 {1} 个，组内所有补全都是同一段文本",
  ],
  [
    "{name} has partial credit, and {where} every completion of a group gets the same: the completions are the same",
    "{1} 给部分分，而{2}同组的每个补全得分都相同：补全是相同的",
  ],
  [
    "{where} the mean length is a whole number of 1/{} tokens, as the reward of {} groups that tie: within a group all completions are equally long, as copies are",
    "{1}平均长度总是 1/{2} 个词元的整数倍，奖励也合于 {3} 个同分的组：同组的补全一样长，像是复制品",
  ],
  [
    "all completions of a group are the same text[, in {} groups,] while the entropy at temperature 1 is {} nats per token",
    "[{1} 个组里，]组内所有补全都是同一段文本，而温度 1 时熵为每词元 {2} nat",
  ],
  [
    "all completions of a group are the same text, in {} of {} groups, while the entropy at temperature 1 is {} nats per token",
    "{2} 个组中有 {1} 个，组内所有补全都是同一段文本，而温度 1 时熵为每词元 {3} nat",
  ],
  [
    "one text is {} of the completions of {} different prompts[ (at first {})]",
    "同一段文本占 {2} 个不同提示的补全的 {1}[（起初 {3}）]",
  ],
  [
    "the mean reward is {} and every completion has {} tokens, on different batches",
    "不同批次上平均奖励都是 {1}，每个补全都是 {2} 个词元",
  ],
  [
    "one text is {} of the completions from {step} on, for {} different prompts (at first {})",
    "[从{2}起]同一段文本占补全的 {1}，涉及 {3} 个不同的提示（起初 {4}）",
  ],
  ["{} of the completions repeat without end[ (at first {})]", "{1} 的补全没完没了地重复[（起初 {2}）]"],
  [
    "at risk: {} of the completions from {step} on repeat without end, {} of the first ones",
    "有风险：[从{2}起]{1} 的补全没完没了地重复，最初为 {3}",
  ],
  [
    "{} of the completions from {step} on repeat without end, {} of the first ones",
    "[从{2}起]{1} 的补全没完没了地重复，最初为 {3}",
  ],
  ["{} prompts of the train step have {} different texts", "这个训练步的 {1} 个提示只有 {2} 段不同的文本"],
  ["{} prompts of the train step have {} different text", "这个训练步的 {1} 个提示只有 {2} 段不同的文本"],
  // ***** sampler and trainer *****
  ["{name} is {}: verl calls above {} a problem", "{1} 为 {2}：verl 认为高于 {3} 就有问题"],
  ["{name} is {}: most of the sample carries no weight", "{1} 为 {2}：样本大部分没有权重"],
  ["{name} is {}: a KL between sampler and trainer above {}", "{1} 为 {2}：采样器与训练器之间的 KL 高于 {3}"],
  ["{name} is {}: the mean ratio is outside {} to {}", "{1} 为 {2}：平均比率超出 {3} 到 {4}"],
  ["{name} is {}: ratios scatter by more than 1", "{1} 为 {2}：比率的离散超过 1"],
  [
    "{name} is {}: NeMo-RL wants token_mult_prob_error below 1.05",
    "{1} 为 {2}：NeMo-RL 要求 token_mult_prob_error 低于 1.05",
  ],
  ["{name} is {}: 1e-3 to 1e-2 nats are usual between engines", "{1} 为 {2}：引擎之间通常只差 1e-3 到 1e-2 nat"],
  ["{name} goes from about {} to {} from {step} on: {said}", "{1} [从{4}起]从约 {2} 变到 {3}：{5}"],
  ["sampler and trainer drift apart", "采样器与训练器越来越不一致"],
  ["ever less of the sample carries weight", "样本中有权重的越来越少"],
  ["the policy that samples grows ever older", "采样用的策略越来越旧"],
  [
    "sampler and trainer differ by {} nats on one token; one fp32 engine gives 1e-5",
    "采样器与训练器在一个词元上相差 {1} nat；同一个 fp32 引擎只差 1e-5",
  ],
  [
    "sampler and trainer differ by {} nats on one token; rounding to 8 or 4 bits gives less than {}",
    "采样器与训练器在一个词元上相差 {1} nat；舍入到 8 位或 4 位也不到 {2}",
  ],
  [
    "the ratio of the only update of a rollout is {}, want 1: old_logprobs are stale",
    "一批采样仅有的一次更新比率为 {1}，应为 1：old_logprobs 已过期",
  ],
];
