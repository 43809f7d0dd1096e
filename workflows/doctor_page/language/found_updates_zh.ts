/** What is found in updates, in Chinese: gradients, learning rates, KL, what is not finite; templates as those of `templates.ts`. @module */

export const FOUND_UPDATES_ZH: readonly (readonly [english: string, chinese: string])[] = [
  // ***** the loss of 0 *****
  [
    "the loss of 0 is right: {} equals the closed form at ratio 1, {}, up to rounding[; grad_norm is {} at {step}]",
    "损失为 0 是对的：{1} 与比率为 1 时的解析值 {2} 在舍入范围内相等[；][{4}的 ][grad_norm 为 {3}]",
  ],
  [
    "the loss of 0 is right: {} equals the closed form at ratio 1, {}, up to rounding; the KL grows to {} by {step}",
    "损失为 0 是对的：{1} 与比率为 1 时的解析值 {2} 在舍入范围内相等；KL [到{4}]增至 {3}",
  ],
  [
    "the loss prints 0 while grad_norm is {} at {step}: this is what a healthy first update of each rollout looks like",
    "[在{2}]损失打印为 0，而 grad_norm 为 {1}：每批采样健康的首次更新就是这样",
  ],
  [
    "the loss prints 0 while the KL grows to {} by {step}: this is what a healthy first update of each rollout looks like",
    "损失打印为 0，而 KL [到{2}]增至 {1}：每批采样健康的首次更新就是这样",
  ],
  // ***** no gradient *****
  ["{name} is exactly 0 {where} with a loss of {}", "{1} {2}恰好是 0，而损失为 {3}"],
  [
    "{name} is exactly 0 {where} whose groups have reward spread[ ({name} {})]",
    "{1} {2}恰好是 0，而这些记录组内有奖励差异[（{3} {4}）]",
  ],
  [
    "{name} is exactly 0 {where} where groups have reward spread[ ({name} {})]",
    "{1} {2}恰好是 0，而组内有奖励差异[（{3} {4}）]",
  ],
  [
    "grad_norm is exactly 0 from {step} on to the end, {where} with a loss of {}",
    "grad_norm [从{1}起]直到结束都恰好是 0，{2}，损失为 {3}",
  ],
  [
    "grad_norm is exactly 0 from {step} on to {}, {where} with a loss of {}",
    "grad_norm [从{1} ]到 {2} 恰好是 0，{3}，损失为 {4}",
  ],
  [
    "grad_norm is exactly 0 from {step} on to the end, {where} whose groups have reward spread",
    "grad_norm [从{1}起]直到结束都恰好是 0，{2}，而组内有奖励差异",
  ],
  [
    "grad_norm is exactly 0 from {step} on to the end, {where} where groups have reward spread",
    "grad_norm [从{1}起]直到结束都恰好是 0，{2}，而组内有奖励差异",
  ],
  [
    "grad_norm is exactly 0 from {step} on to {}, {where} whose groups have reward spread",
    "grad_norm [从{1} ]到 {2} 恰好是 0，{3}，而组内有奖励差异",
  ],
  [
    "grad_norm is exactly 0 from {step} on to {}, {where} where groups have reward spread",
    "grad_norm [从{1} ]到 {2} 恰好是 0，{3}，而组内有奖励差异",
  ],
  [
    "grad_norm is exactly 0 from {step} to the end, {where} between which the reward changes: no gradient arrives, or every group ties",
    "grad_norm [从{1}起]直到结束都恰好是 0，{2}，其间奖励在变：没有梯度传到，或每组都同分",
  ],
  [
    "grad_norm is at most {} {where}, which moves hardly a weight, and the reward rises all the same: the columns contradict each other",
    "grad_norm {2}最多 {1}，几乎动不了权重，奖励却照样上升：各列互相矛盾",
  ],
  [
    "grad_norm is at most {} {where} while the reward changes: no gradient to speak of reaches the parameters",
    "grad_norm {2}最多 {1}，而奖励在变：几乎没有梯度传到参数",
  ],
  ["{} parameters are trainable", "可训练参数有 {1} 个"],
  ["0 parameters are trainable", "可训练参数为 0 个"],
  ["the adapter's target modules match no layer of the model", "适配器的目标模块没有匹配到模型的任何层"],
  ["the run ended before anything could be trained", "还没能训练任何东西，运行就结束了"],
  ["{} of {} parameters are trainable", "{2} 个参数中可训练的有 {1} 个"],
  ["{} of {} parameters of the adapter are trainable", "适配器的 {2} 个参数中可训练的有 {1} 个"],
  // ***** gradients and clipping *****
  ["grad_norm is {}", "grad_norm 为 {1}"],
  ["on average {} of the tokens are clipped {where}", "平均 {1} 的词元{2}被裁剪"],
  [
    "{} gradients are more than {} times what is usual before them (about {}), up to {} times at {step}: {} per {} {counted}[; larger ones of the warm-up (up to {} at {step}) are left out]",
    "{1} 个梯度超过此前平常值（约 {3}）的 {2} 倍，[{5}]最高达 {4} 倍：每 {7} 个{8}有 {6} 个[；不计预热期更大的（最高 {9}）]",
  ],
  ["the share of clipped tokens went from {} to {} since {step}", "[自{3}起]被裁剪的词元比例从 {1} 变到 {2}"],
  // ***** the learning rate *****
  [
    "the learning rate {} is {} times the usual one; {name} goes from {} to {} within {} updates",
    "学习率 {1} 是常用值的 {2} 倍；{3} 在 {6} 次更新内从 {4} 变到 {5}",
  ],
  ["the learning rate {} is {} times the usual one", "学习率 {1} 是常用值的 {2} 倍"],
  ["the learning rate is 0 {where}", "学习率{1}为 0"],
  ["{said}; {said} within {} updates", "{1}；{3} 次更新内{2}"],
  ["{said}; {said} within {} update", "{1}；{3} 次更新内{2}"],
  ["the gradient turns NaN", "梯度变成 NaN"],
  ["entropy goes from {} to {}", "熵从 {1} 变到 {2}"],
  ["the reward falls from {} to {} and stays", "奖励从 {1} 降到 {2} 并停在那里"],
  ["the loss goes from {} to {}", "损失从 {1} 变到 {2}"],
  ["the log-probs of chosen and rejected fall by {} and {} nats", "优选与劣选的对数概率下降了 {1} 与 {2} nat"],
  [
    "the learning rate {} is {} times the usual one; chosen and rejected lose {} and {} nats within {} updates",
    "学习率 {1} 是常用值的 {2} 倍；{5} 次更新内优选与劣选下降了 {3} 与 {4} nat",
  ],
  [
    "the learning rate {} is {} times the usual one; the share of completions at the length cap went from {} to {} in {} {counted}",
    "学习率 {1} 是常用值的 {2} 倍；{5} 个{6}内，到达长度上限的补全比例从 {3} 变到 {4}",
  ],
  [
    "the learning rate {} is {} times the usual one; {name} fell from {} to less than half in {} {counted}",
    "学习率 {1} 是常用值的 {2} 倍；{5} 个{6}内 {3} 从 {4} 降到不足一半",
  ],
  [
    "the learning rate {} is {} times the usual one; since {step} {name} fell from about {} to {}[ and the KL rose to {} nats per token][; {name} broke with it]",
    "学习率 {1} 是常用值的 {2} 倍；[自{3}起]{4} 从约 {5} 降到 {6}[，KL 升到每词元 {7} nat][；{8} 随之崩溃]",
  ],
  [
    "the learning rate {} is {} times the usual one; from {step} on no completion is rewarded, {} records before had one",
    "学习率 {1} 是常用值的 {2} 倍；[从{3}起]再没有补全得到奖励，此前有 {4} 条记录得到过",
  ],
  [
    "the learning rate {} is {} times the usual one[ of even the smallest models]; the {name} went from {} to {} nats per token by {step}, and {said}",
    "学习率 {1} 是常用值的 {2} 倍；{3} [到{6}]从每词元 {4} 变到 {5} nat，而{7}",
  ],
  [
    "the learning rate {} is {} times the usual one of even the smallest models",
    "学习率 {1} 是最小模型常用值的 {2} 倍",
  ],
  ["one train step changes the weights by {} of their norm", "一个训练步改变权重范数的 {1}"],
  ["one train step changes the adapter's weights by {} of their norm", "一个训练步改变适配器权重范数的 {1}"],
  ["in the warm start: {said}", "热身时：{1}"],
  ["the configured learning rate is 0", "配置的学习率为 0"],
  ["the learning rate is 0 from {step} on: {} of {} records", "[从{1}起]学习率为 0：{3} 条记录中的 {2} 条"],
  ["the learning rate is 0 {where}; grad_norm is {}", "学习率{1}为 0；grad_norm 为 {2}"],
  [
    "the learning rate prints 0 {where}, but {} is configured: it may be a small one, rounded, or a schedule that never leaves 0",
    "学习率{1}打印为 0，但配置的是 {2}：可能是舍入后的小值，或一直没有离开 0 的学习率计划",
  ],
  [
    "max_grad_norm {} scales every gradient to nothing; the printed grad_norm is from before the clip",
    "max_grad_norm {1} 把每个梯度都缩成了零；打印的 grad_norm 是裁剪之前的",
  ],
  [
    "the update is {} of what the learning rate allows, with a gradient of {}",
    "更新量只有学习率所允许的 {1}，梯度为 {2}",
  ],
  ["the learning rate of {} is below what moves a weight", "学习率 {1} 太小，动不了权重"],
  [
    "an update at learning rate {} changes the weights by {} of their norm, less than float32 can add: nothing is learned",
    "学习率 {1} 下一次更新改变权重范数的 {2}，小于 float32 能加上的量：什么也学不到",
  ],
  [
    "after {} updates at learning rate {} the KL is still {}: the policy has not moved",
    "以学习率 {2} 更新 {1} 次之后，KL 仍为 {3}：策略没有动",
  ],
  [
    "after {} updates at learning rate {} the implicit rewards are still exactly 0: the policy has not moved from its reference",
    "以学习率 {2} 更新 {1} 次之后，隐式奖励仍恰好是 0：策略没有离开参考模型",
  ],
  [
    "after {} updates at learning rate {}[ (usual is {})] the implicit rewards are still {} in size: the policy has not moved from its reference",
    "以学习率 {2}[（常用值 {3}）]更新 {1} 次之后，隐式奖励的大小仍为 {4}：策略没有离开参考模型",
  ],
  // ***** KL and reference *****
  ["KL grows from {} to {}", "KL 从 {1} 增到 {2}"],
  ["the first loss is {}, want {}", "第一个损失是 {1}，应为 {2}"],
  [
    "the KL is {} nats per token with a maximum of {}: a few tokens dominate",
    "KL 为每词元 {1} nat，最大值 {2}：少数词元占了绝大部分",
  ],
  ["the KL went from {} to {} nats per token, and since {step} {said}", "KL 从 {1} 变到每词元 {2} nat，而[自{3}起]{4}"],
  [
    "the KL went from {} to {} nats per token[ while the reward changed by {}]",
    "KL 从 {1} 变到每词元 {2} nat[，而奖励变化了 {3}]",
  ],
  ["the KL is {} nats per token[ while the reward changed by {}]", "KL 为每词元 {1} nat[，而奖励变化了 {2}]"],
  [
    "the KL has grown from {} to {} nats per token since {step} and gets faster, and {said}",
    "[自{3}起]KL 从 {1} 增到每词元 {2} nat，而且越来越快，而{4}",
  ],
  [
    "the KL is {} nats per token in the first record: no drift is that fast",
    "第一条记录的 KL 就是每词元 {1} nat：没有这么快的漂移",
  ],
  [
    "the KL is {} nats per token before anything was learned, {} later: the reference is another model",
    "还没学任何东西，KL 就是每词元 {1} nat，之后为 {2}：参考模型是另一个模型",
  ],
  ["before any update the implicit rewards are {text}, want 0", "任何更新之前隐式奖励就是 {1}，应为 0"],
  ["the library warns of a negative KL[ of {}]", "库警告 KL 为负[：{1}]"],
  ["the KL per completion is {}", "每个补全的 KL 为 {1}"],
  ["the KL averages {} nats per token", "KL 平均为每词元 {1} nat"],
  [
    "{name} is {} {where}, the loss or the gradient of each is finite",
    "{1} {3}是 {2}，而损失或梯度都是有限值",
  ],
  // ***** what is not finite *****
  ["the loss is NaN {where}", "损失{1}是 NaN"],
  ["the loss is NaN {where} while the reward is finite", "损失{1}是 NaN，而奖励是有限值"],
  ["{name} not finite from the first record", "{1} 从第一条记录起就不是有限值"],
  ["{name} not finite from {step}", "[从{2}起]{1} 不是有限值"],
  ["{name} not finite from the first record, nor are the weights", "{1} 从第一条记录起就不是有限值，权重也不是"],
  ["{name} is NaN at {step}", "{1} [在{2}]是 NaN"],
  ["only the KL is NaN", "只有 KL 是 NaN"],
  ["{} overflow lines: as many updates are skipped", "{1} 行溢出：跳过了同样多次更新"],
  [
    "{name} not finite on {} of {} {counted} ({step}), and finite again after: the weights are sound",
    "{3} 条记录中有 {2} 条 {1} 不是有限值[（{5}）]，之后又恢复：权重没有坏",
  ],
  [
    "{name} not finite {where} (train step {} to {}), and finite again after: the weights are sound",
    "{1} {2}不是有限值（训练步 {3} 至 {4}），之后又恢复：权重没有坏",
  ],
  [
    "{name} not finite {where} ({step}), and finite again after: the weights are sound",
    "{1} {2}不是有限值[（{3}）]，之后又恢复：权重没有坏",
  ],
  ["{name} not finite from {step}, nor are the weights", "[从{2}起]{1} 不是有限值，权重也不是"],
  ["{name} not finite from {step}, nor is the {text}", "[从{2}起]{1} 不是有限值，{3} 也不是"],
  ["{name} not finite from the first record, nor is the {text}", "{1} 从第一条记录起就不是有限值，{2} 也不是"],
  ["the loss of 0 is the trainer's NaN filter", "损失的 0 来自训练器的 NaN 过滤"],
  ["the norm of the weights is not finite", "权重的范数不是有限值"],
  [
    "sampling stops on probabilities that are inf or nan: the weights are not finite",
    "采样因概率为 inf 或 nan 而停止：权重不是有限值",
  ],
  [
    "after healthy records sampling stops on probabilities that are inf or nan",
    "原本健康的记录之后，采样因概率为 inf 或 nan 而停止",
  ],
  [
    "{name} turn NaN at {step}[ ({name} was {} before)][; first: {text}]",
    "{1} [在{2}]变成 NaN[（此前 {3} 为 {4}）][；最先出现在 {5}]",
  ],
  [
    "{name} turn NaN at {step}[; first: {text}]; what the policy computes is finite",
    "{1} [在{2}]变成 NaN[；最先出现在 {3}]；策略算出的是有限值",
  ],
  ["{name} was {} before", "此前 {1} 为 {2}"],
  ["{name} becomes infinite at {step}[ ({} before)][, with {name}]", "{1} [在{2}]变成无穷[（此前为 {3}）][，{4} 也是]"],
  ["{name} grew from {} to {}", "{1} 从 {2} 增到 {3}"],
  ["{name} goes from about {} to {} and stays there", "{1} 从约 {2} 变到 {3} 并停在那里"],
  [
    "since {step} the gradient norm grows from about {} to {} and the loss to {}, and {said}",
    "[自{1}起]梯度范数从约 {2} 增到 {3}，损失增到 {4}，而{5}",
  ],
  ["the replayed step has other bits", "重放的一步得到了不同的比特"],
  [
    "the backward pass turns NaN in {name}: its input lies where it has no slope",
    "反向传播在 {1} 处变成 NaN：它的输入落在没有斜率的位置",
  ],
];
