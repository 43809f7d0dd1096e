import { WORD_RULES } from "../../../../workflows/preflight/foreign/word_rules.ts";
import { testRules } from "./cases.ts";

testRules(WORD_RULES);
