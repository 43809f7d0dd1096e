/** What a person does where rows by which runs of a matrix are compared are lost. @module */
import { join } from "node:path";
import { LostRows } from "../engine/halving.ts";
import { commandLine, resumeCommand, runsWords } from "../terminal/command_line.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** What `compare` gives; lost rows are a UsageError with the commands that compute them again. `runs` is absolute. */
export async function advisedOnLoss<T>(runs: string, compare: () => Promise<T>): Promise<T> {
  try {
    return await compare();
  } catch (error) {
    if (!(error instanceof LostRows)) throw error;
    const { message, run, trainStep } = error, folder = join(runs, run);
    const again = commandLine([
      "run",
      "--resume",
      run,
      "--from-start",
      "--pause-at",
      String(trainStep),
      ...runsWords(runs),
    ]);
    throw new UsageError(
      `${message}. Run ${run} comes to the same rows again with: ${again}; then all go on with: ${
        resumeCommand(folder)
      }`,
    );
  }
}
