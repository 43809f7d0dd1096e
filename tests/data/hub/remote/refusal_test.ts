import assert from "node:assert/strict";
import { pageOf, PullError, refusalText } from "../../../../data/hub/remote/refusal.ts";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";

const said = (address: string, status: number, code = "", token: string | null = null, message = "") =>
  refusalText(
    {
      environment: { endpoint: "https://hub", token: () => token, cache: "", tokenPath: "/home/me/token" },
      repository: parseRepository(address),
    },
    {
      status,
      headers: new Headers({ "x-error-code": code, "x-error-message": message }),
      url: "https://hub/org/x/resolve/c0/a%20b.json",
    },
  );

Deno.test("refusalText() says what is refused, and what to do", () => {
  assert.equal(
    said("org/x", 403, "GatedRepo"),
    "Cannot pull org/x: it is gated, and no token was given; ask for access at https://hub/org/x, then set HF_TOKEN to a token " +
      "from https://hub/settings/tokens",
  );
  assert.equal(
    said("datasets/org/x", 403, "GatedRepo", "t"),
    "Cannot pull org/x: it is gated, and your token has no access to it; ask for access at https://hub/datasets/org/x",
  );
  assert.match(said("org/x", 404, "EntryNotFound"), /it has no file "a b\.json"/);
  assert.match(
    said("org/x", 404, "RevisionNotFound"),
    /it has no revision "main"; give --revision on https:\/\/hub\/org\/x/,
  );
  assert.equal(
    said("org/x", 404),
    "Cannot pull org/x: hub has no model of that name, or it is private or gated: then set HF_TOKEN to a token that may read " +
      "it; look at the spelling on https://hub/models?search=x; a data set is datasets/org/x",
  );
  assert.equal(
    said("datasets/org/x", 401, "", "t"),
    "Cannot pull org/x: hub has no data set of that name, or your token may not read it: ask for access on its page; look at " +
      "the spelling on https://hub/datasets?search=x",
  );
  assert.match(said("qwen2.5", 401), /look at the spelling, most names are ORG\/NAME, on .*search=qwen2\.5;/);
});

Deno.test("refusalText() tells a name that is not there from a token that is not known", () => {
  // What the Hub says of a missing repository to whoever has no token, and of a token that it does not know.
  const missing = "Invalid username or password.", unknown = "Invalid credentials in Authorization header";
  assert.match(
    said("org/x", 401, "RepoNotFound", null, missing),
    /has no model of that name, or it is private or gated/,
  );
  assert.match(said("org/x", 401, "", null, missing), /has no model of that name, or it is private or gated/);
  assert.match(
    said("org/x", 401, "RepoNotFound", "hf_own", missing),
    /has no model of that name, or your token may not/,
  );
  assert.match(
    said("org/x", 401, "", "hf_own", unknown),
    /hub does not know your token; renew HF_TOKEN, or the one in \/home\/me/,
  );
});

Deno.test("pageOf() is the page of a repository; PullError has its name", () => {
  assert.equal(pageOf("https://hub", parseRepository("datasets/a/b")), "https://hub/datasets/a/b");
  assert.equal(new PullError("x").name, "PullError");
});
