import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import stripAnsi from 'strip-ansi';
import { type Question, questionAbout } from './readers/questions.ts';
import { type FormedResult, type Former, type ShapedRequest, shapedRequest } from './readers/shaped-request.ts';
import { recordedSessions, sessionName } from './recorded-sessions.ts';

/** What a reader can take in at once. */
const MAX_TOKENS = 150_000;
const FORMERS: readonly Former[] = [
  'repeatedLines',
  'matchesByFile',
  'pathsByFolder',
  'passingTests',
  'agentEchoes',
  'terminalNoise',
  'tenthLineNumbers',
];
/** The answer is in a text that stands so far above. */
const FAR_TOKENS = 50_000;
/** The most questions on one shaper, in one request. */
const MAX_OF_ONE = 6;
/** Most wrong answers from forms beyond those from originals. */
const MAX_MORE_WRONG = 2;

const isFar = ({ at, targetAt }: FormedResult): boolean => targetAt !== undefined && at - targetAt >= FAR_TOKENS;

/** The far targets first, because there are few. */
function questionsAbout({ results, shaped }: ShapedRequest): Question[] {
  const ordered = results.toSorted((one, other) => Number(isFar(other)) - Number(isFar(one)));
  return FORMERS.flatMap((former) =>
    ordered
      .filter(({ formers }) => formers.includes(former))
      .flatMap((result) => questionAbout(result, former, shaped) ?? [])
      .slice(0, MAX_OF_ONE),
  );
}

/** Writes for each request its transcript as it was and as it is sent, the questions, and the answers, which no reader gets. */
function make(folder: string, files: readonly string[]): void {
  for (const file of files) {
    const request = shapedRequest(file, MAX_TOKENS);
    const questions = request ? questionsAbout(request) : [];
    if (request === undefined || questions.length === 0) continue;
    const own = path.join(folder, path.basename(file, path.extname(file)));
    mkdirSync(own, { recursive: true });
    writeFileSync(path.join(own, 'original.txt'), request.original);
    writeFileSync(path.join(own, 'shaped.txt'), request.shaped);
    const asked = questions.map(({ id, question }) => `${id}: ${question}`).join('\n\n');
    writeFileSync(path.join(own, 'questions.txt'), asked);
    writeFileSync(path.join(own, 'answers.json'), JSON.stringify(questions, null, 2));
    const far = questions.filter(({ id }) => isFar(request.results.find(({ number }) => id.startsWith(`${number}-`))!));
    console.log(
      `${sessionName(file)}: ${questions.length} questions, ${far.length} with targets ${FAR_TOKENS} tokens above`,
    );
  }
}

type Given = Readonly<Record<string, string>>;

/** Colours, blanks at the ends of lines, numbers and quotes that a reader adds say nothing of what was read. */
const plain = (answer: string): string =>
  stripAnsi(answer)
    .split('\n')
    .map((line) =>
      line
        .replace(/^\s*L?\d+(?:→|\t|: ?| ?\| ?)/, '')
        .replace(/^[-+ ](?=\s*\S)/, '')
        .trim(),
    )
    .filter((line) => line !== '')
    .join('\n')
    .replace(/^`+|`+$/g, '');

/** An answer whose indentation counts. */
const indented = (answer: string): string =>
  answer
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '');

/** Compares what readers answered, `original-given.json` and `shaped-given.json` in each folder. */
function grade(folder: string, names: readonly string[]): boolean {
  const wrong = { original: 0, shaped: 0, exact: 0 };
  const counts = new Map<Former, number>();
  for (const name of names) {
    const own = path.join(folder, name);
    const read = (file: string): unknown => JSON.parse(readFileSync(path.join(own, file), 'utf8'));
    const [original, shaped] = [read('original-given.json') as Given, read('shaped-given.json') as Given];
    for (const { id, about, answer, isExact, isIndented } of read('answers.json') as readonly Question[]) {
      counts.set(about, (counts.get(about) ?? 0) + 1);
      const compared = isIndented ? indented : plain;
      const isRight = (given: Given): boolean => compared(given[id] ?? '') === compared(answer);
      if (!isRight(original)) wrong.original++;
      if (isRight(shaped)) continue;
      wrong.shaped++;
      if (isExact && isRight(original)) wrong.exact++;
      console.log(
        `${name} ${id}: expected ${JSON.stringify(answer)}, got ${JSON.stringify(shaped[id])} (original: ${JSON.stringify(original[id])})`,
      );
    }
  }
  console.log([...counts].map(([former, count]) => `${former} ${count}`).join(', '));
  console.log(
    `wrong of ${[...counts.values()].reduce((sum, count) => sum + count, 0)}: ${wrong.original} with originals, ${wrong.shaped} with forms; ${wrong.exact} of them an edit's text or a place`,
  );
  return wrong.shaped <= wrong.original + MAX_MORE_WRONG && wrong.exact === 0;
}

/**
 * `make <folder> <part of a session's name…>` writes requests and questions for readers, `grade <folder> <name…>` compares their answers:
 * a reader gets one of the two transcripts and the questions, and writes a JSON object of answers by id.
 */
export async function prove([what, folder = '', ...names]: readonly string[]): Promise<boolean> {
  if (what === 'grade') return grade(folder, names);
  const files = recordedSessions(['modern-data', 'data', 'more-data']).filter((file) =>
    names.some((name) => file.includes(name)),
  );
  make(folder, files);
  return files.length > 0;
}
