/** What is found in supervised and preference training, the critic, configurations and the machine, in Chinese: templates as those of `templates.ts`. @module */

export const FOUND_PAIRS_ZH: readonly (readonly [english: string, chinese: string])[] = [
  // ***** pairs *****
  ["the loss is {} {where}", "损失{2}为 {1}"],
  [
    "the loss is {} {where} and chosen and rejected have the same log-probability",
    "损失{2}为 {1}，优选与劣选的对数概率相同",
  ],
  [
    "the log-probabilities of chosen and rejected are exactly 0: no token of either counts",
    "优选与劣选的对数概率恰好是 0：两者都没有词元计入",
  ],
  [
    "accuracy is {} in training and {} on held-out data: the labels are swapped",
    "训练准确率 {1}，留出集准确率 {2}：标签对调了",
  ],
  ["the margin is {} in training and {} on held-out data", "训练差距 {1}，留出集差距 {2}"],
  [
    "the margin falls from about {} to {} from {step} on and the loss is back at {}: the labels say something else than before",
    "[从{3}起]差距从约 {1} 降到 {2}，损失回到 {4}：标签与之前说的不一样",
  ],
  [
    "held-out accuracy is {} over the second half of {} updates with a gradient (in training {}), and the held-out margin {}: labels carry no signal",
    "有梯度的 {2} 次更新，后一半中留出集准确率为 {1}（训练为 {3}），留出集差距 {4}：标签没有信号",
  ],
  [
    "accuracy is {} after {} updates with a gradient: labels carry no signal",
    "有梯度的 {2} 次更新之后准确率为 {1}：标签没有信号",
  ],
  [
    "the margin is {} after {} updates that moved the rewards by {}: labels carry no signal",
    "{2} 次更新使奖励移动了 {3}，而差距为 {1}：标签没有信号",
  ],
  [
    "what is called chosen is {} times less likely (in nats) than what is called rejected, from the first record",
    "从第一条记录起，所谓优选的可能性就只有所谓劣选的 1/{1}（按 nat）",
  ],
  [
    "what is called chosen is {} times less likely (in nats) than what is called rejected, before any update",
    "任何更新之前，所谓优选的可能性就只有所谓劣选的 1/{1}（按 nat）",
  ],
  [
    "the reward of the chosen texts falls from about {} to {} from {step} on, while the margin goes from {} to {}: they lose likelihood along with the rejected ones",
    "[从{3}起]优选文本的奖励从约 {1} 降到 {2}，而差距从 {4} 变到 {5}：它们与劣选一起失去似然",
  ],
  [
    "the log-probability of the chosen texts falls from {} to {} nats while the margin grows to {}: they lose likelihood along with the rejected ones",
    "优选文本的对数概率从 {1} 降到 {2} nat，而差距增到 {3}：它们与劣选一起失去似然",
  ],
  [
    "the margin grows from about {} to {}, from {step} on, and does not slow down[; on held-out data it is {}]",
    "[从{3}起]差距从约 {1} 增到 {2}，没有减慢[；留出集上为 {4}]",
  ],
  [
    "the margin reaches {}[, the log-probability of chosen texts fell by {} nats]",
    "差距达到 {1}[，优选文本的对数概率下降了 {2} nat]",
  ],
  ["accuracy 1 and loss {} after {} epochs: too good", "{2} 轮后准确率 1、损失 {1}：好得不真实"],
  [
    "the margin is about {} in training and {} on held-out data, whose loss hardly falls any more",
    "训练差距约 {1}，留出集差距 {2}，而留出集损失几乎不再下降",
  ],
  [
    "the accuracy of pairs falls from about {} to {} and the loss rises to about {}, above that of no answer (ln 2)",
    "样本对准确率从约 {1} 降到 {2}，损失升到约 {3}，高于不作答时的值（ln 2）",
  ],
  ["the loss is {} to {} {where}", "损失{3}为 {1} 到 {2}"],
  [
    "the loss is {} to {} {where} and chosen and rejected have the same log-probability",
    "损失{3}为 {1} 到 {2}，优选与劣选的对数概率相同",
  ],
  // ***** KTO *****
  ["{name} is absent {where}: every example is desirable", "{1} {2}没有出现：每个样本都是“好”的"],
  ["{name} is absent {where}: every example is undesirable", "{1} {2}没有出现：每个样本都是“坏”的"],
  [
    "the vanilla KTO loss averages over each class of a micro-batch: a batch without one gives NaN",
    "原始 KTO 损失对微批次里的每一类求平均：缺了一类就得到 NaN",
  ],
  [
    "the KTO loss turns NaN at {step}[, in a batch without {name} examples][; first: {text}]",
    "KTO 损失[在{1}]变成 NaN[，那一批没有{2}的样本][；最先出现在 {3}]",
  ],
  ["{name} is NaN where a batch holds no such example", "批次里没有这类样本时，{1} 是 NaN"],
  [
    "KTO needs a micro-batch above 1: its KL pairs prompts with other completions",
    "KTO 的微批量须大于 1：它的 KL 要把提示与别的补全配对",
  ],
  // ***** supervised *****
  [
    "evaluation loss rises from {} to {} while training loss falls to {}",
    "评测损失从 {1} 升到 {2}，而训练损失降到 {3}",
  ],
  ["no token carries a label", "没有词元带标签"],
  [
    "the loss is {} with a token accuracy of 0 from the first record: no label counts",
    "从第一条记录起损失就是 {1}，词元准确率为 0：没有标签计入",
  ],
  [
    "the loss is {} with a gradient of 0 from the first record: no label counts",
    "从第一条记录起损失就是 {1}，梯度为 0：没有标签计入",
  ],
  [
    "the held-out loss rises from about {} at {step} to {} while the training loss falls from about {} to {}",
    "留出集损失从约 {1}[（{2}）]升到 {3}，而训练损失从约 {4} 降到 {5}",
  ],
  ["{name} is {} in training and {} held out", "{1} 训练为 {2}，留出集为 {3}"],
  [
    "{} of the completions are right in training and {} of {} prompts that were held out",
    "训练中 {1} 的补全正确，{3} 个留出的提示中为 {2}",
  ],
  [
    "{} of the completions are right in training and {} of the prompts that were held out",
    "训练中 {1} 的补全正确，留出的提示中为 {2}",
  ],
  [
    "the loss drops at {} starts of an epoch: rows seen before are recognised",
    "损失在 {1} 轮开头下降：见过的样本被认了出来",
  ],
  [
    "the loss stays at {} to {} nats per token, those of a model that knows nothing",
    "损失停在每词元 {1} 到 {2} nat，与什么都不会的模型一样",
  ],
  ["the loss goes from about {} to {} and stays there", "损失从约 {1} 变到 {2} 并停在那里"],
  ["the loss is {} and {} of the validation prompts are right", "损失为 {1}，验证提示有 {2} 答对"],
  // ***** the critic *****
  ["the configured learning rate of the critic is 0", "配置的价值网络学习率为 0"],
  [
    "the critic's gradient norm is exactly 0 with a value loss of {}: the loss does not reach it",
    "价值损失为 {1}，而价值网络的梯度范数恰好是 0：损失没有传到它",
  ],
  [
    "the value loss is {}, at first {}, and returns deviate by {}: updates have wrecked the critic",
    "价值损失为 {1}，起初 {2}，而回报的标准差为 {3}：更新毁掉了价值网络",
  ],
  [
    "the critic's learning rate is {} times what is usual for one, and its loss went from {} to {}",
    "价值网络的学习率是其常用值的 {1} 倍，损失从 {2} 变到 {3}",
  ],
  ["the critic's learning rate is {} times what is usual for one", "价值网络的学习率是其常用值的 {1} 倍"],
  [
    "the critic's learning rate {} is {} times the usual one; [its explained variance fell to {}][ and ][the value loss reached {}] where returns deviate by {}",
    "价值网络的学习率 {1} 是常用值的 {2} 倍；[解释方差降到 {3}，][价值损失达到 {4}，]而回报的标准差为 {5}",
  ],
  [
    "after {} records the values lie {} from the returns, at first {}: the critic has not moved",
    "{1} 条记录之后价值与回报相差 {2}，起初 {3}：价值网络没有动",
  ],
  [
    "the explained variance of the critic falls from about {} to {} from {step} on[, its loss rises to {}]: its values mislead the advantages",
    "[从{3}起]价值网络的解释方差从约 {1} 降到 {2}[，损失升到 {4}]：它的值误导了优势",
  ],
  // ***** configuration *****
  ["{name} 0 multiplies the whole {name} loss by 0", "{1} 为 0，整个 {2} 损失都乘以 0"],
  ["{name} 0 clips every token after the first update", "{1} 为 0，首次更新之后每个词元都被裁剪"],
  [
    "{name} {} outweighs every reward: the policy cannot leave its reference",
    "{1} 为 {2}，压过了所有奖励：策略离不开参考模型",
  ],
  ['{name} "{text}" is no number', "{1} 的“{2}”不是数值"],
  ["{name} is set twice: the last one holds, silently", "{1} 设了两次：后一个生效，没有任何提示"],
  ["a batch of {} completions cannot hold whole groups of {}", "{1} 个补全的批次放不下每组 {2} 个的整组"],
  [
    "the loss stays at its start value with a gradient of exactly 0 although the texts differ: beta is 0",
    "文本不同，损失却停在初值，梯度恰好是 0：beta 为 0",
  ],
  // ***** the machine *****
  [
    "a train step takes {} ms, {} times its own baseline, at the same length",
    "一个训练步用 {1} ms，长度相同却是自身基准的 {2} 倍",
  ],
  [
    "a train step takes {} s, {} times its own baseline, at the same length",
    "一个训练步用 {1} 秒，长度相同却是自身基准的 {2} 倍",
  ],
  [
    "a train step takes ever longer: about {} ms at first, {} ms now, from {step} on, at the same length",
    "[从{3}起]长度相同而训练步越来越慢：起初约 {1} ms，现在 {2} ms",
  ],
  [
    "a train step takes ever longer: about {} ms at first, {} s now, from {step} on, at the same length",
    "[从{3}起]长度相同而训练步越来越慢：起初约 {1} ms，现在 {2} 秒",
  ],
  [
    "a train step takes ever longer: about {} s at first, {} s now, from {step} on, at the same length",
    "[从{3}起]长度相同而训练步越来越慢：起初约 {1} 秒，现在 {2} 秒",
  ],
  ["the rewards take the time", "时间花在计算奖励上"],
  ["memory grows with it", "内存随之增长"],
  ["memory grows from about {} to {} GB and does not stop", "内存从约 {1} 增到 {2} GB，还没有停"],
  [
    "{} of {} train steps take more than {} times the median of {} ms",
    "{2} 个训练步中有 {1} 个用时超过中位数 {4} ms 的 {3} 倍",
  ],
  [
    "{} of {} records take more than {} times the median of {} ms",
    "{2} 条记录中有 {1} 条用时超过中位数 {4} ms 的 {3} 倍",
  ],
  [
    "{} of {} {counted} take more than {} times the median of {} s",
    "{2} 个{3}中有 {1} 个用时超过中位数 {5} 秒的 {4} 倍",
  ],
];
