import { VERL_RULES } from "../../../../workflows/preflight/foreign/verl_rules.ts";
import { testRules } from "./cases.ts";

testRules(VERL_RULES);
