/** What is repeated: rows of the training set, which is known by heart, or the question once, which is an echo. @module */
import { sifted } from "../words/match.ts";

/** "Repeats the training examples", in nine languages. */
const OF_ROWS = sifted(
  [
    "(?<![\\p{L}])repeat(?:s|ed|ing)?(?: \\p{L}+){0,5} (?:train(?:ing)?|fine-?tuning|sft)(?:[- ](?:set|data))? ?(?:questions?|examples?|samples?|rows?|answers?|data|set|texts?|sentences?)(?![\\p{L}])",
    "(?<![\\p{L}])wiederhol\\p{L}*(?: \\p{L}+){0,5} (?:Trainings(?:beispiele?|daten|sätze|zeilen|texte|antworten)\\p{L}*|(?:Beispiele?|Zeilen|Sätze|Antworten|Texte)n? (?:aus )?(?:de[mrs] )?Training)",
    "(?<![\\p{L}])r[eé]p[eè]te\\p{L}*(?: [\\p{L}']+){0,5} (?:exemples?|lignes?|réponses?|textes?|phrases?|données) (?:d(?:e l)?'entraînement|du jeu d'entraînement|de train)",
    "(?<![\\p{L}])(?:repite\\p{L}*|repete\\p{L}*)(?: \\p{L}+){0,5} (?:ejemplos?|filas?|respuestas?|textos?|frases?|datos|exemplos?|linhas?|respostas?|dados) (?:del?|d[oe]) (?:conjunto de )?(?:entrenamiento|train|treino|treinamento)",
    "(?<![\\p{L}])повторя\\p{L}+(?: \\p{L}+){0,5} (?:(?:примеры|строки|ответы|тексты|фразы) (?:из )?обуч\\p{L}+|обучающ\\p{L}+ (?:примеры|строки|данные|выборк\\p{L}+))",
    "重复[^，。]{0,6}(?:训练(?:集|数据|样本)(?!时|过程)|微调数据)",
    "(?:学習|訓練)(?:データ|サンプル|例)[^、。]{0,12}(?:繰り返|くり返)",
    "학습\\s?(?:데이터|예제|샘플)[^,.]{0,12}(?:반복|되풀이)",
  ].join("|"),
  "iu",
);
/** "Repeats the question and stops". */
const ECHOES = sifted(
  [
    "(?<![\\p{L}])repeats? (?:back )?(?:the|my|its) (?:\\p{L}+ )?(?:question|prompt|input|instruction|query)(?: once)?,? (?:and|then) (?:\\p{L}+ )?(?:stops?|ends?|quits?|emits? eos)(?![\\p{L}])",
    "(?<![\\p{L}])wiederholt (?:nur |bloß )?(?:die|den|meine[n]?) (?:Frage|Prompt|Eingabe|Anweisung),? und (?:\\p{L}+ )?(?:hört|stoppt|endet|bricht)(?![\\p{L}])",
    "(?<![\\p{L}])r[eé]p[eè]te (?:juste |seulement )?(?:la|le|ma|l['’])\\s?(?:question|prompt|entrée|consigne|invite),? (?:et|puis) (?:\\p{L}+ )?s['’]arrête(?![\\p{L}])",
    "(?<![\\p{L}])(?:repite|repete) (?:sólo |solo |só |apenas )?(?:la|el|a|o|mi) (?:pregunta|prompt|entrada|pergunta|instrucci[oó]n|instrução),? (?:y|e) (?:\\p{L}+ )?(?:se )?(?:para|detiene|termina)(?![\\p{L}])",
    "(?<![\\p{L}])повторяет (?:только )?(?:вопрос|промпт|запрос|инструкцию),? и (?:\\p{L}+ )?(?:останавливается|замолкает|завершает)",
    "(?:重复|复述)(?:一遍)?(?:了)?(?:一下)?(?:问题|题目|输入|prompt)[，,]?(?:然后)?就?(?:停|结束)",
    "(?:質問|プロンプト|入力)を(?:繰り返|くり返)[^。]{0,6}(?:止ま|停止|終わ|終了)",
    "(?:질문|프롬프트|입력)[을를]\\s?(?:반복|되풀이)(?:하고|한 뒤)[^.]{0,6}(?:멈|끝|종료)",
  ].join("|"),
  "iu",
);

export const recitesRows = (text: string): boolean => OF_ROWS.test(text);
/** `sentence`: the stop may stand behind a comma. */
export const echoesOnce = (text: string, sentence: string): boolean => {
  const at = Math.max(0, sentence.indexOf(text));
  return ECHOES.test(sentence.slice(at, at + text.length + 60));
};
