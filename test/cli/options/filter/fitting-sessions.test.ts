import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fittingSessions } from '../../../../src/cli/options/filter/fitting-sessions.ts';
import type { SessionFilter } from '../../../../src/cli/options/filter/session-filter.ts';
import type { FoundSession } from '../../../../src/sessions/places/session-places.ts';

interface Facts {
  readonly agent?: string;
  readonly project?: string;
  readonly day?: string;
}

const session = ({ agent = 'Codex', project = '/repo/shop', day = '2026-11-10' }: Facts): FoundSession => ({
  place: { agent, folder: '/home', isSession: () => true, tokensPerByte: 0.1 },
  agent,
  path: `/home/db#${project}`,
  changedAt: Date.parse(`${day}T12:00:00Z`),
  sizeBytes: 1,
  told: { project, title: 'A day of work', subAgents: 0, ownBytes: 1 },
});

const fits = (facts: Facts, filter: SessionFilter): boolean => fittingSessions([session(facts)], filter).length === 1;

test('the start of an agent is enough, and blanks and hyphens do not matter', () => {
  for (const agent of ['claude', 'Claude Code', 'claude-code', 'CLAUDE']) {
    expect(fits({ agent: 'Claude Code' }, { agent })).toBe(true);
    expect(fits({ agent: 'Codex' }, { agent })).toBe(false);
  }
});

test('a project is a folder and those in it, or any with this in its path', () => {
  expect(fits({ project: process.cwd() }, { project: '.' })).toBe(true);
  expect(fits({ project: path.join(process.cwd(), 'below') }, { project: '.' })).toBe(true);
  expect(fits({ project: path.dirname(process.cwd()) }, { project: '.' })).toBe(false);
  expect(fits({ project: path.dirname(process.cwd()) }, { project: '..' })).toBe(true);
  expect(fits({ project: '/repo/shop' }, { project: '/repo/sho' })).toBe(false);
  expect(fits({ project: '/repo/Shop' }, { project: 'shop' })).toBe(true);
  expect(fits({ project: '/repo/..shop' }, { project: '/repo' })).toBe(true);
});

test('a day is the whole day, on both sides', () => {
  const day = '2026-11-10';
  expect(fits({ day }, { since: day, until: day })).toBe(true);
  expect(fits({ day }, { since: '2026-11-11' })).toBe(false);
  expect(fits({ day }, { until: '2026-11-09' })).toBe(false);
});

test('what fits two filters is what fits both, in the order of all', () => {
  const days = fc.integer({ min: 1, max: 28 }).map((day) => `2026-11-${String(day).padStart(2, '0')}`);
  const facts = fc.record({ agent: fc.constantFrom('Codex', 'Claude Code'), project: fc.constant('/repo'), day: days });
  const filters = fc.record(
    { agent: fc.constantFrom('codex', 'claude'), since: days, until: days },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(facts), filters, filters, (all, one, other) => {
      const found = all.map(session);
      const both = fittingSessions(fittingSessions(found, one), other);
      const fitOne = new Set(fittingSessions(found, one));
      const fitOther = new Set(fittingSessions(found, other));
      expect(both).toEqual(found.filter((each) => fitOne.has(each) && fitOther.has(each)));
      expect(fittingSessions(found, {})).toEqual(found);
    }),
  );
});
