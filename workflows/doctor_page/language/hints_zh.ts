/** What to do, in Chinese: hints of rules and what is done by hand, by their English. @module */

export const HINTS_ZH: Readonly<Record<string, string>> = {
  "Keep the input of that function off its edge (clamp it, add an epsilon), or compute it in fp32.":
    "让该函数的输入离开边界（用 clamp 限制，或加一个 epsilon），或用 fp32 计算。",
  "Raise the length cap, or keep truncated completions in the loss.": "提高长度上限，或让被截断的补全也计入损失",
  "Stop here, or continue with harder prompts.": "到此为止，或换更难的提示继续",
  "Give harder prompts, or stop: the task is solved.": "换更难的提示，或停止：任务已经解决",
  "Start from easier prompts or a supervised warm start, or give partial credit.":
    "从更容易的提示开始，或先做监督热身，或给部分分",
  "Give easier prompts, a warm start, or a reward with partial credit.": "换更容易的提示、先做热身，或用给部分分的奖励",
  "Nothing: watch reward, grad_norm and the share of groups without spread, not the loss.":
    "什么都不用做：要看的是 reward、grad_norm 和组内无差异的比例，而不是损失",
  "Nothing: what the run is for does not suffer. Watch whether it goes on.":
    "什么都不用做：训练的目标没有受损。留意它是否持续",
  "Look for detach, no_grad, adapters merged or disabled during the loss, inputs without gradients under re-entrant checkpointing.":
    "查找 detach、no_grad、计算损失时被合并或关闭的适配器，以及可重入检查点下没有梯度的输入",
  "gradient_checkpointing_kwargs: {use_reentrant: false} or enable_input_require_grads(); then upgrade the libraries.":
    "设置 gradient_checkpointing_kwargs: {use_reentrant: false} 或调用 enable_input_require_grads()；然后升级各个库",
  "Score a right and a wrong answer by hand: the function must tell them apart.":
    "手动给一个正确答案和一个错误答案打分：奖励函数必须能把它们分开",
  "Test the reward function on a gold answer, an empty one and junk: three different values are wanted.":
    "用标准答案、空答案和乱写的文字测试奖励函数：应得到三个不同的值",
  "Convert the gold boxes to the coordinates the model was trained with: thousandths for Qwen2-VL, pixels of the resized image for Qwen2.5-VL.":
    "把标注框换算成模型训练时所用的坐标：Qwen2-VL 为千分位，Qwen2.5-VL 为缩放后图像的像素",
  "Convert the data (Qwen2.5-VL: absolute pixels of the resized image; Qwen2-VL: 0 to 1000).":
    "转换数据（Qwen2.5-VL：缩放后图像的绝对像素；Qwen2-VL：0 到 1000）",
  "Give the critic a learning rate, and look whether its head trains and its loss reaches it.":
    "给价值网络设学习率，并检查它的输出头是否在训练、损失是否传到它",
  "Check that the optimizer of the critic owns its parameters and that no warm-up keeps its rate at 0.":
    "确认价值网络的优化器持有其参数，且没有预热把它的学习率一直压在 0",
  "Go back to a checkpoint with entropy, raise the upper clip, lower the learning rate, or add a small entropy bonus or KL.":
    "回到熵还在的检查点，提高裁剪上界、降低学习率，或加少量熵奖励或 KL",
  "Take fewer updates per rollout or smaller steps.": "减少每批采样的更新次数，或减小步长",
  "The step is too small for the signal: raise the batch or the group size, a learning rate below the usual one, or give partial credit.":
    "步长对这样的信号来说太小：增大批量或组大小，把低于常用值的学习率调高，或给部分分",
  "Read ten examples; swap the columns or repair the labels.": "读十个样本；对调两列或修正标签",
  "Read ten examples with their labels and swap them if the worse text is called the better one.":
    "连标签读十个样本，若较差的文本被标为较好，就对调",
  "Hold the policy nearer to where it came from, or mix prompts of what it must not forget into those it is trained on.":
    "让策略更靠近出发点，或在训练提示中混入不能忘掉的任务",
  "Mix prompts of the other task into the training data, and go on from a checkpoint before the fall.":
    "在训练数据中混入另一任务的提示，并从下降之前的检查点继续",
  "Put an example of the format into the prompt, warm start on it, or relax the check.":
    "在提示中放一个格式示例，先用它热身，或放宽检查",
  "Print one completion and run the format check on it; show the format in the prompt.":
    "打印一条补全并对它运行格式检查；在提示中写明格式",
  "Train in bf16 or fp32, or lower the learning rate.": "改用 bf16 或 fp32 训练，或降低学习率",
  "bf16: true, fp16: false.": "设 bf16: true、fp16: false",
  "Train in fp32, or lower the learning rate: this GPU has no bf16.":
    "改用 fp32 训练，或降低学习率：此 GPU 不支持 bf16",
  "fp16: false.": "设 fp16: false",
  "Generate with the plain model outside the trainer: if that reads well, check the attention implementation, weight sync, processor and batch padding.":
    "在训练器之外用原模型生成：若读起来正常，就检查注意力实现、权重同步、处理器和批内填充",
  "Try attn_implementation=sdpa or eager; check left padding, image tokens, and that the sampler has the current weights.":
    "试 attn_implementation=sdpa 或 eager；检查左填充、图像词元，以及采样器用的是否为当前权重",
  "Use the non-re-entrant variant, or give the inputs gradients.": "用不可重入的检查点，或让输入带梯度",
  "gradient_checkpointing_kwargs={'use_reentrant': False}, or model.enable_input_require_grads().":
    "设 gradient_checkpointing_kwargs={'use_reentrant': False}，或调用 model.enable_input_require_grads()",
  "Clip the gradient (max_grad_norm), look at the batches of these train steps: outlier rewards, a very long or empty completion; skip updates beyond a multiple of the usual norm.":
    "裁剪梯度（max_grad_norm），查看这些训练步的批次：离群的奖励、过长或为空的补全；梯度超过平常若干倍的更新就跳过",
  "Set temperature 1, top_p 1 and top_k 0 explicitly: a model folder's generation_config.json may override the trainer's defaults.":
    "显式设 temperature 1、top_p 1、top_k 0：模型目录里的 generation_config.json 可能盖过训练器的默认值",
  "Write temperature 1.0, top_p 1.0 and top_k 0 into generation_config.json of the model's folder: this trainer hands transformers none of them but a temperature of 1, which 4.50 to 4.57 take for not said.":
    "把 temperature 1.0、top_p 1.0、top_k 0 写进模型目录的 generation_config.json：这个训练器除了 temperature 1 之外什么都不传给 transformers，而 4.50 到 4.57 版把它当作没有设置",
  "Stop: rows were shuffled between sampling and advantages.": "停下：采样与优势计算之间，行被打乱了",
  "Stop: the mask does not belong to the tokens.": "停下：掩码与词元对不上",
  "Keep rows of a group together; look for a sort or a filter between the steps.":
    "同一组的行要放在一起；查找步骤之间的排序或过滤",
  "Use groups of 8 or more: at p = 0.2 they tie in 17 % of the cases, groups of 2 in 68 %.":
    "每组用 8 个或更多：p = 0.2 时有 17 % 的组同分，每组 2 个时有 68 %",
  "Drop pairs whose texts are equal; look whether truncation makes them equal.":
    "去掉两段文本相同的样本对；看是不是截断使它们相同",
  "Compare the columns; raise max_length if pairs are equal only after the cut.":
    "比较两列；若截断后才相同，就提高 max_length",
  "Correct the value; narrower causes exist for learning rate 0, group size and temperature.":
    "改正这个值；学习率为 0、组大小和温度各有更具体的病因",
  "Change the value that the evidence shows.": "改掉证据中的那个值",
  "Find the sample and the function, return a number always, and drop samples that cannot be scored.":
    "找出是哪个样本、哪个函数，始终返回数值，无法打分的样本就丢弃",
  "Scale or clip the rewards to about 1.": "把奖励缩放或裁剪到 1 左右",
  "Print one scale throughout.": "始终用同一尺度打印",
  "Stop and repeat on another machine: correct, transient or persistent says which part is at fault.":
    "停下并在另一台机器上重做：正确、偶发还是持续，能说明哪一部分有问题",
  "Replay twice on this machine and once on another; suspect memory if only this one differs.":
    "在本机重放两次、在另一台重放一次；若只有本机不同，就怀疑内存",
  "Go back to a checkpoint before the growth; raise the KL weight or lower the learning rate.":
    "回到增长之前的检查点；提高 KL 权重或降低学习率",
  "Guard the metric: take the mean over unmasked tokens only. Watch that it does not spread.":
    "给这个指标加保护：只对未掩掉的词元取平均。留意它不要扩散",
  "Mask before subtracting: -inf minus -inf is NaN also where the mask is 0.":
    "先掩码再相减：即使掩码为 0，-inf 减 -inf 也是 NaN",
  "Add rows of the other class; then weigh the classes by their counts.": "加入另一类的样本；再按数量给两类加权",
  'Check the label column: text labels such as "false" read as true.': "检查标签列：“false”这样的文字标签会被当作真",
  "Use a batch that always holds both classes, or a loss that guards empty classes.":
    "让每个批次总含两类，或用对空类有保护的损失",
  "OpenRLHF: drop --vanilla_loss or use its balanced sampler; TRL: a per-device batch of at least 4, a current version.":
    "OpenRLHF：去掉 --vanilla_loss 或用它的均衡采样器；TRL：每设备批量至少 4，并用当前版本",
  "Stop at the best held-out score; what comes after it only costs.": "停在留出集分数最好处；之后只是浪费",
  "Take the checkpoint at which learning stopped, change what the message names, and go on from there.":
    "取学习停止时的检查点，改掉上面所说的，再从那里继续",
  "Let the schedule end with the run, or start a new one from here with a fresh schedule.":
    "让学习率计划与训练同时结束，或从这里用新的计划重新开始",
  "Use prompts of mixed difficulty: those that are solved or never solved teach nothing.":
    "用难度不一的提示：总能解或从不能解的提示什么也教不了",
  "Go back to a checkpoint with entropy; raise the upper clip or lower the learning rate.":
    "回到熵还在的检查点；提高裁剪上界或降低学习率",
  "Raise the length cap: the answers no longer fit.": "提高长度上限：答案已经放不下了",
  "Go on from a checkpoint before the break, or start again, with the usual learning rate or less.":
    "从崩溃之前的检查点继续，或重新开始，用常用的学习率或更小的",
  "Go on from a checkpoint before the fall, or start again, with a tenth of this learning rate, and no more than the usual one.":
    "从下降之前的检查点继续，或重新开始，用这个学习率的十分之一，且不超过常用值",
  "Set a learning rate; check the schedule's number of steps.": "设一个学习率；检查学习率计划的步数",
  "Give the schedule as many steps as the run has, or end the run where the rate does.":
    "让学习率计划的步数与训练相同，或在学习率归零处结束训练",
  "Set the learning rate that is usual for the model's size.": "设为该模型规模常用的学习率",
  "Set max_grad_norm to 1, or leave it out.": "把 max_grad_norm 设为 1，或不设",
  "Go back to a checkpoint from before completions shrank; take penalties on length out, require a minimum length, or use a loss without a length bias.":
    "回到补全变短之前的检查点；去掉对长度的惩罚、规定最短长度，或用没有长度偏差的损失",
  "Take the length out of what is rewarded (token_mean or a constant as denominator, no reward for length), or pay for short answers.":
    "不要让长度得到奖励（分母用 token_mean 或常数，不奖励长度），或奖励简短的回答",
  "Look at late completions: what do the new words say?": "看后期的补全：多出来的词说了什么？",
  "Add the likelihood of the chosen texts to the loss (a term of supervised learning beside that of preferences), or start again, or from a checkpoint before, with a larger beta or a smaller learning rate.":
    "在损失中加入优选文本的似然（偏好项之外再加一个监督项），或用更大的 beta、更小的学习率重新开始或从更早的检查点开始",
  "Go back to a checkpoint before the collapse, lower the learning rate, switch the KL on.":
    "回到坍缩之前的检查点，降低学习率，打开 KL",
  "Compute the loss of one batch in fp32 and look at padding, empty completions and divisions by a count of 0.":
    "用 fp32 计算一个批次的损失，检查填充、空补全和除以 0 的计数",
  "Check for empty completions (0/0), for -inf in masked log-probs, and for half precision in the log-softmax.":
    "检查空补全（0/0）、被掩掉的对数概率里的 -inf，以及 log-softmax 是否用了半精度",
  "Sample at temperature 1 without top_k, top_p or penalties, or apply the same options where log-probabilities are computed.":
    "以温度 1 采样，不用 top_k、top_p 和惩罚，或在计算对数概率处用同样的设置",
  "Print one tokenised row with its labels; fix the response template or raise max_length.":
    "打印一行分词结果及其标签；修正回答模板或提高 max_length",
  "Decode the tokens whose label is not -100: it must be the answer.": "解码标签不是 -100 的词元：应当正好是答案",
  "Check the adapter's target modules against the layer names, and that nothing freezes it after it was added.":
    "对照层名检查适配器的目标模块，并确认加入之后没有被冻结",
  "Look for what freezes the adapter after it was added: prepare_model_for_kbit_training() after get_peft_model(), an adapter loaded without is_trainable, a requires_grad_(False) on the whole model; or target modules that match no layer.":
    "查找加入适配器之后是什么冻结了它：在 get_peft_model() 之后调用的 prepare_model_for_kbit_training()、加载时没有 is_trainable、对整个模型的 requires_grad_(False)；或没有匹配到任何层的目标模块",
  "PeftModel.from_pretrained(model, folder, is_trainable=True); prepare_model_for_kbit_training() before get_peft_model(); then model.print_trainable_parameters() before training.":
    "用 PeftModel.from_pretrained(model, folder, is_trainable=True)；先 prepare_model_for_kbit_training() 再 get_peft_model()；训练前调用 model.print_trainable_parameters()",
  'Set target_modules to "all-linear" and print the count of trainable parameters before training.':
    '把 target_modules 设为 "all-linear"，并在训练前打印可训练参数的数量',
  "The configured rate is above 0: look at the schedule and its warm-up (how many steps they were given, whether the scheduler steps at all), and print the rate with all its digits.":
    "配置的学习率大于 0：查看调度与预热（给了多少步，调度器是否在走），并打印学习率的全部位数",
  "Load the weights that training began with and look for the first tensor that is not finite.":
    "加载训练开始时的权重，找出第一个不是有限值的张量",
  "Check the tensors of the model that training began with for NaN and infinities, then one forward pass in fp32.":
    "检查训练开始时模型的张量里有没有 NaN 和无穷，再用 fp32 做一次前向",
  "Reload the weights or an earlier checkpoint and look for the first tensor that is not finite.":
    "重新加载权重或更早的检查点，找出第一个不是有限值的张量",
  "Check the checkpoint's tensors for NaN and infinities; go back to the last good one.":
    "检查检查点的张量里有没有 NaN 和无穷；回到最后一个完好的",
  "Go back before the first non-finite step and replay it with every intermediate watched; compute the log-softmax in fp32, clamp the KL term, or switch the KL loss off.":
    "回到第一个非有限步之前，监视每个中间值重放；用 fp32 计算 log-softmax，限制 KL 项，或关掉 KL 损失",
  "Resume from the last checkpoint before the first NaN; weights written after it are lost.":
    "从第一个 NaN 之前的最后一个检查点恢复；之后写出的权重已不可用",
  "Take the best checkpoint, train fewer epochs, or use more data.": "取最好的检查点，减少轮数，或用更多数据",
  "Take the best checkpoint. No row was seen twice, so fewer passes change nothing: take smaller steps, a stronger pull to the reference (of pairs a larger beta), or more data.":
    "取最好的检查点。没有一行被看过两次，减少轮数没有用：减小步长，加强向参考模型的拉力（偏好训练则加大 beta），或用更多数据",
  "Give more different prompts: these are known by heart.": "给更多不同的提示：这些已被背下来了",
  "Remove duplicates from the data.": "去掉数据中的重复项",
  "Start again, or from a checkpoint before, with a tenth of the learning rate and no more than the usual one, a larger beta and one epoch.":
    "用十分之一且不超过常用值的学习率、更大的 beta 和一轮，重新开始或从更早的检查点开始",
  "Start again, or from a checkpoint before, with a tenth of the learning rate, a larger beta and one epoch.":
    "用十分之一的学习率、更大的 beta 和一轮，重新开始或从更早的检查点开始",
  "Keep the end of each answer among its labels, generate with the template of training, train for fewer epochs.":
    "让每个回答的结束符留在标签里，用训练时的模板生成，少训几轮。",
  "Go back to a checkpoint that writes, lower the learning rate, keep a KL to the reference.":
    "回到还能正常写文本的检查点，降低学习率，保留对参考模型的 KL",
  "Look at other processes on the machine, memory, disk and the slowest reward function.":
    "查看机器上的其他进程、内存、磁盘和最慢的奖励函数",
  "Free memory or disk, use fewer threads per process, restart from the last checkpoint.":
    "释放内存或磁盘，减少每个进程的线程，从最后一个检查点重启",
  "Go on from a checkpoint before the fall, or start again, with a smaller learning rate or a stronger KL to the reference.":
    "用更小的学习率或对参考模型更强的 KL，从下降之前的检查点继续，或重新开始",
  "Go on from a checkpoint before the fall, or start again, with what lowers the entropy: a smaller learning rate, a stronger KL to the reference.":
    "用能降低熵的做法（更小的学习率、对参考模型更强的 KL），从下降之前的检查点继续，或重新开始",
  "Go on from a checkpoint before the fall, or start again, with what lowers the entropy: no entropy bonus, a smaller learning rate, a stronger KL to the reference.":
    "用能降低熵的做法（不加熵奖励、更小的学习率、对参考模型更强的 KL），从下降之前的检查点继续，或重新开始",
  "Stop at the best held-out score; make the proxy weigh less or verify what it stands for.":
    "停在留出集分数最好处；降低代理指标的权重，或核实它所代表的东西",
  "Fix the verifier: the shortcut shows in the completions.": "修好验证器：捷径在补全里看得见",
  "Score what is not in the prompt: completions copy it, and are paid as before.":
    "只给提示中没有的内容打分：补全照抄提示，得分不变",
  "Score held-out answers by hand: if they are wrong, mend the reward; if they are right, the evaluation.":
    "手动给留出集的答案打分：若是错的，就修奖励；若是对的，就修评测",
  "Bring the functions to one scale (reward_weights, or normalise each), or gate the loud one: pay it only where the goal is met.":
    "让各函数处于同一尺度（reward_weights，或分别归一化），或给声音大的加门：只有达到目标时才给分",
  "Weigh the loud reward down until the goal's has the larger deviation.":
    "降低声音大的奖励的权重，直到目标奖励的偏差更大",
  "Run the reward on the gold answer itself: it must give the maximum. Then on one printed completion.":
    "先对标准答案本身运行奖励：必须得到最高分。再对一条打印出的补全运行",
  "Fix the parser: test it on the gold answer, with newlines, spaces, boxes and units as the model writes them.":
    "修好解析：用标准答案测试，换行、空格、方框和单位按模型的写法",
  "Look at the answers in the data: shifted rows, another format, another file.":
    "看数据里的答案：错行、另一种格式、另一个文件",
  "Flip the sign of the reward, or the comparison in it.": "把奖励的符号或其中的比较反过来",
  "Use the script and the reward functions written for this dataset's task.":
    "用为这个数据集的任务编写的脚本和奖励函数",
  "Visual-RFT: grpo.py for detection, grpo_classification.py for classification, grpo_lisa.py for grounding.":
    "Visual-RFT：检测用 grpo.py，分类用 grpo_classification.py，定位用 grpo_lisa.py",
  "Use the same precision and the same sampling options on both sides, sync weights, and correct by truncated importance weights.":
    "两边用同样的精度和采样设置，同步权重，并用截断的重要性权重校正",
  "Check weight sync, logits processors, quantisation and the head's precision.":
    "检查权重同步、logits 处理器、量化和输出头的精度",
  "Check that the sampler gets the weights of every update.": "确认采样器拿到每次更新后的权重",
  "Go back to a checkpoint before it, or start again, with a lower learning rate.":
    "用更低的学习率，回到此前的检查点，或重新开始",
  "Raise the length cap, or make the end of sequence reachable: chat template, end-of-sequence ids, prompts.":
    "提高长度上限，或让结束符能够出现：对话模板、结束符编号、提示",
  "Check that the optimizer owns the model's parameters, the gradient clip, the precision of the weights and the learning rate.":
    "检查优化器是否持有模型参数、梯度裁剪、权重精度和学习率",
  "Build the optimizer after the model is wrapped, over the wrapped model's parameters.":
    "在模型包装之后，用包装后模型的参数建立优化器",
  "Load the reference from the same checkpoint as the policy and switch dropout off.":
    "从与策略相同的检查点加载参考模型，并关掉 dropout",
  "Check the reference's path, the adapter that is disabled for it, cached reference log-probs, and dropout.":
    "检查参考模型的路径、为它关闭的适配器、缓存的参考对数概率和 dropout",
  "Use prompts of mixed difficulty, larger groups, or a reward with partial credit; sample again where a group ties.":
    "用难度不一的提示、更大的组或给部分分的奖励；同分的组重新采样",
  "Look at the signs and weights of the rewards: what one gives the other takes.":
    "看各奖励的符号和权重：一个给的被另一个拿走了",
  "Load the critic anew, from a checkpoint before, and train it at a lower learning rate.":
    "从更早的检查点重新加载价值网络，用更低的学习率训练",
  "Load the critic anew and train it at a lower learning rate.": "重新加载价值网络，用更低的学习率训练",
  "Load the critic anew and train it at the usual learning rate.": "重新加载价值网络，用常用的学习率训练",
  "Give the critic a learning rate of its own.": "给价值网络单独的学习率",
  "Go on from a checkpoint before with a smaller learning rate of the critic, or train it on more of each rollout.":
    "用更小的价值网络学习率从更早的检查点继续，或让它用每批采样训练得更多",
  "The model arrived like this, no update made it so: start from another model or checkpoint, or warm start it on examples.":
    "模型一开始就是这样，不是更新造成的：换一个模型或检查点，或先用样本热身",
  "The policy moves and the reward does not follow: larger steps do not help. Score right and wrong answers by hand with the reward function: one that hardly tells them apart teaches nothing. Else give partial credit, or larger groups.":
    "策略在动而奖励不跟着动：加大步长没有用。用奖励函数手动给对错答案打分：几乎分不开的奖励什么也教不了。否则给部分分，或用更大的组",
  "Sync the sampler's weights after every update, and correct by truncated importance weights: what comes about over the run is no option that stays the same.":
    "每次更新后同步采样器的权重，并用截断的重要性权重校正：随训练逐渐出现的问题不是某个固定选项造成的",
  "Do as its message says: it names the option, and mostly what it may be.":
    "按它的提示做：其中写明了是哪个设置，多半还写了可取的值",
  "Look at the batch of these train steps (an empty completion, a division by a count of 0), and skip its update.":
    "检查这些训练步的批次（空补全、除以 0 的计数），并跳过它的更新",
};
