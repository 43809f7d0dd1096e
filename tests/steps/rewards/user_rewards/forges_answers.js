/** A user's reward file that answers in the harness's name, with what is no value. */
import { parentPort } from "node:worker_threads";

export const score = ({ texts }) => {
  for (let number = 1; number < 10; number++) parentPort.postMessage([number, '{"values":["one",2,3,4]}']);
  return texts.map(() => 1);
};
