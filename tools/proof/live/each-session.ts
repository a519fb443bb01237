import type { ToolVocabulary } from '../../../src/content/vocabularies/vocabulary.ts';
import type { Session } from '../../../src/formats/contract.ts';
import { type RecordedSet, recordedSession, recordedSessions, sessionName } from '../recorded-sessions.ts';
import type { PlayedModel } from './played-models.ts';
import { type RecordedCall, recordedCalls } from './recorded-calls.ts';

/** A session with at least two calls, and the models that play it. */
export interface PlayedSession<Model> {
  /** Its path from the folder of its set on. */
  readonly name: string;
  readonly set: string;
  /** The folder of its agent, or its format where a set has no folders. */
  readonly agent: string;
  readonly session: Session;
  readonly calls: readonly RecordedCall[];
  readonly vocabulary: ToolVocabulary;
  readonly workspaceRoot: string;
  readonly models: readonly Model[];
}

export interface ChosenSessions<Model> {
  readonly sets: readonly RecordedSet[];
  readonly models: readonly Model[];
  /** `1/4`: the first of four parts. */
  readonly part: string;
  /** Parts of paths, and parts of models' names; of either, none means all. */
  readonly names: readonly string[];
  /** True for a session and a model that were played before. */
  readonly isKnown: (play: string) => boolean;
}

/** The name of a play. */
export const playName = (session: string, played: PlayedModel): string => `${session} ${played.name}`;

/** Reads the chosen sessions one after the other. */
export function* eachSession<Model extends PlayedModel>({
  sets,
  models,
  part,
  names,
  isKnown,
}: ChosenSessions<Model>): Generator<PlayedSession<Model>> {
  const [own = 1, parts = 1] = part.split('/').map(Number);
  const isModel = (name: string): boolean => models.some((played) => played.name.includes(name));
  const modelNames = names.filter(isModel);
  const paths = names.filter((name) => !isModel(name));
  const named = models.filter(
    (played) => modelNames.length === 0 || modelNames.some((one) => played.name.includes(one)),
  );
  for (const [at, file] of recordedSessions(sets).entries()) {
    const name = sessionName(file);
    const isChosen = paths.length === 0 || paths.some((one) => name.includes(one));
    const waiting = named.filter((played) => !isKnown(playName(name, played)));
    if (at % parts !== own - 1 || !isChosen || waiting.length === 0) continue;
    const session = recordedSession(file);
    const calls = recordedCalls(session);
    const { vocabulary, workspaceRoot = '/', format } = session;
    const [set = '', folder = '', inFolder] = name.split('/');
    const agent = inFolder === undefined ? format : folder;
    if (calls.length >= 2) yield { name, set, agent, session, calls, vocabulary, workspaceRoot, models: waiting };
  }
}
