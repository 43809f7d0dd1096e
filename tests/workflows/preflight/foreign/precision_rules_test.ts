import { PRECISION_RULES } from "../../../../workflows/preflight/foreign/precision_rules.ts";
import { testRules } from "./cases.ts";

testRules(PRECISION_RULES);
