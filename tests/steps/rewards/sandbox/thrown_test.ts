import assert from "node:assert/strict";
import { thrown } from "../../../../steps/rewards/sandbox/thrown.ts";

Deno.test("thrown() names the error and its place in the file", () => {
  assert.match(thrown(new RangeError("too long")), /^RangeError: too long \(thrown_test\.ts:\d+:\d+\)$/);
});

Deno.test("thrown() shows what is no error, also what cannot be shown", () => {
  assert.equal(thrown("text"), '"text"');
  assert.equal(thrown(undefined), "undefined");
  assert.equal(thrown(Object.create(null)), "a object");
});

Deno.test("thrown() puts what Deno says of permissions in words of a workflow, never its flags", () => {
  const said = (message: string) => {
    const error = new Deno.errors.NotCapable(message);
    error.stack = "";
    return thrown(error);
  };
  assert.equal(
    said('Requires net access to "example.org:443", run again with the --allow-net flag'),
    'NotCapable: a reward may not reach "example.org:443"; name the host in its entry, ' +
      'permissions: { net: ["example.org:443"] }',
  );
  assert.match(
    said('Requires read access to "/etc/x", run again with the --allow-read flag'),
    /no read access to "\/etc\/x"/,
  );
  assert.equal(
    said("Deno.symlinkSync() requires unscoped --allow-read and --allow-write permissions; path-scoped"),
    "NotCapable: a reward may only compute: Deno.symlinkSync()",
  );
  assert.match(said("Requires env access, run again with the --allow-env flag"), /a reward has no env access; /);
});

Deno.test("thrown() says of an import that is no file what a reward may import, without Deno's flags", () => {
  for (
    const [message, what] of [
      ["npm specifiers were requested; but --no-npm is specified", ""],
      ['A remote specifier was requested: "https://a.org/b.ts", but --no-remote is specified.', "https://a.org/b.ts"],
      ["JSR package manifest for '@std/assert' failed to load. A remote specifier was requested: …", "@std/assert"],
      ['Import "lodash" not a dependency', "lodash"],
    ] as const
  ) {
    const error = new TypeError(`${message}\n    at file:///home/a/mine.ts:1:15`);
    const said = thrown(error);
    const begin = `TypeError: a reward imports no packages or addresses${
      what && `, here "${what}"`
    }; put what it needs`;
    assert(said.startsWith(begin), said);
    assert.match(said, /or set trusted: true in its entry.*\(mine\.ts:1:15\)$/);
    assert.doesNotMatch(said, /--no-|specifier/);
  }
});

Deno.test("thrown() puts a mistake of syntax in one line", () => {
  const error = new TypeError(
    "SyntaxError: Expression expected\n  |\n2 |  x = ;\n    at file:///home/a/my%20reward.ts:2:33",
  );
  assert.equal(thrown(error), "SyntaxError: Expression expected (my%20reward.ts:2:33)");
});

Deno.test("thrown() cuts what is long and keeps its place", () => {
  assert.match(thrown(new RangeError("x".repeat(1e6))), /x… \(thrown_test\.ts:\d+:\d+\)$/);
  assert(thrown(new Error("x".repeat(1e6))).length < 1000);
});
