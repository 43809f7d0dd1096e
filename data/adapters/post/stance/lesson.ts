/** Sentences that teach what can go wrong, and report nothing of a run. @module */
import type { Clause } from "../clauses.ts";
import { isOfGenre } from "./genre.ts";
import { isOfOwnRun } from "../text/own_run.ts";
import { isPast, isSolvedTitle } from "./settled.ts";
import { sifted, siftedOf } from "../words/match.ts";

/** "This tutorial explains the three failures": what follows is of no run, until somebody speaks of themselves. */
const TEACHES = sifted(
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
/** "In it I explain why …": that sentence alone. */
const EXPLAINS = siftedOf(
  /(?<![\p{L}])(?:(?:gave|give|giving|held|wrote|made|recorded|published|watched|saw|read) (?:a |an |my |the )?(?:\p{L}+ ){0,2}?(?:talk|lecture|post|article|thread|video|tutorial|guide|workshop|paper|survey|chapter) (?:about|on|that)|(?:it|which|that) (?:describes|covers|discusses|teaches) (?:why|how)|(?:I|we|I'll|we'll|I'm going to) (?:will )?(?:\p{L}+ly )?(?:explain|discuss|cover|go over|walk through|talk about) (?:why|how|what|when)|(?:erkläre|zeige|bespreche) ich,? (?:warum|wie|wann)|ich (?:erkläre|zeige)[^,.]{0,20}, (?:warum|wie)|(?:j'y |j'|j’y |nous y |nous |on y )(?:explique|expliquons|montre|montrons|présente)\p{L}* (?:pourquoi|comment)|expli(?:co|camos) (?:por qu[eé]|c[oó]mo|como)|(?:рассказываю|объясняю|рассказал[аи]?|расскажу|объясню)[^.]{0,20}, (?:почему|как|отчего))(?![\p{L}])|(?:讲解|讲讲|介绍|解释)(?:了|一下)?(?:为什么|如何|怎么)|(?:理由|原因|仕組み|対処法)を?[^。]{0,12}(?:解説|説明|紹介)(?:しています|します|しました)|(?:이유|원인|방법)[를을]?\s?[^.]{0,12}(?:설명|정리|소개)(?:합니다|했습니다|드립니다)/iu,
);
/** "How to avoid: …", "Common failures: …": the sentence, and the points of the list behind it. */
const HEADS =
  /^\W*(?:how to (?:avoid|prevent|recogni[sz]e|spot|detect)|(?:common|typical|frequent|possible|usual) (?:failures?|failure modes?|problems?|errors?|mistakes?|pitfalls?|symptoms?|issues?)|signs of|häufige (?:Fehler|Probleme|Symptome)|typische (?:Fehler|Probleme|Symptome)|erreurs (?:fréquentes|courantes)|problèmes (?:fréquents|courants)|comment éviter|(?:errores|problemas) (?:comunes|frecuentes|t[ií]picos)|c[oó]mo evitar|(?:erros|problemas) (?:comuns|frequentes|t[ií]picos)|(?:частые|типичные|распространённые) (?:ошибки|проблемы)|как избежать|常见(?:的)?(?:问题|错误|故障|症状)|如何避免|よくある(?:失敗|問題|エラー)|(?:자주|흔히)[^:：.]{0,10}(?:실수|문제|오류)|(?:the )?(?:\p{L}+ )?ways (?:in which )?(?:training|a run|GRPO|RL|it)[^.:]{0,16}(?:break|fail|die|go wrong)|so (?:scheitert|bricht)|wie (?:ein )?(?:Training|Lauf)[^.:]{0,12}scheitert|façons? (?:dont|de)[^.:]{0,24}(?:échou|casse|plant)|(?:formas|maneras) en que[^.:]{0,24}(?:falla|rompe)|(?:formas|maneiras) como[^.:]{0,24}(?:falha|quebra)|как ломается|(?:训练)?(?:崩溃|失败|翻车|出问题)的(?:几种)?(?:方式|情况|原因)|学習が(?:壊れる|失敗する)(?:パターン|原因|ケース)|(?:학습|훈련)[이은]?\s?(?:망가지는|실패하는|깨지는)\s?(?:방식|경우|이유|유형|패턴))[^.:：?？]{0,40}(?:[:：]|\s*$)/iu;
/** "Troubleshooting", "FAQ" over what may happen and what to do then. */
const HELPS =
  /^[^\p{L}]*(?:(?:common )?trouble-?shooting(?: guide| tips| section)?|FAQ|frequently asked questions|known (?:issues|problems)|cheat ?sheet|Fehler(?:suche|behebung)|häufige Fragen|dépannage|questions fréquentes|problèmes connus|soluci[oó]n de problemas|preguntas frecuentes|soluç[aã]o de problemas|perguntas frequentes|устранение (?:неполадок|проблем|неисправностей)|частые вопросы|(?:故障|问题)(?:排查|排除|速查)|常见问[答题]|トラブル\s?シューティング|よくある質問|(?:문제|트러블)\s?(?:해결|슈팅)|자주\s?묻는\s?질문)[^\p{L}\n]{0,8}$/iu;
const SELF =
  /(?<![\p{L}'])(?:I|I'm|my|mine|we|our|me|ich|mein\p{L}*|wir|unser\p{L}*|je|j'|mon|ma|mes|notre|nous|yo|mis?|nuestr\p{L}+|eu|meus?|minhas?|nosso|я|мо[йяеёи]\p{L}*|мы|у меня|наш\p{L}*)(?![\p{L}])|我|私|自分|弊社|제가|저는|저희|우리|내 /iu;

const MAX_SENTENCE = 1000; // Characters that are looked at.

export class Lesson {
  #is: "genre" | "whole" | "list" | "sentence" | null = null;
  #sentence: string | null = null;
  /** The first sentence says that all is solved. */
  #isSolved = false;

  /** True of a clause that teaches; `isPoint`: it stands in a point of a list. */
  teaches({ sentence: whole, isQuestion }: Pick<Clause, "sentence" | "isQuestion">, isPoint: boolean): boolean {
    const sentence = whole.slice(0, MAX_SENTENCE);
    if (sentence === this.#sentence && this.#is !== null) return true;
    const isTitle = this.#sentence === null;
    if (isTitle) this.#isSolved = !isQuestion && isSolvedTitle(sentence);
    this.#sentence = sentence;
    this.#is = this.#isSolved && (isTitle || isPast(sentence)) ? "sentence" : this.#next(sentence, isQuestion, isPoint);
    return this.#is !== null;
  }

  #next(sentence: string, isQuestion: boolean, isPoint: boolean) {
    if (isOfGenre(sentence) && !isOfOwnRun(sentence)) return "genre";
    // "We fixed", "I would like": of such a text only the run of its writer is a report.
    if (this.#is === "genre") return isOfOwnRun(sentence) ? null : "genre";
    const isOwn = SELF.test(sentence);
    if (!isOwn && !isQuestion && (TEACHES.test(sentence) || HELPS.test(sentence))) return "whole";
    if (!isOwn && !isQuestion && HEADS.test(sentence)) return "list";
    if (this.#is === "whole" && !isOwn || this.#is === "list" && isPoint && !isOwn) return this.#is;
    return !isQuestion && EXPLAINS.test(sentence) && !isOfOwnRun(sentence) ? "sentence" : null;
  }
}
