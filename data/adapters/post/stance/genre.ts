/**
 * Texts that report of no run by what they are: release notes, requests, job offers, warnings to all, interview questions.
 *
 * A head tells them, at the beginning of a sentence; "[Bug] loss is NaN" and "Warning: loss is NaN" are none. @module
 */
import { siftedOf } from "../words/match.ts";

/** Behind the name of a genre: a version, a colon, a bracket, or the end of the heading. */
const END = "(?=[^\\p{L}\\n]{0,3}(?:$|[:：\\]】）)|!！—–-]|v?\\d))";
const NAMED = [
  // Release notes.
  "(?:(?:\\p{L}+ )?release notes?|change ?log|what'?s new(?: in [\\w .]{1,24})?|Versionshinweise|Änderungsprotokoll|notes? de (?:version|publication)|journal des (?:modifications|changements)|notas? de (?:la )?(?:versión|lanzamiento)|registro de cambios|notas? d[ae] (?:versão|lançamento)|registro de alterações|список изменений|что нового|заметки о (?:выпуске|релизе)|更新日志|更新说明|版本说明|发布说明|リリースノート|変更履歴|更新履歴|릴리[스즈]\\s?노트|변경\\s?(?:사항|이력|내역)|업데이트\\s?노트)",
  // Requests.
  "(?:(?<=\\[)FR(?=\\])|feature (?:request|proposal|suggestion)s?|enhancement|RFC|Funktionswunsch|Feature-?Wunsch|Verbesserungsvorschlag|(?:demande|proposition) de fonctionnalité|(?:solicitud|petición|propuesta) de (?:funcionalidad|función|característica)|(?:pedido|solicitação|sugestão|proposta) de (?:funcionalidade|recurso)|запрос (?:на )?(?:функци\\p{L}+|фич\\p{L}+)|(?:功能|特性)(?:请求|需求|建议|提案)|機能(?:要望|リクエスト|提案)|기능\\s?(?:요청|제안))",
  // Lessons and talks.
  "(?:tutorial|slides?|talk|lecture notes|paper notes|(?:reading )?notes on [^:.]{0,24}paper[^:.]{0,24}|reading notes|TIL|(?:Lese|Vortrags)notizen|Vortrag|Anleitung|tutoriel|notes de (?:lecture|cours)|exposé|diapositives|charla|apuntes|notas de lectura|palestra|notas de leitura|туториал|доклад|конспект(?: статьи)?|слайды|教程|论文(?:笔记|阅读|解读)|读书笔记|学习笔记|分享会|論文(?:メモ|紹介|まとめ)|チュートリアル|勉強会(?:資料|メモ)?|튜토리얼|논문\\s?(?:정리|리뷰|요약)|강의\\s?(?:자료|노트))",
  // Job offers.
  "(?:job (?:ad|offer|posting|opening)s?|vacancy|Stellenan(?:zeige|gebot)|offre d'emploi|oferta de (?:empleo|trabajo)|vaga(?: de emprego)?|вакансия|招聘(?:启事|信息)?|求人(?:情報)?|채용(?:\\s?공고)?)",
  // Warnings to all.
  "(?:PSA|public service announcement|(?:a )?(?:warning|heads[- ]?up|reminder|note|advice),? (?:to |for )?(?:everyone|everybody|all|anyone|others|you all)|(?:eine )?(?:Warnung|Hinweis) (?:an|für) alle|(?:avis|avertissement|attention) à tous|(?:aviso|advertencia) (?:a|para) todos|(?:предупреждение|совет) (?:для )?всем|всем на заметку|(?:提醒|警告|奉劝)(?:一下)?(?:大家|各位|所有人)|避坑(?:提醒|指南)?|注意喚起|皆さんへの(?:注意|警告)|모두(?:에게|를 위한)\\s?(?:경고|주의|알림)|주의\\s?(?:사항\\s?)?공유)",
  // Opinions and jokes.
  "(?:(?:unpopular|hot|controversial) (?:opinion|take)|POV|rant|nobody|no one|niemand|personne|nadie|ninguém|никто|(?:unpopuläre|unbeliebte) Meinung|opinion impopulaire|opini[oó]n impopular|opini[aã]o impopular|непопулярное мнение|暴论|吐槽|極論|비인기\\s?의견)",
];
/** An interview question says so before it, or behind. */
const INTERVIEW = siftedOf(
  /(?<![\p{L}])(?:interview questions?|(?:got|asked|had|heard)[^.;]{0,20} in (?:an?|my|the|last week's) (?:job )?interview|Interview-?fragen?|Frage (?:aus|in) (?:einem|dem) (?:Vorstellungsgespräch|Bewerbungsgespräch|Interview)|questions? d'entretien|preguntas? de entrevista|perguntas? de entrevista|вопрос\p{L}* (?:с|на|для) собеседовани\p{L}+)(?![\p{L}])|面试(?:题|问题|官?[^，。]{0,3}(?:被)?问)|面接(?:の質問|問題|で(?:聞|き)かれ)|면접\s?(?:질문|문제)/iu,
);
/** Who looks for people. */
const HIRING = siftedOf(
  /\([mfwh]\/[mfwhdx](?:\/[dx])?\)|(?<![\p{L}])(?:(?:we are|we're|now) hiring|we are looking for (?:an? )?(?:\p{L}+ ){0,3}(?:engineer|researcher|scientist|intern)|join our team|wir suchen [^.]{0,30}(?:ingenieur|entwickler|forscher)|nous recrutons|estamos contratando|buscamos [^.]{0,20}(?:ingenier|investigador)|(?:procuramos|contratamos) [^.]{0,20}(?:engenheir|pesquisador)|ищем [^.]{0,20}(?:инженер|исследовател)|мы нанимаем)|(?:诚聘|招人|正在招聘)|を募集(?:しています|中)|(?:채용|모집)(?:합니다|\s?중)/iu,
);
const MAX_HEAD = 400; // Characters that are looked at.
const HEAD = new RegExp(
  `^[^\\p{L}]{0,12}(?:(?:hi|hello|hey)(?: all| everyone)?[,!]? )?[^\\p{L}]{0,4}(?:(?:${
    NAMED.join("|")
  })(?:分享|を公開)?${END}|(?:教程|チュートリアル|튜토리얼)[:：])`,
  "iu",
);
export function isOfGenre(sentence: string): boolean {
  const head = sentence.slice(0, MAX_HEAD);
  return HEAD.test(head) || HIRING.test(head) || asksInInterview(head);
}

export const asksInInterview = (sentence: string): boolean => INTERVIEW.test(sentence);
