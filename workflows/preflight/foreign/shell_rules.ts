/** What makes the shell refuse a launch script as a whole, or break its commands at every line. @module */
import type { Launch } from "./launch.ts";
import { openQuote } from "./shell_lines.ts";
import type { Hit, LaunchRule } from "./rule.ts";

/** Files that a Unix shell runs: not a batch file of Windows, nor a text in which people write. */
const isScript = ({ form, path }: Launch) =>
  (form === "flags" || form === "overrides") && /\.(?:sh|bash|zsh|slurm|sbatch)$|^[^.]+$/.test(path.split("/").at(-1)!);

function windowsLineEnds(launch: Launch): Hit | null {
  if (!isScript(launch) || !launch.raw.includes("\r\n")) return null;
  const lines = launch.raw.split("\n"), broken = lines.findIndex((line) => /\\\r$/.test(line));
  const byHand = "Write the file with line ends of Unix: sed -i 's/\\r$//' FILE.";
  if (broken >= 0) {
    return {
      message:
        "the line ends as Windows writes it: the backslash escapes the carriage return, the command ends here, " +
        "and the options below are not passed",
      at: broken + 1,
      change: [],
      byHand,
    };
  }
  const first = lines.findIndex((line) => /\S\r$/.test(line) && !/^\s*#(?!!)/.test(line));
  return first < 0 ? null : {
    message:
      "the line ends as Windows writes it: its last word has a carriage return at its end, which is part of the value",
    at: first + 1,
    change: [],
    byHand,
    severity: "warning",
  };
}

function quoteLeftOpen(launch: Launch): Hit | null {
  const line = isScript(launch) ? openQuote(launch.text) : null;
  return line === null ? null : {
    message:
      "a quote opens here and is never closed: the shell refuses the script (unexpected end of file), or one quote " +
      "before it is too many",
    at: line,
    change: [],
    byHand: `Close the quote of line ${line}, or delete the one before it that is too many.`,
  };
}

export const SHELL_RULES = {
  windows_line_ends: {
    systems: [],
    severity: "error",
    also: "warning",
    about: "Line ends of Windows: a backslash escapes the carriage return, and the command ends at each line.",
    change: "the line ends",
    source: "Bash manual, 3.1.2.1 Escape Character and 3.5.7 Word Splitting",
    check: windowsLineEnds,
  },
  quote_left_open: {
    systems: [],
    severity: "error",
    about: "A quote that is never closed: the shell refuses the script.",
    change: "the quote",
    source: "Bash manual, 3.1.2 Quoting",
    check: quoteLeftOpen,
  },
} as const satisfies Record<string, LaunchRule>;
