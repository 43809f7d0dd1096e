/** What the writer read, heard or only imagines: "I read that …", "Suppose the loss turns NaN", "I have not tried it myself". @module */
import { asksInInterview } from "./genre.ts";
import { isOfOwnRun } from "../text/own_run.ts";
import { sifted } from "../words/match.ts";

/** What stands behind it in its sentence somebody else says. */
const HEARD = sifted(
  [
    "(?<![\\p{L}])(?:I|we)(?:'ve| have)? (?:just |once |often |recently )?(?:read|heard)(?: (?:in|on|from|somewhere|about it)[^,.;]{0,30})? that(?![\\p{L}])",
    "(?<![\\p{L}])(?:someone|somebody|people|a user|users|a guy|folks) (?:on|in|at|from) [^,.;]{1,24}? (?:says?|said|wrote|writes?|claims?|reports?|reported)(?![\\p{L}])",
    "(?<![\\p{L}])(?:(?:many|some|several|a few|two|three|other|our) (?:of our )?(?:users|people|customers|colleagues|readers|friends)|one of (?:my|our) (?:colleagues|friends|coworkers|users|students|customers)) (?:(?:wrote|told|reported|write|tell|report|say|said|complain\\w*|mention\\w*)(?![\\p{L}])|has |had |gets? |sees? |saw )",
    "(?<![\\p{L}])(?:ich habe? (?:irgendwo |oft |neulich |mal )?(?:gelesen|gehört)|(?:viele|einige|mehrere) (?:Nutzer|Leute|Anwender|Kollegen) (?:schreiben|schrieben|berichten|sagen)[^,.]{0,20}|eine[rm]? meiner (?:Kollegen|Kolleginnen|Freunde) (?:hat|sieht|bekommt))(?![\\p{L}])",
    "(?<![\\p{L}])(?:j'ai (?:lu|entendu)(?: dire)?(?: [^,.]{0,30}?)? que|(?:beaucoup|plusieurs|certains)(?: d'| de nos | de | )(?:utilisateurs|gens|collègues)[^,.]{0,20} que|une? de mes (?:collègues|amis)(?: [^,.]{1,20})?)(?![\\p{L}])",
    "(?<![\\p{L}])(?:(?:he )?le[ií](?:do)?(?: en [^,.]{0,30}?)? que|(?:he )?o[ií](?:do)?(?: decir)? que|(?:muchos|varios|algunos) usuarios [^,.]{0,20}que|uno de mis (?:colegas|compañeros|amigos))(?![\\p{L}])",
    "(?<![\\p{L}])(?:(?:li|ouvi(?: dizer)?)(?: (?:num|em|no|na|numa) [^,.]{0,20}?)? que|(?:muitos|vários|alguns) usuários [^,.]{0,20}que|um dos meus (?:colegas|amigos))(?![\\p{L}])",
    "(?<![\\p{L}])(?:(?:про)?читал[аи]?|слышал[аи]?|(?:многие|некоторые) пользователи (?:пишут|писали|сообщают|жалуются)[^,.]{0,20}),? что(?![\\p{L}])|(?<![\\p{L}])у одного из (?:моих |наших )?(?:коллег|друзей|знакомых)",
    "(?:看到|读到|刷到)(?:过)?(?:有)?(?:一)?(?:篇|个|些)?(?:[^，。]{0,4})?(?:帖子|文章|博客|论文|人)(?:里|中|上)?(?:都)?(?:说|提到|写)|(?:很多|不少|好多|一些)(?:用户|同学|网友|人)(?:都)?(?:反馈|反映|跟我们说|说)|我(?:的)?(?:一|有)个?同事",
    "(?<![\\p{L}])(?:(?:your|the|their|this|that) (?:\\w+ ){0,2}?(?:blog(?: ?post)?|papers?|(?<=(?:your|their) (?:\\w+ ){0,2})report|readme|docs?|documentation|article|tutorial|guide|wiki|notion|post)(?: pages?)? (?:\\w+ )?(?:says?|said|shows?|states?|stated|mentions?|claims?|reports?|reported|describes?|writes?)|according to (?:your|the|their|this|that) (?:\\w+ ){0,2}?(?:blog|paper|report|readme|docs?|documentation|article|tutorial|guide|post))(?![\\p{L}])",
    "(?<![\\p{L}])(?:(?:euer|dein|ihr|der|im|das|dem|einem|eurem) (?:Blog\\p{L}*|Artikel|Paper|Bericht|Tutorial)(?: \\p{L}+)? (?:sagt|schreibt|erwähnt|behauptet|heißt es|steht)|(?:votre|le|l'|leur|cet|ce) ?(?:article|blog|papier|rapport|tutoriel)(?: \\p{L}+)? (?:dit|indique|affirme|mentionne|explique)|(?:tu|su|el|vuestro|este) (?:blog|artículo|paper|informe|tutorial) (?:dice|menciona|afirma|indica)|(?:seu|o|este) (?:blog|artigo|paper|relatório|tutorial) (?:diz|menciona|afirma)|в (?:ваше[йм] |это[йм] )?(?:статье|блоге|отчёте|отчете|документации) (?:говорится|написано|сказано|пишут|упоминается))(?![\\p{L}])",
    "(?:论文|博客|文档|readme|教程|文章|报告)(?:里|中|上)?面?(?:都|也)?(?:说|提到|写|称|指出|声称|显示)|(?:論文|ブログ|記事|ドキュメント)(?:では|には|によると|によれば)|(?:논문|블로그|문서|튜토리얼)(?:에서는|에는|에 따르면)",
    "(?:る|た|だ|ない)そう(?:です|だ)(?![\\p{L}])|(?:と|って)(?:聞き|聞い|読み|読ん)|(?:多くの|複数の)(?:ユーザー|方)(?:から|が)",
    "다고\\s?(?:합니다|하네요|해요|하더라|들었|읽었|하던데)|대요$|(?:많은|여러)\\s?(?:사용자|분)(?:들)?(?:이|께서|가)",
  ].join("|"),
  "iu",
);
/** What opens a thought: nothing of its sentence is so. */
const SUPPOSED =
  /^[^\p{L}]*(?:(?:hi|hello|so|ok(?:ay)?|also|and|now|hallo|bonjour|hola|olá|привет)[^\p{L}]+(?:all[,!] |everyone[,!] )?)?(?:(?:suppose|supposing|imagine|(?:let's |let us )?(?:say|assume|pretend)) (?:that |(?:the|a|an|your|my|our|you|we) )|angenommen(?:,| dass)|nehmen wir an|gesetzt den fall|(?:stellt euch|stell dir|stellen sie sich) vor|(?:supposons|imaginons|imaginez|imagine|admettons|supposez) (?:que|qu')|(?:supongan?|supongamos|imaginen?|imagina|imaginemos|pongamos) que|(?:suponha(?:m|mos)?|supondo|imaginem?|digamos) que|(?:допустим|предположим|представьте|представим)(?:, (?:что)?)?(?![\p{L}]))|^[^\p{L}]*(?:假设|设想|想象一下|假定|仮に|例えば仮に)|(?:다고|라고)\s?(?:가정|상상|칩시다|쳐\s?보)/iu;
/** What sets a clause against what was heard. */
const BUT =
  /^[^\p{L}]*(?:(?:but|however|yet|aber|doch|mais|pourtant|pero|sin embargo|mas|porém|но|однако)(?![\p{L}])|但|可是|不过|然而|しかし|でも|하지만|그런데)/iu;

const MAX_SENTENCE = 1000; // Characters that are looked at.

/** True of a clause whose sentence tells what somebody else says, or what is only thought of. */
export function isHeard(text: string, whole: string): boolean {
  const sentence = whole.slice(0, MAX_SENTENCE);
  const at = Math.max(0, sentence.indexOf(text));
  if (at > 0 && (BUT.test(text) || isOfOwnRun(text) || BUT_BEFORE.test(sentence.slice(0, at)))) return false;
  if (SUPPOSED.test(sentence)) return true;
  const heard = HEARD.exec(sentence);
  return heard !== null && (at + text.length > heard.index);
}
const BUT_BEFORE = /(?<=[\s，。、,])(?:but|aber|mais|pero|mas|но|但是?|可是|しかし|하지만)(?![\p{L}])/iu;

/** The writer saw nothing of it: it is at the end of a sentence, and names nothing else that was not tried. */
const NOT_SEEN = sifted(
  "(?:(?<![\\p{L}])(?:" + [
    "(?:I|we)(?:'ve| have)?(?: not|n't) (?:seen|experienced|observed|reproduced|had|tried|run|trained) (?:it|this|that|any of (?:it|this)|anything)(?: (?:for )?(?:myself|ourselves|yet))+",
    "(?:I|we)(?:'ve| have)?(?: not|n't) (?:started|begun)(?: (?:to train|training|any training))?(?: (?:anything|yet|myself))*",
    "(?:selbst|selber) (?:habe|hab) ich (?:es |das |noch |nichts |nicht )+(?:gesehen|ausprobiert|probiert|trainiert|erlebt)|ich habe? (?:es |das )?(?:selbst|selber) (?:noch )?nicht (?:gesehen|ausprobiert|probiert|erlebt)|ich habe? noch (?:nichts|nicht) (?:selbst )?(?:trainiert|angefangen|begonnen|gestartet)",
    "je (?:n'ai|ne l'ai) (?:pas encore|encore rien|pas) (?:essayé|entraîné|commencé|vu)(?: moi-même)?|je n'ai encore rien (?:entraîné|lancé|essayé)",
    "(?:todav[ií]a|a[uú]n) no (?:he (?:entrenado|probado|empezado|visto)|lo he (?:probado|visto)|empec[eé])(?: (?:nada|a entrenar|yo mismo|a entrenar nada))*|yo (?:mismo )?no lo he (?:visto|probado)",
    "ainda n[aã]o (?:comecei|treinei|testei|experimentei|vi)(?: (?:a treinar|nada|isso|eu mesmo|treino))*",
    "(?:сам[аи]? )?(?:я )?(?:сам[аи]? )?(?:ещё|еще|пока) (?:ничего )?не (?:пробовал|обучал|тренировал|запускал|начинал|видел)\\p{L}*(?: (?:обучение|сам))?",
  ].join("|") +
    ")|我?(?:自己)?(?:还|都|也|目前)没(?:有)?(?:试过|跑过|训过|训练过|开始训|开始训练|开始跑)|(?:まだ|自分では)[^。、]{0,8}(?:試していま?せん|試していない|学習していま?せん|始めていま?せん)|(?:아직|직접)\\s?[^.,]{0,8}(?:해\\s?보지|시작하지|학습하지|시도하지)\\s?(?:는\\s?)?(?:않았|못했)(?:습니다|어요|다))[^\\p{L}\\p{N}]*$",
  "iu",
);
const NEAR_START = 16; // Characters of a clause before it: who has not tried it stands first.
const NOTHING =
  /(?<![\p{L}])(?:anything|any training|noch nichts|encore rien|nada|ничего)(?![\p{L}])|什么都没|何も|아무것도/iu;

/** "I have not tried it yet", of all that a post tells before: at the beginning of a paragraph, or of anything at all. */
export function sawNothing(text: string, opensParagraph: boolean): boolean {
  const at = NOT_SEEN.exec(text)?.index ?? Infinity;
  return at <= NEAR_START && (opensParagraph || NOTHING.test(text));
}

interface Told {
  readonly sentence: string;
}
/** For each sentence of a paragraph, whether another one says that the writer saw nothing of it, or that it is an interview's. */
export function unseenIn(sentences: readonly Told[]): readonly boolean[] {
  const isUnseen = sentences.some(({ sentence }) => NOT_SEEN.test(sentence) || asksInInterview(sentence));
  return sentences.map(({ sentence }) => isUnseen && !isOfOwnRun(sentence));
}
