/** The tasks: problem generators with their verifiers. @module */
import { addition } from "./addition.ts";
import { countdown } from "./countdown.ts";
import { countingLetters } from "./counting_letters.ts";
import { multiplicationTable } from "./multiplication_table.ts";
import { sortingDigits } from "./sorting_digits.ts";
import { subtraction } from "./subtraction.ts";
import type { Task } from "./task.ts";
import { visualClassification } from "./visual_classification.ts";
import { visualDetection } from "./visual_detection.ts";
import { visualGrounding } from "./visual_grounding.ts";
import { wordProblems } from "./word_problems.ts";

export type { PromptRow, Task } from "./task.ts";

export const TASKS = {
  addition,
  subtraction,
  multiplication_table: multiplicationTable,
  sorting_digits: sortingDigits,
  counting_letters: countingLetters,
  countdown,
  word_problems: wordProblems,
  visual_classification: visualClassification,
  visual_detection: visualDetection,
  visual_grounding: visualGrounding,
} as const satisfies Record<string, Task>;

export type TaskName = keyof typeof TASKS;
