/** Texts that stand in the source of rules, whatever a run makes of them: a new one that has no Chinese is found before it is shown. @module */

/** Strings and templates of a source, what stands in `${}` of a template as a gap; strings within gaps as well. */
function textsIn(source: string): string[] {
  const texts: string[] = [];
  let at = 0;
  const skip = (to: string) =>
    at = Math.max(at + 1, (source.indexOf(to, at + 2) + 1 || source.length + 1) - 1 + to.length);
  const text = (sign: string) => {
    let read = "";
    for (at++; at < source.length && source[at] !== sign; at++) {
      if (source[at] === "\\") read += source[++at];
      else if (sign === "`" && source.startsWith("${", at)) {
        at += 2;
        code("}");
        read += GAP;
      } else read += source[at];
    }
    at++;
    texts.push(read);
  };
  const code = (end: string) => {
    for (let depth = 0; at < source.length;) {
      const sign = source[at]!;
      if (sign === end && depth === 0) return;
      if (source.startsWith("//", at)) skip("\n");
      else if (source.startsWith("/*", at)) skip("*/");
      else if (/["'`]/.test(sign)) text(sign);
      else if (sign === "/" && /[(,=:?&|]\s*$/.test(source.slice(0, at).slice(-8))) pattern();
      else {
        depth += Number(sign === "{") - Number(sign === "}");
        at++;
      }
    }
  };
  const pattern = () => {
    let isSet = false;
    for (at++; at < source.length && source[at] !== "\n" && (source[at] !== "/" || isSet); at++) {
      if (source[at] === "\\") at++;
      else isSet = source[at] === "[" || isSet && source[at] !== "]";
    }
    at++;
  };
  code("");
  return texts;
}

const GAP = "\0";
/** What no page shows: how a rule decides, what would confirm it, what is imported; and what other tests look at. */
const UNSEEN = [
  /^import\b[^;]*;/gm,
  /defineDiagnosis\(\{[^]*?\n {2}check\(/g,
  /written`[^`]*`/g,
  /\bconfirm\s*[:=]\s*(?:"[^"]*"|`[^`]*`)/gi,
  /\.memo\((?:"[^"]*"|`[^`]*`)/g,
];

/** Fragments of sentences in a source, of at least two words: what stands between its numbers and names. */
export function fragmentsIn(source: string): string[] {
  return textsIn(UNSEEN.reduce((rest, unseen) => rest.replace(unseen, ""), source)).flatMap((text) => text.split(GAP))
    .map((part) => part.replace(/^[\s;,:.)(]+|[\s;,:.(]+$/g, "").toLowerCase())
    .filter((part) => (part.match(/[a-z]{2,}/g) ?? []).length > 1 && part.includes(" "));
}
