import assert from "node:assert/strict";
import { echoesOnce, recitesRows } from "../../../../../data/adapters/post/stance/recites.ts";

for (
  const text of [
    "The model repeats word for word the training examples",
    "Das Modell wiederholt wörtlich die Trainingsbeispiele",
    "Le modèle répète mot pour mot les exemples d'entraînement",
    "El modelo repite literalmente los ejemplos del entrenamiento",
    "O modelo repete literalmente os exemplos do treino",
    "Модель повторяет дословно примеры из обучения",
    "模型一字不差地重复训练数据",
    "学習データをそのまま繰り返します",
    "학습 데이터를 그대로 반복합니다",
  ]
) Deno.test(`recitesRows() hears of rows: "${text}"`, () => assert(recitesRows(text)));

for (
  const text of [
    "The model repeats the question and stops",
    "Das Modell wiederholt die Frage und hört auf",
    "le modèle répète la question et s'arrête",
    "El modelo repite la pregunta y se detiene",
    "O modelo repete a pergunta e para",
    "Модель повторяет вопрос и останавливается",
    "模型重复一遍问题就停",
    "質問を繰り返して止まります",
    "질문을 반복하고 멈춥니다",
  ]
) Deno.test(`echoesOnce() hears of an echo: "${text}"`, () => assert(echoesOnce(text, text)));

for (
  const text of [
    "The model repeats the same sentence over and over",
    "El modelo repite la misma frase sin parar",
    "模型一直重复同一句话",
    "The model repeats the question until the cap",
    "we repeat the training with another seed",
  ]
) Deno.test(`neither is said in "${text}"`, () => assert(!recitesRows(text) && !echoesOnce(text, text)));

Deno.test("recitesRows() and echoesOnce() read in time that grows with the text", () => {
  const from = performance.now(), long = "repeats the ".repeat(20_000);
  recitesRows(long), echoesOnce(long, long);
  assert(performance.now() - from < 1000);
});
