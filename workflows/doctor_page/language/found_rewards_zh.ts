/** What is found in rewards, groups and scores, in Chinese: templates as those of `templates.ts`. @module */

export const FOUND_REWARDS_ZH: readonly (readonly [english: string, chinese: string])[] = [
  // ***** how a signal goes, behind what is found *****
  ["{name} fell from about {} to {}", "{1} 从约 {2} 降到 {3}"],
  ["{name} went from about {} to {}", "{1} 从约 {2} 变到 {3}"],
  ["{name} stayed at about {}", "{1} 停在约 {2}"],
  ["{name} did not rise (about {} to {})", "{1} 没有上升（约 {2} 到 {3}）"],
  ["{name} falls", "{1} 在下降"],
  ["{name} does not rise", "{1} 没有上升"],
  [
    "it halves every {} {counted}, at that rate below {} in about {}[ of the {} that are left]",
    "每 {1} 个{2}减半，照此再过约 {4} 步低于 {3}[（还剩 {5} 步）]",
  ],
  [
    "it doubles every {} {counted}, at that rate above {} in about {}[ of the {} that are left]",
    "每 {1} 个{2}翻倍，照此再过约 {4} 步高于 {3}[（还剩 {5} 步）]",
  ],
  ["the entropy rose from {} to {}", "熵从 {1} 升到 {2}"],
  // ***** rewards that do not differ *****
  ["every reward is {}, the floor, {where}", "每个奖励{2}都是最低值 {1}"],
  ["every completion gets the reward {}", "每个补全都得到奖励 {1}"],
  ["{name} is exactly 0 {where}: no completion has the format", "{1} {2}恰好是 0：没有补全符合格式"],
  [
    "every completion gets the top reward ({})[ {where}]: no group has spread[ there]",
    "每个补全[{2}]都得最高奖励（{1}）：组内没有差异",
  ],
  [
    "every completion gets the top reward ({})[ {where}], after the run has learned: no group has spread[ there]",
    "学到之后，每个补全[{2}]都得最高奖励（{1}）：组内没有差异",
  ],
  [
    "since {step} more and more groups tie because all are right, at the end {}; {said}",
    "[自{1}起]越来越多的组因全对而同分，最后达 {2}；{3}",
  ],
  [
    "since {step} more and more groups tie because all are right, at the end {}; since {step} {said}",
    "[自{1}起]越来越多的组因全对而同分，最后达 {2}；[自{3}起]{4}",
  ],
  [
    "{name} is {} from the first record and {} of the groups tie: nothing is left to learn",
    "{1} 从第一条记录起就是 {2}，{3} 的组同分：没有可学的了",
  ],
  [
    "every reward is {}, the floor, {where}: nothing has been learned from yet",
    "每个奖励{2}都是最低值 {1}：还没有学到任何东西",
  ],
  ["every reward is {}, the floor, on all printed records", "打印的每条记录上奖励都是最低值 {1}"],
  [
    "since {step} nearly every completion is wrong: the reward ends at {}, in {} of the groups all completions get the same",
    "[自{1}起]几乎每个补全都是错的：奖励最后为 {2}，{3} 的组内所有补全奖励相同",
  ],
  ["{name} is 0 {where}: only {name} is ever paid", "{1} {2}为 0：得到分的只有 {3}"],
  [
    "hardly a completion is ever right: the mean reward is at most {} of {} over the whole run",
    "几乎没有补全答对：整个训练中平均奖励最多为 {1}（满分 {2}）",
  ],
  ["every completion gets the reward {}, {where}", "每个补全{2}都得到奖励 {1}"],
  [
    "in {} of the groups all completions get the same reward[ (mean reward {})]: advantages and gradient are 0 there",
    "{1} 的组内所有补全奖励相同[（平均奖励 {2}）]：那里优势和梯度都是 0",
  ],
  [
    "in {} of the groups all completions get the same reward: whether the others become more is not to be seen yet",
    "{1} 的组内所有补全奖励相同：其余的组会不会变多，还看不出来",
  ],
  ["in {} of the groups all completions get the same reward", "{1} 的组内所有补全奖励相同"],
  ["in {} of the printed groups all completions get the same reward", "打印出的组中，{1} 的组内所有补全奖励相同"],
  [
    "the rewards {name} and {name} differ inside groups and their sum does not: they cancel",
    "奖励 {1} 与 {2} 在组内各有差异，它们的和却没有：互相抵消了",
  ],
  [
    "groups have {} completions[: {} of them tie][ (expected at this pass rate: {})]",
    "每组只有 {1} 个补全[：{2} 的组同分][（按这个通过率预计 {3}）]",
  ],
  [
    "groups have {} completion[: {} of them tie][ (expected at this pass rate: {})]",
    "每组只有 {1} 个补全[：{2} 的组同分][（按这个通过率预计 {3}）]",
  ],
  // ***** groups that are mixed up *****
  ["group {name} holds completions of more than one prompt", "组 {1} 混有不止一个提示的补全"],
  ["the advantages of group {name} sum to {}, want 0", "组 {1} 的优势之和为 {2}，应为 0"],
  [
    "{} of the {} tokens of a completion count in the loss: its mask is shifted",
    "一个补全的 {2} 个词元中有 {1} 个计入损失：掩码错位了",
  ],
  [
    "in group {name} reward {} has advantage {} and reward {} has {}",
    "组 {1} 中奖励 {2} 的优势是 {3}，而奖励 {4} 的优势是 {5}",
  ],
  // ***** rewards that are no rewards *****
  ["{name} is {} at {step}", "{1}[ 在{3}] 为 {2}"],
  ["{name} is {} for {} of {} printed samples", "打印的 {4} 个样本中有 {3} 个的 {1} 为 {2}"],
  [
    "{name} is {} for {} of {} printed samples, which still get an advantage",
    "打印的 {4} 个样本中有 {3} 个的 {1} 为 {2}，却仍得到优势",
  ],
  [
    "{name} is {} for {} of {} completions of the last train step",
    "最后一个训练步的 {4} 个补全中有 {3} 个的 {1} 为 {2}",
  ],
  [
    "{name} is {} for {} of {} completions of the last train step, which still get an advantage",
    "最后一个训练步的 {4} 个补全中有 {3} 个的 {1} 为 {2}，却仍得到优势",
  ],
  [
    "{name} is {} for {} of {} printed samples, between {} and {} for most",
    "打印的 {4} 个样本中有 {3} 个的 {1} 为 {2}，而多数在 {5} 与 {6} 之间",
  ],
  ["no reward for any of {} completions", "{1} 个补全都没有奖励"],
  ["the reward functions return no value at all", "奖励函数什么值都不返回"],
  ["rewards are of the order of {}[, the gradient norm {}]", "奖励的量级约 {1}[，梯度范数约 {2}]"],
  ["{name} change from percent to shares at {step}: read as shares", "{1}[ 在{2}]由百分数变成比例：按比例读取"],
  ["{name} changes from percent to shares at {step}: read as shares", "{1}[ 在{2}]由百分数变成比例：按比例读取"],
  ["{name} change from shares to percent at {step}: read as shares", "{1}[ 在{2}]由比例变成百分数：按比例读取"],
  ["{name} changes from shares to percent at {step}: read as shares", "{1}[ 在{2}]由比例变成百分数：按比例读取"],
  // ***** rewards that are wrong *****
  ["{} of {} completions with reward 0 hold the right answer", "{2} 个奖励为 0 的补全中，{1} 含有正确答案"],
  [
    "the verifier {name} accepts {} of {} that {name} rejects",
    "{4} 判错的 {3} 个补全，换成 {1} 会接受其中 {2}",
  ],
  [
    "{name} is {} to all digits {where}[ and on evaluation]: the fallback value of a parser that fails",
    "{1} {3}分毫不差都是 {2}：这是解析失败时的默认值",
  ],
  [
    "{} of the answers are not those of their prompts, and {} of these completions hold the right one",
    "{1} 的答案与提示对不上，而这些补全中 {2} 含有正确答案",
  ],
  [
    "right completions get {}, wrong ones {}: the reward has the wrong sign",
    "答对的得 {1}，答错的得 {2}：奖励的符号反了",
  ],
  [
    'the data are for {name} ("{text}"), the script is for {name} ("{text}")',
    "数据是{1}任务（“{2}”），脚本却是{3}任务（“{4}”）",
  ],
  [
    'the data are for {name} ("{text}"), the reward is for {name} ("{text}")',
    "数据是{1}任务（“{2}”），奖励却是{3}任务（“{4}”）",
  ],
  ["predicted boxes are in whole numbers, the gold ones in fractions of 1", "预测框用整数，标注框用 0 到 1 的小数"],
  ["predicted boxes are in fractions, the gold ones in whole numbers of 1", "预测框用 0 到 1 的小数，标注框用整数"],
  [
    "predicted boxes are the gold ones times {} across and {} down ({} of {} different ones): another coordinate system",
    "预测框是标注框横向 {1} 倍、纵向 {2} 倍（{4} 个不同的框中 {3}）：坐标系不同",
  ],
  [
    "Qwen2.5-VL writes absolute pixels, the data are normalised to 0..1000",
    "Qwen2.5-VL 写的是绝对像素，而数据归一化到 0..1000",
  ],
  // ***** rewards and goals that part *****
  [
    "{name} rises and {name} falls, but {} records are no trend (reward_hacking wants ten)",
    "{1} 上升而 {2} 下降，但 {3} 条记录不成趋势（reward_hacking 需要十条）",
  ],
  ["{name} rose from {} to {} while {name} went from {} to {}", "{1} 从 {2} 升到 {3}，而 {4} 从 {5} 变到 {6}"],
  [
    "the reward rises and {name} fell from {} to {}, in its last evaluation alone",
    "奖励上升，而 {1} 从 {2} 降到 {3}，但只在最后一次评测中",
  ],
  [
    "the reward went from about {} to {} while {name} fell from about {} to {}",
    "奖励从约 {1} 变到 {2}，而 {3} 从约 {4} 降到 {5}",
  ],
  ["the reward stayed at about {} while {name} fell from about {} to {}", "奖励停在约 {1}，而 {2} 从约 {3} 降到 {4}"],
  ["the reward went from {} to {} while {name} fell from {} to {}", "奖励从 {1} 变到 {2}，而 {3} 从 {4} 降到 {5}"],
  ["the reward stayed at {} while {name} fell from {} to {}", "奖励停在 {1}，而 {2} 从 {3} 降到 {4}"],
  ["the reward rose to {} while {} of the completions repeat themselves", "奖励升到 {1}，而 {2} 的补全在重复自己"],
  [
    "{} of what is written stands in the prompt (at first {}), and {said}",
    "写出的内容有 {1} 抄自提示（起初 {2}），而{3}",
  ],
  ["the reward rose from {} to {} and no held-out answer is right", "奖励从 {1} 升到 {2}，而留出集上没有一个答案正确"],
  ["the reward rose from {} to {} and no completion is right", "奖励从 {1} 升到 {2}，而没有一个补全正确"],
  [
    "the reward rose from {} to {} and at most {} of the held-out answers are right",
    "奖励从 {1} 升到 {2}，而留出集答案最多 {3} 正确",
  ],
  [
    "the reward rose from {} to {} and at most {} of the completions are right",
    "奖励从 {1} 升到 {2}，而补全最多 {3} 正确",
  ],
  ["{name} is {} of at most {} while {name} is {}", "{1} 为 {2}（最高 {3}），而 {4} 为 {5}"],
  [
    "{name} went from about {} to {}[ and has {} of the variance], {name} stays at {}",
    "{1} 从约 {2} 变到 {3}[，占方差的 {4}]，而 {5} 停在 {6}",
  ],
  [
    "{name} has {} of the variance of all rewards and goes nowhere (about {} to {}), and {said}",
    "{1} 占全部奖励方差的 {2} 却毫无进展（约 {3} 到 {4}），而{5}",
  ],
  // ***** what falls or stands still *****
  [
    "{name} fell from {} ({step}) to {} ({step}), which may be chance",
    "{1} 从 {2}[（{3}）]降到 {4}[（{5}）]，可能是偶然",
  ],
  ["{name} fell from {} ({step}) to {} ({step})", "{1} 从 {2}[（{3}）]降到 {4}[（{5}）]"],
  ["{name} fell from {} ({step}) to {} while {said}", "{1} 从 {2}[（{3}）]降到 {4}，而{5}"],
  [
    "{name} fell from {} ({step}) to {} while {name} of training went from about {} to {}",
    "{1} 从 {2}[（{3}）]降到 {4}，而训练中的 {5} 从约 {6} 变到 {7}",
  ],
  ["the score of {name} fell from {} ({step}) to {} while {said}", "{1} 的分数从 {2}[（{3}）]降到 {4}，而{5}"],
  ["{name} fell from {} to {} since {step}", "[自{4}起]{1} 从 {2} 降到 {3}"],
  [
    "at risk: {name} goes down from {} to {} since {step}, stretch by stretch",
    "有风险：[自{4}起]{1} 一段一段地从 {2} 降到 {3}",
  ],
  ["{name} goes down from {} to {} since {step}, stretch by stretch", "[自{4}起]{1} 一段一段地从 {2} 降到 {3}"],
  [
    "a train step changes the weights by up to {} of their norm[, learning rate {}, usual is {}]",
    "一个训练步最多改变权重范数的 {1}[，学习率 {2}，常用值 {3}]",
  ],
  ["learning rate {}, usual is {}", "学习率 {1}，常用值 {2}"],
  [
    "no trend in {} updates: quarter means of the reward {numbers}[, KL {}]",
    "{1} 次更新没有趋势：奖励四分段均值 {2}[，KL {3}]",
  ],
  [
    "the learning rate is [down to ]{} since {step} ({} of the run): {name} went from about {} to {} before and is {} at the end",
    "[自{2}起（占训练的 {3}）]学习率只有 {1}：{4} 此前从约 {5} 变到 {6}，最后为 {7}",
  ],
  ["nothing rises since {step} ({} of the run): {said}", "[自{1}起（占训练的 {2}）]什么都不再上升：{3}"],
  ["the entropy is down to {} of {} nats per token", "熵从每词元 {2} nat 降到 {1}"],
  ["{} of the completions are cut at the length cap", "{1} 的补全在长度上限处被截断"],
  ["the learning rate is down to {} since {step}", "[自{2}起]学习率已降到 {1}"],
  ["nothing that is printed says why", "打印的内容没有说明原因"],
];
