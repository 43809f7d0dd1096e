/**
 * Which symptoms together are which cause, for runs that are told in few words or few records (CAUSES, "How much evidence a
 * name needs"). A single complaint names nothing: each pattern wants what sets its cause apart from those that look alike.
 * @module
 */
import type { Cause } from "../mod.ts";
import { COURSE_PATTERNS } from "./course_patterns.ts";
import { PAIR_PATTERNS } from "./pair_patterns.ts";
import type { Pattern } from "./pattern.ts";
import { POLICY_PATTERNS } from "./policy_patterns.ts";
import { TEXT_PATTERNS } from "./text_patterns.ts";
import { UPDATE_PATTERNS } from "./update_patterns.ts";

const ALL = [TEXT_PATTERNS, POLICY_PATTERNS, COURSE_PATTERNS, PAIR_PATTERNS, UPDATE_PATTERNS];

/** The patterns of a cause, in the order in which they are tried. */
export const patternsOf = (cause: Cause): readonly Pattern[] => ALL.flatMap((patterns) => patterns[cause] ?? []);
