/** What the doctor says of a text that lies in a post: what the tests of its words start from. */
import { finish } from "../../../data/adapters/run/finish.ts";
import { examineRun } from "../../../workflows/doctor/examine_run.ts";
import type { Examined } from "../../../workflows/doctor/examined.ts";
import { readPost } from "../../data/adapters/post/read_post.ts";

export async function examinedPost(text: string, name = "post.md"): Promise<Examined> {
  return examineRun(finish(name, await readPost(text, name))[0]!);
}
