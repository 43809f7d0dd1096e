import assert from "node:assert/strict";
import { isServedOtherwise } from "../../../../../data/adapters/post/stance/served.ts";

Deno.test("isServedOtherwise() is true where something else answers than what was trained", () => {
  for (
    const sentence of [
      "After LoRA SFT the answers are exactly those of the base model",
      "My inference script loads the base model",
      "I never call `PeftModel.from_pretrained`",
      "The adapter was not merged",
      "We trained with the ChatML template and serve with the Llama-2 template",
      "It behaves as if it was never trained",
      "Nach dem Training antwortet es genau wie vorher",
      "Der Adapter wird nicht geladen",
      "推理效果和原模型一模一样",
      "推理时加载的还是基座模型，没有加载 adapter",
      "训练用的是 qwen 模板，推理部署时用了 llama2 模板",
      "ベースモデルと全く同じ回答です",
      "训练时用的是 template: qwen，推理时没有加 chat template",
      "推理的时候没加对话模板",
      "部署时没套用模板",
      "At inference I do not apply the chat template",
      "I forgot the chat template at inference",
      "Inference is run without the chat template",
      "推論時にチャットテンプレートを使っていません",
      "추론할 때 채팅 템플릿을 적용하지 않았습니다",
      "Bei der Inferenz verwende ich kein Chat-Template",
      "À l'inférence je n'applique pas le chat template",
      "En inferencia no aplico la plantilla de chat",
      "Na inferência não uso o chat template",
      "При инференсе я не применяю шаблон чата",
    ]
  ) assert.ok(isServedOtherwise(sentence), sentence);
});

Deno.test("isServedOtherwise() is silent of a base that is only named, and of what was merged", () => {
  for (
    const sentence of [
      "The base model has 0.42 on this set",
      "I merged the adapter and serve it with the same template as in training",
      "We start from the same base model",
      "It never calls the tool",
      "The adapter is merged",
      "训练和推理用的是同一个模板",
      "推理时也加了 chat template",
      "训练和推理都没有用 chat template",
      "I apply the chat template at inference too",
    ]
  ) assert.ok(!isServedOtherwise(sentence), sentence);
});

Deno.test("isServedOtherwise() reads long sentences in time that grows with them", () => {
  for (const part of ["same a b c ", "not call the ", "training with template ", "a"]) {
    isServedOtherwise(part.repeat(20_000));
  }
});
