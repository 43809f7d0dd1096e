import assert from "node:assert/strict";
import { join } from "node:path";
import { hubEnvironment } from "../../../../data/hub/remote/environment.ts";

const of = (variables: Record<string, string>) => hubEnvironment((name) => ({ HOME: "/home/me", ...variables })[name]);

Deno.test("hubEnvironment() takes each variable before the next, as huggingface_hub does", () => {
  assert.equal(of({}).cache, "/home/me/.cache/huggingface/hub");
  assert.equal(of({ XDG_CACHE_HOME: "/xdg" }).cache, "/xdg/huggingface/hub");
  assert.equal(of({ XDG_CACHE_HOME: "/xdg", HF_HOME: "/hf" }).cache, "/hf/hub");
  assert.equal(of({ HF_HOME: "/hf", HUGGINGFACE_HUB_CACHE: "/old" }).cache, "/old");
  assert.equal(of({ HF_HOME: "/hf", HUGGINGFACE_HUB_CACHE: "/old", HF_HUB_CACHE: "~/mine" }).cache, "/home/me/mine");
  assert.equal(of({ HF_HOME: "$BASE/hf", BASE: "/b" }).cache, "/b/hf/hub");
  assert.equal(of({ HF_HOME: "" }).cache, "/home/me/.cache/huggingface/hub", "an empty one is none");
  assert.equal(of({}).endpoint, "https://huggingface.co");
  assert.equal(of({ HF_ENDPOINT: "http://mirror:80/hub/" }).endpoint, "http://mirror:80/hub");
  for (const value of ["1", "ON", "yes", "True"]) assert.equal(of({ HF_HUB_OFFLINE: value }).offline, true, value);
  assert.deepEqual([of({ HF_HUB_OFFLINE: "0" }).offline, of({ TRANSFORMERS_OFFLINE: "1" }).offline], [false, true]);
});

Deno.test("hubEnvironment() reads the token when it is asked for: the variable, else the file", () => {
  const folder = Deno.makeTempDirSync();
  try {
    assert.equal(of({ HF_HOME: folder }).token(), null);
    Deno.writeTextFileSync(join(folder, "token"), "hf_file\n");
    assert.equal(of({ HF_HOME: folder }).token(), "hf_file");
    assert.equal(of({ HF_HOME: folder, HF_HUB_DISABLE_IMPLICIT_TOKEN: "1" }).token(), null);
    assert.equal(of({ HF_HOME: folder, HF_TOKEN: " hf_own\r\n" }).token(), "hf_own");
    Deno.writeTextFileSync(join(folder, "other"), "hf_other");
    assert.equal(of({ HF_HOME: folder, HF_TOKEN_PATH: join(folder, "other") }).token(), "hf_other");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("hubEnvironment() refuses an endpoint that is no address, and shows no token of one", () => {
  for (
    const text of [
      "huggingface.co",
      "ftp://x",
      "https://me:secret@x",
      "https://me:se/secret@x",
      "me:secret@x",
      "x?secret",
    ]
  ) {
    assert.throws(
      () => of({ HF_ENDPOINT: text }),
      /Cannot use HF_ENDPOINT: it is (?!.*secret).*, want an address such as https:/,
    );
  }
});

Deno.test("hubEnvironment() says at once that a token cannot be sent, and does not show it", () => {
  for (const token of ["hf_пароль", "hf_a b", "hf_\u0001"]) {
    assert.throws(() => of({ HF_TOKEN: token }).token(), (error: Error) => {
      assert(error instanceof RangeError);
      assert.match(error.message, /Cannot use the token: it has characters that no token has, want .*ASCII/);
      return !error.message.includes(token);
    });
  }
});
