/** The doctor's rules: numbers have names, and what rules read knows no rule. */
import { importsOf, none, SOURCES } from "./sources.ts";

Deno.test("every threshold of a rule has a name", () => {
  // Numbers that explain themselves: none, one, a pair, a half, a third or quarter of a length, per cent, an index.
  const plain = /\/ [34](?![\d.])|\[\d\]|10 \*\*|(?<![\w.])(?:0|0\.5|1|2|100)(?![\w.])/g;
  const unnamed = SOURCES.filter(({ path }) => /^steps\/diagnoses\/(?:view\/)?\w+\.ts$/.test(path)).flatMap(
    ({ path, text }) => {
      const code = text.replace(/\/\*[^]*?\*\//g, "").replace(/\/\/.*/g, "")
        .replace(/(?<=[(=,:!&|\s])\/(?![*/ ])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g, "")
        .replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, "")
        .replace(/\b(?:set|mul|min|max|least|share): [\d.e-]+/g, "") // a remedy says itself what it writes
        .replace(/^(?:export )?const [A-Z_\d]+\b[^;]*;/gm, "").replace(/`[^`$]*`|\}[^`${}]*`/g, "");
      return Array.from(
        code.replace(plain, "").matchAll(/(?<![\w.$])\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.])/g),
        ([number]) => `${path}: ${number}`,
      );
    },
  );
  none(unnamed, "A number without a name");
});

Deno.test("what the rules read and what they say to do know no rule", () => {
  const below = SOURCES.filter(({ path }) => /^steps\/diagnoses\/(?:view|remedies)\//.test(path));
  const upward = below.flatMap((source) =>
    importsOf(source).filter(({ target }) => /^steps\/diagnoses\/[^/]+\.ts$/.test(target))
      .map(({ target }) => `${source.path} imports ${target}`)
  );
  none(upward, "An arrow back up");
});
