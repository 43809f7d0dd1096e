import assert from "node:assert/strict";
import { pageOf, PullError, refusalText } from "../../../../data/hub/remote/refusal.ts";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";

const said = (address: string, status: number, code = "", token: string | null = null) =>
  refusalText(
    {
      environment: { endpoint: "https://hub", token: () => token, cache: "", tokenPath: "/home/me/token" },
      repository: parseRepository(address),
    },
    { status, headers: new Headers({ "x-error-code": code }), url: "https://hub/org/x/resolve/c0/a%20b.json" },
  );

Deno.test("refusalText() says what is refused, and what to do", () => {
  assert.equal(
    said("org/x", 403, "GatedRepo"),
    "Cannot pull org/x: it is gated, and no token was given; ask for access at https://hub/org/x, then set HF_TOKEN to a token " +
      "from https://hub/settings/tokens",
  );
  assert.equal(
    said("dataset:org/x", 403, "GatedRepo", "t"),
    "Cannot pull org/x: it is gated, and your token has no access to it; ask for access at https://hub/datasets/org/x",
  );
  assert.match(said("org/x", 404, "EntryNotFound"), /it has no file "a b\.json"/);
  assert.match(
    said("org/x", 404, "RevisionNotFound"),
    /it has no revision "main"; give --revision on https:\/\/hub\/org\/x/,
  );
  assert.match(said("org/x", 404), /has no model of that name.*or set HF_TOKEN .*; a data set is dataset:org\/x/);
  assert.match(said("dataset:org/x", 401, "", "t"), /has no data set of that name.*or whether your token may read it$/);
  assert.equal(pageOf("https://hub", parseRepository("dataset:a/b")), "https://hub/datasets/a/b");
  assert.equal(new PullError("x").name, "PullError");
});
