/**
 * What people speak of in a report, in their languages: each subject once, with the column of `metrics` that it is.
 *
 * Words of languages without spaces (Chinese, Japanese, Korean) match anywhere, others as whole words. @module
 */
import type { MetricName } from "../../../columns.ts";

export interface Subject {
  /** The column that numbers said of it are of; null where it has none. */
  readonly column: MetricName | `reward.${string}` | null;
  /** What `nameInfo` knows its numbers by, where that is not the column. */
  readonly name?: string;
  /** Alternatives as whole words, as a regular expression. */
  readonly words: string;
  /** Alternatives that match anywhere. */
  readonly signs?: string;
}

/** Subjects in the order in which a word is looked for: the longer name stands before the one that it holds. */
export const SUBJECTS = {
  eval_loss: {
    column: null,
    name: "eval_loss",
    words: "(?:eval(?:uation)?|validation|val|test)[ _/-]?loss(?:es)?|perte de validation|Validierungsverlust",
    signs: "(?:验证|测试)集?(?:上)?的?\\s?(?:loss|损失)|評価(?:損失|loss)|검증\\s?(?:손실|loss)",
  },
  evaluation: {
    column: null,
    name: "eval_accuracy",
    words:
      "(?:eval(?:uation)?|validation|val|test|held[- ]out|dev|benchmark)(?:[ _/-](?:set|split|reward|accuracy|acc|scores?|performance|results?|metrics?))+|(?:held[- ]out|hold[- ]?out|downstream|benchmark) ?(?:performance|scores?|accuracy|results?|probe|problems?|set|gain|sets?)?|pass[@_]\\w+|EM|exact[ -]match|F1|BLEU|win[ -]?rate|rouge(?:-\\w+)?|(?:score|précision) de validation|Validierungs\\w*|evaluaci[oó]n|avaliaç[aã]o|валидаци\\w*",
    signs:
      "验证集(?:上)?的?(?:准确率|得分|分数|reward|奖励)?|测试集(?:上)?的?(?:准确率|得分|分数)?|评测(?:分数|得分|指标)|検証(?:スコア|精度)|胜率|勝率|승률|評価(?:スコア|精度)|검증\\s?(?:점수|정확도)|평가\\s?점수",
  },
  value_loss: { column: "value_loss", words: "(?:value|critic|vf)[ _]?(?:function )?loss|critic_loss|act_?value_loss" },
  policy_loss: { column: "policy_loss", words: "(?:policy|actor|pg)[ _]?loss" },
  labels: {
    column: null,
    words: "(?:label|supervised|target)(?:led)?[ _-]?tokens|labels",
    signs: "标签|监督\\s?token|ラベル|레이블|라벨",
  },
  gold: {
    column: null,
    words:
      "gold(?:en)?[ -](?:pairs?|labels?|set|standard|accuracy|data|annotations?|preferences?)|(?:hand|human|manual(?:ly)?|expert)[- ](?:labell?ed|annotated|checked|picked|ranked|labels?|annotations?|annotators?|raters?|judg\\w+|preferences?|pairs?)|(?:annotated|labell?ed|checked|ranked|rated|judged) by (?:hand|(?:\\w+ )?(?:experts?|humans?|people|persons?|annotators?|linguists?|doctors?|lawyers?|colleagues?))|annotators?|paires? (?:annotées?|de référence)|von Hand \\w+|handannotiert\\w*|anotad[oa]s? a mano|anotad[oa]s? (?:à|a) mão|размечен\\w* вручную|ручн\\w+ разметк\\w+",
    signs:
      "人工(?:标注|标记|评测|评估|偏好|打分|挑选)|手工标注|金标|人手(?:ラベル|評価|アノテーション)|手作業|사람이\\s?(?:직접)?\\s?(?:라벨|평가|고른|표시)|수작업",
  },
  step_time: {
    column: null,
    words:
      "(?:step|iteration|batch|rollout)[ _]?(?:times?|duration)|(?:time|seconds?) per (?:step|iteration|batch)|s/it|s/step|sec(?:onds?)?/(?:it|iter|step)|throughput|it/s|tok(?:ens?)?/s(?:ec)?|durée (?:par|d'une) étape|Schrittdauer|Zeit pro Schritt|tiempo por paso|tempo por passo|время шага",
    signs: "(?:每|单)步(?:的)?(?:耗时|时间|用时)|吞吐量?|ステップ時間|処理時間|スループット|스텝\\s?시간|처리량",
  },
  loss_scale: { column: "loss_scale", words: "(?:grad(?:ient)?|loss)[ _]scale[rd]?|scaler", signs: "损失缩放" },
  loss: {
    column: "loss",
    words:
      "(?:train(?:ing)?[ _])?loss(?:es)?|pertes?|Verlust(?:e|s)?|p[eé]rdidas?|perdas?|поте?р[ьия]\\w*|лосс\\w*|функци[яи] потерь",
    signs: "损失|損失|ロス|손실|로스|(?:train_?)?loss",
  },
  group_reward_std: {
    column: "group_reward_std",
    words:
      "(?:reward|advantage)s?[ _](?:std|variance|standard deviation|spread)|(?:std|variance|standard deviation|spread) of (?:the )?(?:group )?rewards?",
    signs: "(?:奖励|reward)\\s?的?\\s?(?:标准差|方差|std)|報酬の(?:標準偏差|分散)|보상\\s?(?:표준\\s?편차|분산)",
  },
  zero_spread: {
    column: "zero_spread_fraction",
    words:
      "frac_reward_zero_std|(?:share|fraction|percentage|proportion|part) of (?:the )?(?:groups|prompts)[\\w' ]{0,40}(?:no spread|zero (?:std|variance)|ties?|tied|no (?:std|variance)|all (?:right|wrong|the same|equal))|(?:zero[- ]variance|homogeneous|tied|degenerate) (?:groups|prompts)|groupes (?:homogènes|sans écart)",
    signs: "(?:零方差|无方差|方差为0)的?(?:组|group)(?:的)?(?:占比|比例)?|全对或全错的?(?:组|题)(?:的)?(?:占比|比例)?",
  },
  format_reward: {
    column: "reward.format_reward",
    words: "format(?:ting)?[ _]?(?:rewards?|score)|rewards?/format\\w*",
    signs: "格式(?:奖励|分|得分|reward)|フォーマット(?:報酬|リワード)|형식\\s?보상|포맷\\s?보상",
  },
  accuracy_reward: {
    column: "reward.accuracy_reward",
    words: "(?:accuracy|correctness|answer|acc|outcome)[ _](?:rewards?|score)",
    signs: "准确率?(?:奖励|reward)|正确性?(?:奖励|reward)|答案奖励|正解報酬|정확도\\s?보상",
  },
  iou_reward: { column: "reward.iou_reward", words: "iou[ _]rewards?|iou(?!\\s?奖励)", signs: "IoU\\s?奖励" },
  chosen: {
    column: "chosen_reward",
    words:
      "(?:rewards?[ _/])?(?:chosen|accept(?:ed)?|preferred|winning)(?:[ _](?:rewards?|log_?p\\w*|side|answers?|responses?))?",
    signs: "chosen(?:\\s?(?:reward|奖励|的))?|正样本|正例",
  },
  rejected: {
    column: "rejected_reward",
    words:
      "(?:rewards?[ _/])?(?:reject(?:ed)?|dispreferred|losing)(?:[ _](?:rewards?|log_?p\\w*|side|answers?|responses?))?",
    signs: "rejected(?:\\s?(?:reward|奖励|的))?|负样本|负例",
  },
  margin: { column: "reward_margin", words: "(?:reward[ _/])?margins?", signs: "奖励差|マージン|마진" },
  preference_accuracy: {
    column: "preference_accuracy",
    words: "rewards?[ _/]acc(?:urac(?:y|ies))?|preference accurac(?:y|ies)|pair(?:wise)? accurac(?:y|ies)",
  },
  reward_model: {
    column: null,
    words:
      "reward models?|RM(?! score)|scorers?|mod[eè]le de r[eé]compense|Reward-Modell|modelo de recompensa|модел\\w+ (?:награды|вознаграждения)",
    signs: "奖励模型|報酬モデル|리워드\\s?모델|보상\\s?모델",
  },
  reward: {
    column: "reward",
    words:
      "(?:mean|average|avg|total|critic|training|train|episode)?[ _]?(?:rewards?|scores?)(?![ _-](?:rate|ratio|hack\\w*|weights?|model(?! score)|shap\\w*|term|scal\\w*|range|components?|engineering|design|threshold))(?:[ _](?:mean|score|curve|function|value|signal|model score))?|r[eé]compenses?|Belohnung(?:en)?|Reward(?:s)?|recompensas?|наград\\w*|вознаграждени\\w*|реворд\\w*",
    signs: "奖励(?:值|分数|函数)?|得分|报酬|報酬|リワード|スコア|보상|리워드|점수|rewards?",
  },
  accuracy: {
    column: null,
    name: "rewards/accuracy",
    words:
      "(?:train(?:ing)?[ _])?acc(?:uracy)?|pr[eé]cision|Genauigkeit|precisi[oó]n|acur[aá]cia|точност\\w*|solve rate",
    signs: "准确率|正确率|精度|正解率|正答率|정확도|정답률",
  },
  critic_grad_norm: { column: "critic_grad_norm", words: "critic[ _/]grad[ _]?norm" },
  grad_norm: {
    column: "grad_norm",
    words:
      "grad(?:ient)?s?[ _]?norms?|gradients?|grads?|gradientes?|Gradient(?:en)?(?:norm)?|norme du gradient|градиент\\w*",
    signs: "梯度(?:范数|模长|norm)?|勾配(?:ノルム)?|그래디언트|그라디언트|기울기|grad_?norm",
  },
  kl: {
    column: "kl",
    words: "kl(?:[ _-]?(?:div(?:ergence)?|loss|penalty|term|value|mean))?|divergence kl|KL-Divergenz",
    signs: "KL\\s?(?:散度|损失|惩罚|ダイバージェンス|발산)?|kl_?loss",
  },
  entropy: {
    column: "entropy",
    words: "(?:policy |token )?entrop(?:y|ie|[ií]a)(?:[ _]loss)?|энтропи\\w*",
    signs: "(?:策略)?熵|エントロピー|엔트로피|entropy",
  },
  clip_fraction: {
    column: "clip_fraction",
    words: "(?:pg_)?clip[ _]?frac(?:tion)?|policy clip ratio",
    signs: "裁剪(?:比例|率)|clipfrac",
  },
  ratio: {
    column: "ratio_mean",
    words: "(?:importance[ _](?:sampling[ _])?|policy )ratios?",
    signs: "重要性(?:采样)?比(?:率|例)?",
  },
  advantage: {
    column: null,
    words: "advantages?|Advantages|avantages?|ventajas?|преимуществ\\w*",
    signs: "优势(?:值|函数)?|アドバンテージ|어드밴티지",
  },
  learning_rate: {
    column: "learning_rate",
    words:
      "learning[ _]?rate|lr|taux d'apprentissage|Lernrate|tasa de aprendizaje|taxa de aprendizado|скорост[ьи] обучения",
    signs: "学习率|学習率|학습률",
  },
  logprobs: {
    column: null,
    words:
      "(?:old[ _]|ref(?:erence)?[ _]|rollout[ _])?log[ _-]?prob(?:s|abilit(?:y|ies))?|(?:old[ _]|ref[ _])?log_?ps|logits?|log-probabilités",
    signs: "(?:old_)?log_?probs?|对数概率|logits|対数確率|로그\\s?확률",
  },
  truncation: {
    column: "truncated_fraction",
    words:
      "(?:response[ _/])?(?:clip(?:ped)?_ratio|truncat\\w* (?:ratio|rate|fraction))|completions?/clipped_ratio|response_length/clip_ratio",
    signs: "截断(?:率|比例)|打ち切り率",
  },
  completion_length: {
    column: "completion_length",
    words:
      "resp_len(?:gth)?|(?:(?:mean|average|avg|completion|response|output|answer|generation|token|reply)s?[ _/-]?)*(?:lengths?|len)|longueurs?|L[aä]nge|longitud(?:es)?|comprimento|длин\\w*",
    signs:
      "(?:平均|回复|回答|输出|生成|响应|completion|response)?\\s?长度|(?:出力|応答|生成)長|(?:응답|출력|생성)\\s?길이|길이",
  },
  completions: {
    column: null,
    words:
      "(?:model(?:'s)? |generated |sampled )?(?:completions?|outputs?|responses?|answers?|generations?|rollouts?|samples|repl(?:y|ies)|texts?)|it (?:only |just )?(?:outputs?|prints?|generates?|answers|says|writes)|(?:the )?model (?:only |just |always )?(?:outputs?|prints?|generates?|answers|says|writes|produces)|sorties?|r[eé]ponses?|g[eé]n[eé]rations?|Ausgaben?|Antwort(?:en)?|Generierung(?:en)?|salidas?|respuestas?|sa[ií]das?|respostas?|ответ\\w*|вывод\\w*|генераци\\w*",
    signs:
      "(?:模型)?(?:的)?(?:回答|输出|回复|生成(?:的)?(?:文本|内容|结果|回答)?|采样结果|响应)|completions?|出力|回答|応答|返答|生成(?:文|結果|テキスト)?|응답|출력|답변|생성(?:문|\\s?결과)?",
  },
  adapter: {
    column: null,
    words:
      "(?:lora )?adapter(?:s| files?| weights)?|lora[ _]?[ab](?:s|\\.weights?| (?:matri(?:x|ces)|weights?))?|lora weights?|checkpoints? (?:is|are|files?)|saved (?:model|weights|adapter)",
    signs: "适配器|权重文件|アダプタ|어댑터",
  },
  training: {
    column: null,
    words:
      "training|the run|the job|process|rollout stage|the trainer|entra[iî]nement|Training|entrenamiento|treinamento|обучени\\w+|тренировк\\w+",
    signs: "训练(?!集|数据|步|脚本|日志)|進程|进程|学習(?!率)|학습(?!률)",
  },
  policy: {
    column: null,
    words:
      "(?:the |my |our |trained |fine-?tuned |final )*(?:model|policy|agent|llm|checkpoint)|modèle|Modell|modelo|модел\\w+",
    signs: "模型|モデル|모델",
  },
  parameters: {
    column: null,
    words:
      "trainable (?:params|parameters|weights)|parameters|params|weights|paramètres|Parameter|Gewichte|par[aá]metros|pesos|параметр\\w*|вес(?:а|ов)",
    signs: "(?:可训练)?参数|权重|重み|パラメータ|가중치|파라미터",
  },
} as const satisfies Record<string, Subject>;

export type SubjectName = keyof typeof SUBJECTS;
