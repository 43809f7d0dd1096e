/** The view of a run that a post tells of. */
import { finish } from "../../../../data/adapters/run/finish.ts";
import { tableView } from "../../../../steps/diagnoses/view/table_view.ts";
import type { RunView } from "../../../../steps/diagnoses/view/run_view.ts";
import { readPost } from "../../../data/adapters/post/read_post.ts";

export async function viewOfPost(text: string, name = "post.md"): Promise<RunView> {
  return tableView(finish(name, await readPost(text, name))[0]!.rows);
}
