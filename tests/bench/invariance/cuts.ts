/** What may leave less to see, but must not lead to another cause: files, records or columns that are not there. @module */
import { type CaseFile, type Change, changeLogs, changePieces, isCompletions, isConfiguration } from "./case_files.ts";
import { isRecord, isTraining } from "./case_log.ts";
import { renamed } from "./rewards.ts";
import { everyTenth, part } from "./series.ts";

/** Records from one share of the run to another, and the completions of their steps. */
const between = (from: number, to: number): Change => (files) => {
  const cut = changePieces(files, (pieces) => part(pieces, from, to));
  return cut === null ? null : cut.filter((file) => !isCompletions(file));
};

/** Every record without the columns of these names. */
const without = (names: RegExp): Change => (files) =>
  changeLogs(files, (log) => {
    const key = (printed: string) => names.test(printed.replace(/^(train|eval)[_/]/, ""));
    if (!log.pieces.some((piece) => isRecord(piece) && piece.cells.some((cell) => key(cell.key)))) return null;
    const pieces = log.pieces.map((piece) =>
      isRecord(piece) ? { ...piece, cells: piece.cells.filter((cell) => !key(cell.key)) } : piece
    );
    return { ...log, pieces };
  });

/** Without the files that are chosen; null where there is none, or nothing else. */
function withoutFiles(files: readonly CaseFile[], which: (file: CaseFile) => boolean): readonly CaseFile[] | null {
  const left = files.filter((file) => !which(file));
  return left.length === files.length || left.length === 0 ? null : left;
}

export const CUTS = {
  // ***** files *****
  no_configuration: (files) => withoutFiles(files, isConfiguration),
  no_completions: (files) => withoutFiles(files, isCompletions),
  // ***** records *****
  first_third: between(0, 1 / 3),
  middle_third: between(1 / 3, 2 / 3),
  last_third: between(2 / 3, 1),
  every_tenth: (files) => changePieces(files, everyTenth),
  // ***** columns *****
  no_entropy: without(/^(entropy|actor\/entropy(_loss)?|policy\/entropy_avg)$/),
  no_kl: without(/^(kl|objective\/kl|actor\/(kl_loss|ppo_kl)|actor\/reward_kl_penalty)$/),
  no_grad_norm: without(/^((actor|critic)\/)?grad_norm$/),
  no_spread: without(/^(reward_std|frac_reward_zero_std|rewards\/.*\/std)$/),
  no_lengths: without(/^(completions\/.*|completion_length|response_length\/.*)$/),
  no_learning_rate: without(/^(learning_rate|actor\/lr|critic\/lr)$/),
  no_evaluations: (files) =>
    changePieces(files, (pieces) => {
      const evaluation = /^(eval|val)[_/-]/;
      const has = pieces.some((piece) => isRecord(piece) && piece.cells.some(({ key }) => evaluation.test(key)));
      return !has
        ? null
        : pieces.filter((piece) => !isRecord(piece) || isTraining(piece)).map((piece) =>
          isRecord(piece) ? { ...piece, cells: piece.cells.filter(({ key }) => !evaluation.test(key)) } : piece
        );
    }),
  rewards_nameless: (files) => renamed(files, (_, index) => `r${index + 1}`),
} satisfies Record<string, Change>;
