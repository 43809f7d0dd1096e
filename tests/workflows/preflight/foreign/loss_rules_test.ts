import { LOSS_RULES } from "../../../../workflows/preflight/foreign/loss_rules.ts";
import { testRules } from "./cases.ts";

testRules(LOSS_RULES);
