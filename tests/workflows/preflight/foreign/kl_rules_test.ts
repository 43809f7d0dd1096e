import { KL_RULES } from "../../../../workflows/preflight/foreign/kl_rules.ts";
import { testRules } from "./cases.ts";

testRules(KL_RULES);
