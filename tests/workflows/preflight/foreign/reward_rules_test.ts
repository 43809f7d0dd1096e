import { REWARD_RULES } from "../../../../workflows/preflight/foreign/reward_rules.ts";
import { testRules } from "./cases.ts";

testRules(REWARD_RULES);
