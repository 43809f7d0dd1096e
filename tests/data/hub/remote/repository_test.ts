import assert from "node:assert/strict";
import {
  addressOf,
  isAddress,
  isCommit,
  parseRepository,
  revisionProblem,
} from "../../../../data/hub/remote/repository.ts";

const model = (name: string, revision = "main", path: string | null = null) => ({
  type: "model",
  name,
  revision,
  path,
});
const dataset = (name: string, revision = "main", path: string | null = null) => ({
  type: "dataset",
  name,
  revision,
  path,
});

Deno.test("parseRepository() reads an address as a person writes or copies it", () => {
  const cases: [string, unknown][] = [
    ["org/name", model("org/name")],
    ["gpt2", model("gpt2")],
    ["hf:org/na.me_1-b@v1.0", model("org/na.me_1-b", "v1.0")],
    ["hf://org/name@refs%2Fpr%2F1", model("org/name", "refs/pr/1")],
    ["datasets/org/sums", dataset("org/sums")],
    ["hf:datasets/org/sums@abc/main/train.parquet", dataset("org/sums", "abc", "main/train.parquet")],
    ["hf:datasets/org/sums/train.jsonl", dataset("org/sums", "main", "train.jsonl")],
    ["https://huggingface.co/org/name", model("org/name")],
    ["https://huggingface.co/org/name/tree/v2", model("org/name", "v2")],
    ["https://huggingface.co/datasets/org/sums/blob/main/a/b.csv", dataset("org/sums", "main", "a/b.csv")],
  ];
  for (const [text, want] of cases) assert.deepEqual(parseRepository(text), want, text);
  assert.deepEqual(parseRepository("http://mirror/org/name/", "http://mirror"), model("org/name"));
});

Deno.test("parseRepository() refuses what is no name, and a revision that would leave its folder", () => {
  for (
    const text of ["", "-a/b", "a--b/c", "a..b", "a/b.git", "a b/c", "../x", "x".repeat(97), "/a/b"]
  ) {
    assert.throws(
      () => parseRepository(text),
      /Cannot read ".*" as a repository of the Hub: its name is .*; write hf:ORG\/NAME/s,
      text,
    );
  }
  for (const revision of ["..", "a/../b", ".", "", "a b", "x".repeat(201), "/a"]) {
    assert.match(revisionProblem(revision)!, /its revision is .*, want a branch, a tag or a commit/);
  }
  assert.throws(() => parseRepository("dataset:org/x"), /"dataset:" is not read, want datasets\/org\/x/);
  assert.throws(() => parseRepository("org/name@..%2F..%2Fx"), /its revision is "\.\.\/\.\.\/x"/);
  assert.equal(revisionProblem("refs/pr/1"), null);
});

Deno.test("addressOf() writes what parseRepository() reads", () => {
  for (const text of ["hf:org/name", "hf:org/name@v1", "hf:datasets/org/sums@refs%2Fpr%2F1"]) {
    assert.equal(addressOf(parseRepository(text)), text);
  }
  assert.deepEqual([isAddress("hf:a/b"), isAddress("a/b"), isCommit("a".repeat(40)), isCommit("main")], [
    true,
    false,
    true,
    false,
  ]);
});
