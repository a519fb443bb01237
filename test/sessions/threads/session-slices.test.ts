import { describe, expect, test } from 'vitest';
import type { IContent } from '../../../src/content/content.ts';
import type { SessionEvent } from '../../../src/content/session-event.ts';
import { EventAssembly, eventSlices } from '../../../src/sessions/threads/session-slices.ts';

const said = (text: string): IContent => ({ speaker: 'human', blocks: [{ type: 'text', text }] });

describe('the events of a session, sent in slices', () => {
  const one = said('one');
  const two = said('x'.repeat(200_000));
  const three = said('y'.repeat(200_000));
  const events: SessionEvent[] = [
    { kind: 'add', content: one },
    { kind: 'add', content: two },
    { kind: 'replace', contents: [said('summary'), two] },
    { kind: 'add', content: three },
    { kind: 'replace', contents: [two, three] },
  ];

  test('arrive as they were, and what was kept is the same object still', () => {
    const assembly = new EventAssembly();
    for (const slice of eventSlices(events)) assembly.take(structuredClone(slice));
    expect(assembly.events).toEqual(events);
    const [, added, first, , last] = assembly.events;
    expect(first?.kind === 'replace' && added?.kind === 'add' && first.contents[1] === added.content).toBe(true);
    expect(last?.kind === 'replace' && added?.kind === 'add' && last.contents[0] === added.content).toBe(true);
  });

  test('each entry crosses once, and a slice ends when it is large', () => {
    const slices = [...eventSlices(events)];
    expect(slices.map((slice) => slice.events.length)).toEqual([2, 2, 1]);
    expect(slices[2]?.events).toEqual([{ kind: 'replace', contents: [1, 3] }]);
  });
});
