/** Takes out of a text what a person would not paste into a public issue. @module */

type Rule = readonly [pattern: RegExp, by: string];

/** A separator of a path, also as JSON writes it, once or twice quoted. */
const SLASH = String.raw`[\\/]{1,4}`;
/** The name of a person's folder; further words only where the path goes on behind them. */
const OWNER = String.raw`[^\\/\s:"'<>|,;]+(?:(?: [\p{L}\p{N}._'-]{1,30}){1,3}(?=[\\/]))?`;
/** What a key and its value have between them; quotation marks may be quoted themselves. */
const IS = String.raw`["'\\]{0,4}\s*[:=：]\s*["'\\]{0,4}`;
/** A value up to where it must end; a mark that is quoted ends it too, so that JSON stays JSON. */
const VALUE = String.raw`(?:\\(?!["'])\S|[^\s"'\\,}&])+`;
const NOTHING = String.raw`(?!(?:null|none|nil|true|false|undefined)(?![\w.-]))`;
/** `512`, `1e-3`, `4k`: what stands behind the keys of lengths and losses. */
const NUMBER = String.raw`[-+]?\d[\d.,_]*(?:e[-+]?\d+)?[a-z%]{0,3}(?!\w)`;
/** Letters with digits, or longer than any word: no `<|im_end|>`, no `[PAD]`, no word. */
const RANDOM = String.raw`(?!${NUMBER})(?=[\w+/.=~-]*\d|[\w+/.=~-]{24})(?=[\w+/.=~-]*[A-Za-z])[\w+/.=~-]{8,}`;
/** Keys behind which only a secret stands; before them may stand whose it is: `DB_PASSWORD`, `aws_secret_access_key`. */
const SECRET = "(?<![A-Za-z0-9])(?:(?:api|access|secret|private|account|auth|encryption|signing|storage)[_-]?key|" +
  "(?:access|auth|hub|hf|api|refresh|session|bearer|github|gitlab|wandb|bot|deploy|personal)[_-]?token|" +
  "password|passwd|passphrase|secret|credentials?)";
const PASSWORD =
  "(?:password|passwd|passphrase|passwort|mot de passe|contraseña|senha|пароль|密码|密碼|パスワード|비밀번호)";
const KEY_FILE = "-----(?:BEGIN|END) [A-Z ]{0,30}PRIVATE KEY-----";
/** Letters of the scripts that part words by spaces: a sentence in Chinese before a name is no part of it. */
const LETTER = String
  .raw`[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Devanagari}\p{N}._%+-]`;
/** The last part of a name of the net has no digit: `mAP@0.5` and `vllm@0.8.2` are no addresses. */
const DOMAIN = String.raw`(?:[\p{L}\p{N}-]{1,63}\.){1,8}[\p{L}\p{M}]{2,63}`;

const RULES: readonly Rule[] = [
  [new RegExp(`${KEY_FILE}[^-"]{0,8000}${KEY_FILE}`, "g"), "<token>"],
  [new RegExp(String.raw`${KEY_FILE}(?:\s|⏎|\\n)*[\w+/=]*(?:(?:\s|⏎|\\n)+[\w+/=]{20,})*`, "g"), "<token>"],
  [/(\b[a-z][a-z0-9+.-]{1,20}:\\?\/\\?\/)[^\s/\\"'<>]{1,200}@/gi, "$1<token>@"],
  [
    new RegExp(String.raw`((?:\b[A-Za-z]:)?${SLASH}(?:home|users|Documents and Settings)${SLASH})${OWNER}`, "giu"),
    "$1…",
  ],
  [/\/root(?=\/|\b)/g, "~"],
  [/\bhf_[A-Za-z0-9]{14,}(?!\w)/g, "<token>"],
  [
    /\b(?:sk-|[spr]k_(?:live|test)_|gh[pousr]_|github_pat_|glpat-|xox[baprs]-|A[KS]IA|AIza|nvapi-|gsk_|ya29\.|pypi-|wandb_v1_)[\w-]{10,}/g,
    "<token>",
  ],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]+/g, "<token>"],
  [new RegExp(String.raw`\b(Bearer\s+)(?:(?=[\w.~+/-]*\d)[\w.~+/=-]{6,}|[\w.~+/=-]{20,})`, "gi"), "$1<token>"],
  [new RegExp(String.raw`\b(Authorization${IS}(?:Basic\s+)?)(?!Basic|Bearer)${VALUE}`, "gi"), "$1<token>"],
  [new RegExp(`(${SECRET}${IS})${NOTHING}${VALUE}`, "gi"), "$1<token>"],
  [new RegExp(String.raw`(--?[\w.-]{0,40}${SECRET}\s+["']?)(?!-)${NOTHING}${VALUE}`, "gi"), "$1<token>"],
  [new RegExp(`((?<![A-Za-z0-9])token(?:${IS}|\\s*=\\s*))${RANDOM}`, "gi"), "$1<token>"],
  [new RegExp(String.raw`(--?[\w.-]{0,40}token\s+["']?)${RANDOM}`, "gi"), "$1<token>"],
  [new RegExp(String.raw`((?<=[A-Z0-9]_)(?:PASS|PWD|PAT)${IS})(?!${NUMBER})${VALUE}`, "g"), "$1<token>"],
  [new RegExp(`((?<=[A-Z0-9]_)KEY${IS})${RANDOM}`, "g"), "$1<token>"],
  [new RegExp(String.raw`(${PASSWORD}\s*[:=：]\s*["'\\]{0,4})${NOTHING}${VALUE}`, "gi"), "$1<token>"],
  [
    new RegExp(
      String
        .raw`(${PASSWORD}(?:\s+(?:is|was|est|ist|es|é|это)\s+|\s*(?:是|为|は|는|은)\s*)["'“「]?)(?=\S{0,80}\d)${VALUE}`,
      "gi",
    ),
    "$1<token>",
  ],
  [/\b(?:[0-9a-f]{40}|[0-9a-f]{64})\b/gi, "<token>"],
  [new RegExp(`${LETTER}{1,64}(?:[@＠]|%40)(?:${DOMAIN}|localhost(?!\\w))`, "gu"), "<e-mail>"],
  // What a shell asks with says who sits where: `ada@node01:~/run$`, `[ada@node01 run]$`.
  [/\b[\w.-]{1,64}@[\w-]{1,64}(?=:[~/]| [^\s\]]{1,64}\][$#])/g, "<e-mail>"],
];

/** Each rule in turn; `tell` hears what goes and what stands in its place. */
function without(text: string, tell: (found: string, instead: string) => void): string {
  return RULES.reduce((out, [pattern, by]) =>
    out.replace(pattern, (found, ...rest) => {
      const instead = by.replace("$1", () => String(rest[0]));
      if (instead !== found) tell(found, instead);
      return instead;
    }), text);
}

/** Home folders, tokens, passwords and e-mail addresses replaced; everything else as it was. */
export function redact(text: string): string {
  return without(text, () => {});
}

/** A passage that is taken out, and what stands in its place. */
export interface Taken {
  readonly text: string;
  readonly by: string;
}

/** What `redact` takes out of a text, each passage once: what a person looks at before it is pasted. */
export function takenOut(text: string): Taken[] {
  const taken = new Map<string, string>();
  without(text, (found, instead) => taken.set(found, instead));
  return Array.from(taken, ([text, by]) => ({ text, by }));
}
