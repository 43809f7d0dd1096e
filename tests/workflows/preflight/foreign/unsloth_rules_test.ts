import { UNSLOTH_RULES } from "../../../../workflows/preflight/foreign/unsloth_rules.ts";
import { testRules } from "./cases.ts";

testRules(UNSLOTH_RULES);
