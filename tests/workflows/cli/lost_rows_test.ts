import assert from "node:assert/strict";
import { LostRows } from "../../../workflows/engine/halving.ts";
import { advisedOnLoss } from "../../../workflows/cli/lost_rows.ts";

Deno.test("advisedOnLoss() tells the commands that compute lost rows again, and lets other errors be", async () => {
  const lost = new LostRows("20260102-030405-small-aaaa", 3, "Cannot read 1-3.arrow");
  await assert.rejects(
    advisedOnLoss("/elsewhere", () => Promise.reject(lost)),
    /^UsageError: Cannot compare the runs of the matrix after train step 3: Cannot read 1-3\.arrow\. Run \S+ comes to the same rows again with: .* run --resume \S+-aaaa --from-start --pause-at 3 --runs \S+elsewhere; then all go on with: .* run --resume \S+-aaaa --runs \S+elsewhere$/,
  );
  const other = new RangeError("other");
  await assert.rejects(advisedOnLoss("/elsewhere", () => Promise.reject(other)), (error) => error === other);
  assert.equal(await advisedOnLoss("/elsewhere", () => Promise.resolve(3)), 3);
});
