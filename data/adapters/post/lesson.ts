/** Sentences that teach what can go wrong, and report nothing of a run. @module */
import type { Clause } from "./clauses.ts";

/** "This tutorial explains the three failures": what follows is of no run, until somebody speaks of themselves. */
const TEACHES = new RegExp(
  [
    "(?<![\\p{L}])(?:this|the following) (?:tutorial|guide|article|blog ?post|chapter|section|cheat ?sheet|checklist|lesson|document)(?![\\p{L}])[^.]{0,40}?(?:explain|describ|cover|list|show|discuss|walk|teach|collect|summari[sz]|about|goes over)[^.]{0,40}?(?:failure|problem|error|mistake|pitfall|symptom|issue)",
    "(?<![\\p{L}])(?:dieses?r?|folgende[rs]?) (?:Tutorial|Anleitung|Artikel|Leitfaden|Kapitel|Abschnitt)[^.]{0,20}?(?:erklärt|beschreibt|behandelt|zeigt|listet)[^.]{0,40}?(?:Fehler|Problem|Symptom)",
    "(?<![\\p{L}])cet?(?:te)? (?:tutoriel|guide|article|chapitre)[^.]{0,20}?(?:explique|décrit|présente|montre|liste)[^.]{0,40}?(?:erreur|problème|panne|symptôme|échec)",
    "(?<![\\p{L}])est[ea] (?:tutorial|gu[ií]a|art[ií]culo|cap[ií]tulo|artigo)[^.]{0,20}?(?:explica|describe|descreve|muestra|mostra|cubre|aborda|lista)[^.]{0,40}?(?:error|erro|fall|falha|problema|síntoma|sintoma)",
    "(?<![\\p{L}])(?:эт\\p{L}+|данн\\p{L}+) (?:руководств\\p{L}+|стать\\p{L}+|туториал|глав\\p{L}+)[^.]{0,20}?(?:объясня|описыва|показыва|рассказыва|перечисля)[^.]{0,40}?(?:ошиб|проблем|сбо|симптом)",
    "本(?:教程|文|指南|章|节)[^。]{0,10}(?:介绍|讲解|说明|总结|列出|解释)[^。]{0,20}(?:问题|故障|错误|症状|失败)",
    "この(?:チュートリアル|記事|ガイド|章)[^。]{0,24}(?:問題|失敗|エラー|症状|不具合)[^。]{0,10}(?:説明|解説|紹介)",
    "이\\s?(?:튜토리얼|글|가이드|문서)[^.]{0,24}(?:문제|오류|실패|증상)[^.]{0,10}(?:설명|소개|다룹|다룬)",
  ].join("|"),
  "iu",
);
/** "How to avoid: …", "Common failures: …": the sentence, and the points of the list behind it. */
const HEADS =
  /^\W*(?:how to (?:avoid|prevent|recogni[sz]e|spot|detect)|(?:common|typical|frequent|possible|usual) (?:failures?|failure modes?|problems?|errors?|mistakes?|pitfalls?|symptoms?|issues?)|signs of|häufige (?:Fehler|Probleme|Symptome)|typische (?:Fehler|Probleme|Symptome)|erreurs (?:fréquentes|courantes)|problèmes (?:fréquents|courants)|comment éviter|(?:errores|problemas) (?:comunes|frecuentes|t[ií]picos)|c[oó]mo evitar|(?:erros|problemas) (?:comuns|frequentes|t[ií]picos)|(?:частые|типичные|распространённые) (?:ошибки|проблемы)|как избежать|常见(?:的)?(?:问题|错误|故障|症状)|如何避免|よくある(?:失敗|問題|エラー)|(?:자주|흔히)[^:：.]{0,10}(?:실수|문제|오류))[^.:：?？]{0,40}(?:[:：]|\s*$)/iu;
const SELF =
  /(?<![\p{L}'])(?:I|I'm|my|mine|we|our|me|ich|mein\p{L}*|wir|unser\p{L}*|je|j'|mon|ma|mes|notre|nous|yo|mis?|nuestr\p{L}+|eu|meus?|minhas?|nosso|я|мо[йяеёи]\p{L}*|мы|у меня|наш\p{L}*)(?![\p{L}])|我|私|自分|弊社|제가|저는|저희|우리|내 /iu;

export class Lesson {
  #is: "whole" | "list" | null = null;
  #sentence = "";

  /** True of a clause that teaches; `isPoint`: it stands in a point of a list. */
  teaches({ sentence, isQuestion }: Pick<Clause, "sentence" | "isQuestion">, isPoint: boolean): boolean {
    if (sentence === this.#sentence && this.#is !== null) return true;
    const isOwn = SELF.test(sentence);
    this.#sentence = sentence;
    if (!isOwn && !isQuestion && TEACHES.test(sentence)) this.#is = "whole";
    else if (!isOwn && !isQuestion && HEADS.test(sentence)) this.#is = "list";
    else if (isOwn || this.#is === "list" && !isPoint) this.#is = null;
    return this.#is !== null;
  }
}
