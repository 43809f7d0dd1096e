/** The doctor's rules: what they read and what they say to do knows none of them. */
import { importsOf, none, SOURCES } from "./sources.ts";

Deno.test("what the rules read and what they say to do know no rule", () => {
  const below = SOURCES.filter(({ path }) => /^steps\/diagnoses\/(?:view|remedies)\//.test(path));
  const upward = below.flatMap((source) =>
    importsOf(source).filter(({ target }) => /^steps\/diagnoses\/[^/]+\.ts$/.test(target))
      .map(({ target }) => `${source.path} imports ${target}`)
  );
  none(upward, "An arrow back up");
});
