/** Learning rates that are usual for another training than the one that is started. @module */
import {
  ABSURD,
  DESTROYS,
  isBreakingRate,
  isRateOfAdapter,
  isRateOfWhole,
  STOOD_BY_TINY,
  usualLearningRate,
} from "../../../data/usual_learning_rate.ts";
import type { Launch, Told } from "./launch.ts";
import { type Hit, hit, type LaunchRule, ON_TRAINER } from "./rule.ts";

const RATES = [
  "learning_rate",
  "actor_rollout_ref.actor.optim.lr",
  "actor.adam.lr",
  "actor_learning_rate",
  "adam.lr",
  "optim.lr",
];

/** The policy's learning rate, where it is told and above 0. */
function rateOf(launch: Launch): (Told & { readonly value: number }) | null {
  const told = launch.told(...RATES);
  return told !== undefined && typeof told.value === "number" && told.value > 0
    ? told as Told & { readonly value: number }
    : null;
}

/** Trained on given tokens, which stand a higher rate than rollouts and pairs. */
const isSupervised = ({ trainer }: Launch) => trainer === "sft" || trainer === "reward";

function adapterSlow(launch: Launch): Hit | null {
  const told = rateOf(launch), isSft = launch.trainer === "sft";
  if (told === null || launch.hasAdapter !== true || launch.trainer === null) return null;
  if (!isRateOfWhole(told.value, isSft)) return null;
  return {
    ...hit(
      `${launch.called(told.name)} ${told.value} is a rate for all weights, and an adapter is trained: it wants some ` +
        "ten times as much, and hardly moves",
      [told],
      { name: told.name, value: isSft ? 1e-4 : 1e-5 },
    ),
    severity: isSft || 2 * told.value < usualLearningRate({ parameters: null, supervised: false }) ? "warning" : "info",
  };
}

const BILLION = 1e9;

/** Parameters by a model's name: `7B`, `500M`; null where it does not say. */
function parametersOf(model: string): number | null {
  const [, count, unit] = /(?:^|[^\d.])(\d+(?:\.\d+)?)([bm])(?![a-z])/i.exec(model) ?? [];
  return count === undefined ? null : Number(count) * (/b/i.test(unit!) ? BILLION : BILLION / 1000);
}

/** Optimizers whose rates are of another scale than Adam's. */
const OTHER_SCALE = /muon|sgd|lion|adafactor|prodigy|schedule_free|lbfgs/i;

/** A script that makes an adapter in a way that is not read trains all weights only by the look of it. */
const mayHaveAdapter = ({ form, text }: Launch) => form === "keywords" && /peft|lora/i.test(text);

const LARGE = 3 * BILLION;

function wholeFast(launch: Launch): Hit | null {
  const told = rateOf(launch), size = parametersOf(launch.model ?? "");
  if (told === null || launch.hasAdapter !== false || launch.trainer === null || mayHaveAdapter(launch)) return null;
  if (size === null || size < LARGE || !isRateOfAdapter(told.value, isSupervised(launch))) return null;
  if (OTHER_SCALE.test(launch.text) || told.value >= ABSURD) return null;
  return hit(
    `${launch.called(told.name)} ${told.value} is a rate for an adapter, and all ${size / BILLION}B weights train: ` +
      "they are ruined within some updates",
    [told],
    { name: told.name, value: isSupervised(launch) ? 1e-5 : 1e-6 },
  );
}

/** The model of a script that makes its trainer elsewhere, or of none: the first that it loads. */
const loadedModel = (text: string) => /from_pretrained\(\s*(?:\w+\s*=\s*)?["']([^"'\n]+)/.exec(text)?.[1] ?? "";

/** Models that are made for tests. */
const TINY = /\btiny\b|tiny[-_]|[-_]tiny|random|\btoy\b|\bgpt2\b/i;

function farOut(launch: Launch): Hit | null {
  const told = rateOf(launch), model = launch.model ?? loadedModel(launch.text);
  if (told === null || told.value >= ABSURD || launch.trainer === null) return null;
  if (TINY.test(model) || OTHER_SCALE.test(launch.text) || wholeFast(launch) !== null) return null;
  const parameters = parametersOf(model), supervised = isSupervised(launch);
  // Arguments that stand alone say nothing of an adapter: they are held to the rate that one stands.
  const isKnown = launch.hasAdapter !== null, adapter = launch.hasAdapter !== false || mayHaveAdapter(launch);
  const usual = usualLearningRate({ parameters, supervised, adapter });
  const isFar = isBreakingRate(told.value, { parameters, supervised, adapter }, DESTROYS);
  if (!isFar || parameters === null && told.value < STOOD_BY_TINY) return null;
  const what = `${isKnown ? adapter ? "an adapter" : "all weights" : "even an adapter"}${
    supervised ? "" : launch.isRollout ? " on rollouts" : " on pairs"
  }`;
  return hit(
    `${launch.called(told.name)} ${told.value} is ${Math.round(told.value / usual)} times what is usual for training ` +
      `${what}${parameters === null ? ", unless the model is tiny" : ""}: the first updates destroy the policy`,
    [told],
    { name: told.name, value: usual },
  );
}

export const RATE_RULES = {
  adapter_rate_low: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "warning",
    also: "info",
    about: "The learning rate of a full training, for an adapter.",
    change: "learning_rate, actor_rollout_ref.actor.optim.lr",
    source: "trl#2872, trl#3031; TRL, LoRA without regret",
    wantsWhole: true,
    check: adapterSlow,
  },
  adapter_rate_on_all_weights: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "warning",
    about: "The learning rate of an adapter, for all weights of a large model.",
    change: "learning_rate, actor_rollout_ref.actor.optim.lr",
    source: "TRL, LoRA without regret: 1e-5 for adapters where all weights take 1e-6",
    wantsWhole: true,
    check: wholeFast,
  },
  rate_far: {
    systems: [...ON_TRAINER, "verl", "openrlhf"],
    severity: "warning",
    about: "A learning rate a hundred times the usual one for the model's size, the adapter and the kind of training.",
    change: "learning_rate, actor_rollout_ref.actor.optim.lr, --actor.adam.lr",
    source: "docs/rules.md, learning_rate_too_high",
    wantsWhole: true,
    check: farOut,
  },
} as const satisfies Record<string, LaunchRule>;
