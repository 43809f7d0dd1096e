/** What a claim is of and what it says of it, in Chinese: what stands as the name of a row of evidence. @module */
import type { PredicateName } from "../../../data/adapters/post/words/predicates.ts";
import type { SubjectName } from "../../../data/adapters/post/words/subjects.ts";

export const SUBJECTS_ZH: Readonly<Record<SubjectName, string>> = {
  eval_loss: "评测损失",
  evaluation: "评测分数",
  value_loss: "价值损失",
  policy_loss: "策略损失",
  labels: "标签",
  gold: "标准答案",
  step_time: "每步用时",
  memory: "显存",
  loss_scale: "损失缩放",
  loss: "损失",
  group_reward_std: "组内奖励标准差",
  zero_spread: "组内无差异",
  format_reward: "格式奖励",
  accuracy_reward: "准确率奖励",
  iou_reward: "IoU 奖励",
  margin: "奖励差距",
  chosen: "优选一侧",
  rejected: "劣选一侧",
  preference_accuracy: "偏好准确率",
  reward_model: "奖励模型",
  reward: "奖励",
  accuracy: "准确率",
  critic_grad_norm: "价值网络的梯度范数",
  grad_norm: "梯度范数",
  kl: "KL",
  entropy: "熵",
  clip_fraction: "裁剪比例",
  ratio: "比率",
  advantage: "优势",
  learning_rate: "学习率",
  logprobs: "对数概率",
  truncation: "截断",
  completion_length: "补全长度",
  completions: "补全",
  adapter: "适配器",
  training: "训练",
  policy: "策略",
  parameters: "可训练参数",
};

export const PREDICATES_ZH: Readonly<Record<PredicateName, string>> = {
  not_finite: "不是有限值",
  negative: "为负",
  zero: "为 0",
  constant: "不变",
  noisy: "起伏不定",
  explodes: "爆炸",
  collapses: "崩溃",
  worsens: "变差",
  falls: "下降",
  rises: "上升",
  differs: "不一致",
  slows: "变慢",
  killed: "被终止",
  overflows: "溢出",
  frozen: "被冻结",
  memorised: "被死记",
  forgets: "遗忘",
  hangs: "卡住",
  cheats: "投机取巧",
  same_everywhere: "处处相同",
  identical: "完全相同",
  garbled: "是乱码",
  token_zero: "全是词元 0",
  empty: "为空",
  repeats: "重复",
  truncated: "被截断",
  correct: "正确",
  wrong: "错误",
  readable: "正常可读",
  high: "偏高",
  low: "偏低",
  at_maximum: "到顶",
};

/** The name of a row of evidence that is a claim, in Chinese; null of a metric or what else it is. */
export function claimInChinese(name: string): string | null {
  const [subject = "", ...rest] = name.split(" "), predicate = rest.join("_");
  if (!Object.hasOwn(SUBJECTS_ZH, subject) || !Object.hasOwn(PREDICATES_ZH, predicate)) return null;
  const of = SUBJECTS_ZH[subject as SubjectName], says = PREDICATES_ZH[predicate as PredicateName];
  return /[A-Za-z]$/.test(of) ? `${of} ${says}` : of + says;
}
