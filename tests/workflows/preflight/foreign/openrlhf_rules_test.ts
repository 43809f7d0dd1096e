import { OPENRLHF_RULES } from "../../../../workflows/preflight/foreign/openrlhf_rules.ts";
import { testRules } from "./cases.ts";

testRules(OPENRLHF_RULES);
