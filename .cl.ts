import { claimsOf, readPost, toldOf } from "./tests/data/adapters/post/read_post.ts";
for (const t of Deno.args) {
  const i = await readPost(t);
  console.log(t.slice(0, 60), claimsOf(i), toldOf(i));
}
