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
