import assert from "node:assert/strict";
import { fileUrl, listFiles, pathProblem, resolvedCommit } from "../../../../data/hub/remote/listing.ts";
import { parseRepository } from "../../../../data/hub/remote/repository.ts";
import type { Client } from "../../../../data/hub/remote/request.ts";
import { gitHash, hosted, sha256 } from "./hub_server.ts";
import { withHub } from "./pulled.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("listFiles() reads every page, with the hash of LFS for large files and git's for small ones", () => {
  const texts = { "a.json": "a", "b.json": "bb", "c/d.json": "ccc", "model.safetensors": "weights", "e.json": "" };
  const tiny = hosted("org/tiny", texts);
  return withHub([tiny], {}, async ({ environment }) => {
    const client: Client = {
      environment,
      repository: parseRepository("org/tiny"),
      signal: new AbortController().signal,
      tell: () => {},
    };
    assert.equal(await resolvedCommit(client), tiny.commit);
    assert.deepEqual(
      await listFiles(client, tiny.commit),
      Object.entries(texts).map(([path, text]) => ({
        path,
        size: text.length,
        hash: path.endsWith("safetensors")
          ? { kind: "sha256", hex: sha256(bytes(text)) }
          : { kind: "git", hex: gitHash(bytes(text)) },
      })),
    );
    assert.equal(
      fileUrl(client, "c0", "a b/ü#.json"),
      `${environment.endpoint}/org/tiny/resolve/c0/a%20b/%C3%BC%23.json`,
    );
    const data = { ...client, repository: parseRepository("datasets/org/x") };
    assert.equal(fileUrl(data, "c0", "a"), `${environment.endpoint}/datasets/org/x/resolve/c0/a`);
  });
});

Deno.test("pathProblem() is null for names that stay in their folder", () => {
  for (const path of ["config.json", "a/b/c.parquet", "…/ü.json", ".gitattributes", "a..b", "x".repeat(255)]) {
    assert.equal(pathProblem(path), null, path);
  }
  for (
    const path of [
      "..",
      "a/..",
      "a//b",
      "/a",
      "a/",
      "a:b",
      "a\\b",
      "\n",
      "\ud800",
      "ü".repeat(128),
      "a\u009b",
      "a\u202eb",
      "a\u2028",
    ]
  ) {
    assert.notEqual(pathProblem(path), null, path);
  }
});
