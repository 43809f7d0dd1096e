import { LENGTH_RULES } from "../../../../workflows/preflight/foreign/length_rules.ts";
import { testRules } from "./cases.ts";

testRules(LENGTH_RULES);
