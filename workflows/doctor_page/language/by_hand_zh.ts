/** What is done by hand in one case of a cause, in Chinese: sentences and templates as those of `templates.ts`. @module */

export const BY_HAND_ZH: readonly (readonly [english: string, chinese: string])[] = [
  [
    "raise {name} to {} times what is in force, which the log does not show",
    "把 {1} 提高到现用值的 {2} 倍；现用值日志中没有",
  ],
  [
    "raise {name} to {} times and {name} to {} times what is in force, which the log does not show",
    "把 {1} 提高到现用值的 {2} 倍，{3} 提高到 {4} 倍；现用值日志中没有",
  ],
  [
    "take the checkpoint of about train step {}, where held-out results were best, and stop there, or use more data",
    "取训练步 {1} 前后留出集结果最好的检查点并停在那里，或用更多数据",
  ],
  [
    "set verifier: {name} in load_prompts: it reads the completions as they are written",
    "在 load_prompts 中设 verifier: {1}：它能按写法读取补全",
  ],
  ["write {name}: {} in place of {}, which YAML reads as text", "把 {1} 写成 {2}，不要写 {3}：后者被 YAML 读作文本"],
  ["or have the prompts ask for what the verifier {name} reads", "或让提示要求 {1} 能读的写法"],
  ["keep one of the two lines with {name}, {name} or {name}", "{1} 的两行只留一行：第 {2} 行或第 {3} 行"],
  ["keep one of the two lines with {name}, the first or the second", "{1} 的两行只留一行：第一行或第二行"],
  ["choose a group size that divides {}, or a batch of whole groups", "选能整除 {1} 的组大小，或能放下整组的批次"],
  [
    "go back to a checkpoint with the old length. {name} rises meanwhile and may pay for short answers: weigh it less, or pay it only where the answer is right",
    "回到长度还正常的检查点。{1} 同时在上升，可能奖励了短回答：降低它的权重，或只在答对时给它",
  ],
  [
    "start again with the usual learning rate of the model's size, from {} for large models to {} for the smallest; the log alone does not tell the size: give the configuration beside it, or the folder of the run",
    "用该模型规模常用的学习率重新开始，从大模型的 {1} 到最小模型的 {2}；仅凭日志看不出规模：请一并给出配置，或整个训练文件夹",
  ],
  [
    "torch warns that a checkpointed layer got no input with a gradient: re-entrant checkpointing ends the backward pass there, as where an adapter stands on frozen embeddings",
    "torch 警告被检查点的层没有收到带梯度的输入：可重入的检查点在那里中断了反向传播，比如适配器接在冻结的嵌入上",
  ],
  [
    "start again, or from a checkpoint before, with a usual learning rate of the critic",
    "重新开始或从更早的检查点开始，价值网络用常用的学习率",
  ],
  [
    "start again, or from a checkpoint before the fall, with a usual learning rate of the critic: advantages carry its error",
    "重新开始或从下降之前的检查点开始，价值网络用常用的学习率：优势带着它的误差",
  ],
  [
    "if the verifier does not say what you want, set verifier: none in load_prompts; else mend the reward",
    "若校验器说的不是你要的，就在 load_prompts 中设 verifier: none；否则修正奖励",
  ],
  [
    "the sampler computes with weights of 8 or 4 bits and rounds what it multiplies by them; the correction that was asked for is for that",
    "采样器用 8 位或 4 位权重计算并把乘数舍入；所要求的校正正是为此",
  ],
  ["check that the sampler gets the weights of every update", "检查采样器是否拿到每次更新的权重"],
  [
    "the reference is a copy of the policy: look for what computes the two differently",
    "参考模型是策略的副本：查找两者计算不同的地方",
  ],
  [
    "the adapter has trained before the reference is asked: use reference: copy",
    "在询问参考模型之前适配器已训练过：用 reference: copy",
  ],
  [
    "the reference is the policy's base: look for what changes the base of the adapter",
    "参考模型是策略的基座：查找改动了适配器基座的东西",
  ],
  // ***** in runs of ours *****
  ['check the patterns of "trainable" in load_model', "检查 load_model 中 trainable 的匹配模式"],
  [
    "check the patterns of trainable in load_model; if all weights train, the graph of the loss is at fault: report it",
    "检查 load_model 中 trainable 的匹配模式；若所有权重都在训练，就是损失的计算图有问题：请报告",
  ],
  [
    "check trainable of load_critic and learning_rate and max_grad_norm of update_critic",
    "检查 load_critic 的 trainable，以及 update_critic 的 learning_rate 和 max_grad_norm",
  ],
  [
    "check that model in load_model is a folder of trained weights with its own tokenizer, or warm start by fine_tune",
    "确认 load_model 的 model 是带自身分词器的已训练权重文件夹，或先用 fine_tune 热身",
  ],
  [
    "return a finite number, or null for a completion that cannot be judged; on_error: drop of score_rewards leaves out what a file of yours fails on",
    "返回有限的数值，无法判断的补全返回 null；score_rewards 的 on_error: drop 会略去你的文件出错的样本",
  ],
  [
    "use loss kto in train_preferences and drop unsafe: its KL has no gradient and no mean over a class",
    "在 train_preferences 中用 loss kto 并去掉 unsafe：它的 KL 没有梯度，也不对某一类求平均",
  ],
  ["look at the answers of the prompts: an empty one leaves nothing to learn", "查看提示的答案：空答案没有可学的"],
  [
    "check the patterns of trainable in load_model against the names of the tensors",
    "对照张量名检查 load_model 中 trainable 的匹配模式",
  ],
  [
    "sampler and trainer share their weights: with plain sampling options this is a fault of ours, report it",
    "采样器与训练器共用权重：若采样设置没有特别之处，就是我们的错误，请报告",
  ],
  [
    "check learning_rate, max_grad_norm and epsilon of the step that trains, and trainable of load_model. A gradient per weight (grad_norm over the root of the parameters) below epsilon moves nothing: lower epsilon or scale the loss up. If all of these are usual, it is a fault of ours: report it",
    "检查训练步骤的 learning_rate、max_grad_norm 和 epsilon，以及 load_model 的 trainable。每个权重的梯度（grad_norm 除以参数量的平方根）低于 epsilon 就什么都动不了：降低 epsilon 或放大损失。若这些都正常，就是我们的错误：请报告",
  ],
  ["check the folder that reference of load_model names", "检查 load_model 的 reference 所指的文件夹"],
];
