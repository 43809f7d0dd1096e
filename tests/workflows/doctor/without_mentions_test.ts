import assert from "node:assert/strict";
import { withoutMentions } from "../../../workflows/doctor/without_mentions.ts";

const CASES: readonly (readonly [text: string, want: string])[] = [
  ["@torvalds see #1", "@~torvalds see #~1"],
  ["(@org/team), 请@ada", "(@~org/team), 请@~ada"],
  ["owner/repo#12 owner/repo@0123abc gh-5 !7", "owner/repo#~12 owner/repo@~0123abc gh-~5 !~7"],
  ["https://evil.example/?q=1 http:\\//x www.evil.example", "https:~//evil.example/?q=1 http:~\\//x www~.evil.example"],
  ["&#64;torvalds &num;1", "&amp;#~64;torvalds &amp;num;1"],
];
for (const [text, want] of CASES) {
  Deno.test(`withoutMentions() of ${JSON.stringify(text)}`, () =>
    assert.equal(withoutMentions(text).replaceAll("\u200b", "~"), want));
}

Deno.test("withoutMentions() leaves metrics, options and addresses as they are", () => {
  for (
    const text of ["pass@1 mean@16", "ada@example.org", "temperature=1.0", "a & b && c", "# head", "step: 3", "x != 0"]
  ) {
    assert.equal(withoutMentions(text), text);
  }
});
