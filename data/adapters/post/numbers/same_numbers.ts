/** Clauses in which numbers, steps or lines of a log are the same, and no texts. @module */

const NUMBERS = new RegExp(
  [
    "(?<![\\p{L}])(?:same|identical) (?:output |log |exact |metric )?(?:numbers?|values?|metrics?|figures?|stat(?:istic)?s|logs?|log lines?|records?|losse?s?|curves?)(?![\\p{L}])",
    "(?<![\\p{L}])(?:steps?|lines?|records?|epochs?|iterations?|logs?|rows?|numbers?|values?|metrics?|batch(?:es)?)(?: (?:of|in|on) the \\p{L}+)?(?: all| always| just)* (?:looks?|are|is|stays?|remains?|prints?|shows?|gives?)(?: \\p{L}+){0,2}? (?:the )?(?:same|identical|alike)(?![\\p{L}])",
    // Of runs: they can be reproduced.
    "(?<![\\p{L}])(?:results?|runs?|numbers?|scores?|metrics?|curves?|experiments?|seeds?|measurements?) (?:always |all )?repeats?(?! (?:itself|themselves|the (?:same )?(?:word|token|phrase|sentence)))(?![\\p{L}])|(?:Ergebnisse|Läufe|Zahlen) (?:wiederholen sich|sind wiederholbar)|(?:résultats|chiffres) se répètent|(?:resultados|números) se repi?e?ten|результат\\p{L}* повторя\\p{L}+|结果(?:可以?|能够?)(?:稳定)?重复|結果[はが](?:正確に|完全に)繰り返|결과[가는]\\s?그대로\\s?반복",
    "(?<![\\p{L}])(?:gleichen?|dieselben|identischen?) (?:Zahlen|Werte|Metriken|Zeilen)|(?<![\\p{L}])(?:Schritte?|Zeilen?|Zahlen|Werte)(?![\\p{L}])[^.;,]{0,20}(?<![\\p{L}])(?:gleich|identisch)",
    "(?<![\\p{L}])mêmes (?:chiffres|valeurs|nombres|métriques)|(?<![\\p{L}])(?:étapes?|lignes?|chiffres|valeurs)(?![\\p{L}])[^.;,]{0,24}(?<![\\p{L}])(?:identiques?|les mêmes|pareil)",
    "(?<![\\p{L}])(?:mism|mesm)[oa]s (?:números|valores|métricas)|(?<![\\p{L}])(?:pas+os|líneas|linhas|números|valores)(?![\\p{L}])[^.;,]{0,24}(?<![\\p{L}])(?:igua(?:le)?i?s|id[eéê]ntic\\p{L}+|(?:mism|mesm)[oa]s)",
    "(?<![\\p{L}])(?:одинаковые|те же|одни и те же) (?:самые )?(?:числа|цифры|значения|метрики)|(?<![\\p{L}])(?:шаги|строки|числа|цифры|значения)(?![\\p{L}])[^.;,]{0,24}(?<![\\p{L}])(?:одинаков|те же)",
    "(?:数字|数值|指标|日志|曲线|每一?步)[^，。、]{0,8}(?:一样|相同|一致)|(?:一样|相同)的(?:数字|数值|指标)",
    "同じ(?:数字|数値|値)|(?:数字|数値|ステップ|ログ)[^。、]{0,10}(?:同じ|同一)",
    "(?:같은|동일한)\\s?(?:숫자|수치|값)|(?:숫자|수치|스텝|로그)[^.,]{0,10}(?:같|동일)",
  ].join("|"),
  "iu",
);
const TEXTS =
  /(?<![\p{L}])(?:same|identical) (?:\p{L}+ )?(?:answers?|texts?|completions?|responses?|outputs?(?! (?:numbers?|values?))|sentences?|repl(?:y|ies))(?![\p{L}])/iu;

export const isOfNumbers = (text: string): boolean => NUMBERS.test(text) && !TEXTS.test(text);
