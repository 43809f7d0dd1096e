import { SAMPLING_RULES } from "../../../../workflows/preflight/foreign/sampling_rules.ts";
import { testRules } from "./cases.ts";

testRules(SAMPLING_RULES);
