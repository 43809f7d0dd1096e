/** The figures of answered posts: all together, then by form, language and system, and what was taken for what. @module */
import { confusions, type Tally, tally } from "../diagnoses.ts";
import type { PostAnswer } from "./answer_post.ts";
import { formOf, type LabelledPost } from "./labelled_posts.ts";

export interface AnsweredPost {
  readonly post: LabelledPost;
  readonly answer: PostAnswer;
}

export interface PostTally extends Tally {
  /** The first cause is one that the label accepts. */
  readonly acceptedFirst: number;
  /** One of the first two of findings and differential is. */
  readonly inTwo: number;
  /** Faulty, and said to be healthy. */
  readonly saidHealthy: number;
  /** Said to be faulty, with a cause for which nothing is shown. */
  readonly unproven: number;
}

export function tallyPosts(answered: readonly AnsweredPost[]): PostTally {
  const faulty = answered.filter(({ post }) => post.label.verdict === "faulty");
  const isDetected = ({ answer }: AnsweredPost) => answer.verdict === "faulty";
  const detected = faulty.filter(isDetected);
  const accepts = ({ post }: AnsweredPost, cause: string | undefined) =>
    cause !== undefined && post.label.causes.includes(cause);
  return {
    ...tally(labelsOf(answered), new Map(answered.map(({ post, answer }) => [post.name, answer]))),
    acceptedFirst: detected.filter((one) => accepts(one, one.answer.causes[0])).length,
    inTwo: detected.filter((one) => firstTwo(one.answer).some((cause) => accepts(one, cause))).length,
    saidHealthy: faulty.filter(({ answer }) => answer.verdict === "benign").length,
    unproven: answered.filter((one) => isDetected(one) && one.answer.unproven.length > 0).length,
  };
}

const firstTwo = ({ causes, differential }: PostAnswer) => [...new Set([...causes, ...differential])].slice(0, 2);

const labelsOf = (answered: readonly AnsweredPost[]) => new Map(answered.map(({ post }) => [post.name, post.label]));

const share = (hit: number, of: number) => `${hit}/${of}${of === 0 ? "" : ` ${Math.round(100 * hit / of)} %`}`;

const GROUPS = {
  form: formOf,
  language: ({ label }: LabelledPost) => label.language ?? "not said",
  system: ({ label }: LabelledPost) => label.system,
};

export function reportPosts(title: string, answered: readonly AnsweredPost[]): string {
  const all = tallyPosts(answered);
  const figures: [string, number, number][] = [
    ["detected", all.detected, all.faulty],
    ["primary first", all.namedFirst, all.faulty],
    ["accepted first", all.acceptedFirst, all.faulty],
    ["accepted in the first two", all.inTwo, all.faulty],
    ["said to be healthy", all.saidHealthy, all.faulty],
    ["alarms on benign", all.falseAlarm, all.benign],
    ["benign said benign", all.saidBenign, all.benign],
    ["held back on insufficient", all.heldBack, all.insufficient],
    ["forbidden cause named", all.mustNot, answered.length],
    ["faulty without evidence", all.unproven, answered.length],
  ];
  return [
    `${title}: ${answered.length} posts`,
    ...figures.map(([name, hit, of]) => `  ${name.padEnd(28)} ${share(hit, of)}`),
    ...Object.entries(GROUPS).flatMap(([name, groupOf]) => groupTable(name, groupOf, answered)),
    "",
    "true primary -> what was said: posts",
    ...confusionsOf(answered),
  ].join("\n");
}

const SHOWN = 3; // Causes of an answer in the list of confusions.
const COLUMNS = ["posts", "detected", "accepted 1st", "alarms", "held back"] as const;

function groupTable(name: string, groupOf: (post: LabelledPost) => string, answered: readonly AnsweredPost[]) {
  const groups = [...Map.groupBy(answered, ({ post }) => groupOf(post))].sort((a, b) => b[1].length - a[1].length);
  const rows = groups.map(([group, members]) => {
    const { faulty, benign, insufficient, detected, acceptedFirst, falseAlarm, heldBack } = tallyPosts(members);
    const pairs = [[detected, faulty], [acceptedFirst, faulty], [falseAlarm, benign], [heldBack, insufficient]];
    return [group, `${members.length}`, ...pairs.map(([hit, of]) => `${hit}/${of}`)];
  });
  return [
    "",
    ...[[name, ...COLUMNS], ...rows].map(([group, ...cells]) =>
      `${group!.padEnd(24)}${cells.map((cell) => cell.padStart(13)).join("")}`
    ),
  ];
}

/** Each that was answered otherwise than it is labelled. */
function confusionsOf(answered: readonly AnsweredPost[]): string[] {
  const shown = answered.map(({ post, answer: { verdict, causes } }) =>
    [post.name, { verdict, causes: causes.slice(0, SHOWN) }] as const
  );
  return confusions(labelsOf(answered), new Map(shown));
}
