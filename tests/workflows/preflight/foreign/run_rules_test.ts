import { RUN_RULES } from "../../../../workflows/preflight/foreign/run_rules.ts";
import { testRules } from "./cases.ts";

testRules(RUN_RULES);
