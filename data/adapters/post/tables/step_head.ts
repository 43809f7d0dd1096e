/** The heads of a table's column of train steps or epochs, and what stands in its cells: 200, `ckpt-200`, 第50步, "after 1k steps". @module */
import { STEP_NUMBER, stepNumber } from "../numbers/numbers.ts";

const BEFORE = "(?:#|no\\.?|n_|global|train(?:ing|ed)?|gradient|opt(?:imi[sz]er)?\\.?|学習|訓練|训练|학습|훈련)",
  STEPS =
    "steps?(?: trained)?|it(?:er(?:ation)?s?)?\\.?|updates?|步(?:数|骤)?|迭代(?:次数|步数)?|更新(?:次数|步数|ステップ)?|step数|étapes?|pas|mises? à jour|itérations?|" +
    "passos?|pasos?|iteraci(?:ón|ones)|actualizaci(?:ón|ones)|iteraç(?:ão|ões)|atualizaç(?:ão|ões)|(?:Optimierungs|Trainings)?-?Schritte?|" +
    "Aktualisierung(?:en)?|шаг(?:и|ов)?|итераци[яи]|обновлени[ея]|ステップ(?:数)?|스텝(?:\\s?수)?|단계|업데이트|checkpoints?|ckpts?|检查点|チェックポイント|체크포인트|чекпоинт";
const STEP = new RegExp(`^(?:${BEFORE}[ _]?)*(?:${STEPS})\\s*(?:\\(.*\\))?\\s*(?:#|no\\.?)?$`, "iu");
const EPOCH =
  /^(?:epochs?|ep\.?|轮(?:次|数)?|训练轮[次数]|エポック(?:数)?|에폭|에포크|époques?|Epochen?|épocas?|эпох[аи]|пассы)\s*(?:\(.*\))?$/iu;

/** A cell of the column: a number, with the word for a step, a mark or a name of checkpoints before it. */
const CELL = new RegExp(
  "^(?:[~≈#<]|at|after|nach|après|después de|tras|após|depois de|после|第|前|global|train(?:ing)?|checkpoints?|ckpts?|" +
    "steps?|it(?:er(?:ation)?s?)?|updates?|étape|pas|paso|passo|Schritt|шаг[аеов]*|ステップ|스텝|[\\s_:.-]){0,8}?" +
    `(${STEP_NUMBER})(?:\\s*(?:-|–|~|to)\\s*(${STEP_NUMBER}))?(?:\\s*/\\s*\\d[\\d,]*|[^\\d\\s]?\\D*)$`,
  "iu",
);
/** Before any step. */
const FIRST =
  /^(?:base(?: model)?|init(?:ial)?(?: policy| model)?|start|untrained|before(?: training)?|基座|初始|训练前|初期|学習前|시작|학습\s?전|initial|avant|début|Anfang|vorher|inicio|início|antes|начало|до обучения)\s*(?:\(.*\))?$/iu;

export const isStepHead = (cell: string) => STEP.test(cell.trim());

export const isEpochHead = (cell: string) => EPOCH.test(cell.trim());

/** The train step of a cell, the last one of several; null where it names none. */
export function stepOfCell(cell: string): number | null {
  const text = cell.trim();
  if (FIRST.test(text)) return 0;
  const found = CELL.exec(text);
  if (found === null) return null;
  // "300+": what lies behind it.
  return stepNumber((found[2] ?? found[1])!) + (/\d\s*\+/.test(text) ? 1 : 0);
}
