import { counted } from '../../../../content/counted.ts';
import type { DensityRow } from '../../../settings/density-row.ts';
import type { PruningRule } from '../rule.ts';
import { ExpiringTexts, type OldReport, type UnusedSkill } from './expiring-texts.ts';

const SETTINGS = [
  {
    key: 'compression.density.reportCalls',
    flag: '--report-calls <calls>',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Shorten the report that a sub-agent or a task in the background gave in a user turn, after it was sent this many times; 0: never.',
  },
  {
    key: 'compression.density.skillCalls',
    flag: '--skill-calls <calls>',
    type: 'number',
    unit: 'calls',
    range: { minimum: 0, isInteger: true },
    default: 0,
    help: 'Shorten the body of a skill when this many model calls in a row named no file or tool of the skill; 0: never.',
  },
] as const satisfies readonly DensityRow[];

/** What the agent put into a user turn, which is not the words of a person. */
export const agentTexts = {
  settings: SETTINGS,
  reasons: {
    oldReport: {
      counter: {
        name: 'reports',
        what: 'old reports of sub-agents',
        one: 'report',
        many: 'reports',
        badge: 'old report',
      },
      certificate: {
        what: 'report of a sub-agent or a task, after its first lines',
        page: 'old report',
        terminal: 'reports',
      },
      sentence: ({ leastSentCalls }) => `it was sent with at least ${counted(leastSentCalls, 'model call')}`,
    },
    unusedSkill: {
      counter: {
        name: 'skills',
        what: 'bodies of skills not used since',
        one: 'skill',
        many: 'skills',
        badge: 'unused skill',
      },
      certificate: {
        what: 'body of a skill that was not used since, after its first lines',
        page: 'unused skill',
        terminal: 'skills',
      },
      sentence: ({ folder, leastSentCalls }, { file }) =>
        `no call used ${file(folder)} for at least ${counted(leastSentCalls, 'model call')}`,
    },
  },
  isOn: ({ rules }) => rules.reportCalls > 0 || rules.skillCalls > 0,
  prune(draft, { inForce }) {
    const texts = new ExpiringTexts(inForce);
    texts.add(draft.history);
    texts.prune(draft);
  },
} as const satisfies PruningRule<OldReport | UnusedSkill, typeof SETTINGS>;
