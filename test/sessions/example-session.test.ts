import { describe, expect, test } from 'vitest';
import { orphanResponses, pairCalls, unansweredCalls } from '../../src/content/calls/pairing.ts';
import { liveHistory } from '../../src/formats/contract.ts';
import { exampleSession } from '../../src/sessions/example-session.ts';

const history = liveHistory(exampleSession());
const pairing = pairCalls(history);

describe('the bundled example', () => {
  test('has about 150 model calls, every one answered', () => {
    expect(history.filter(({ speaker }) => speaker === 'ai')).toHaveLength(150);
    expect(unansweredCalls(pairing)).toEqual([]);
    expect(orphanResponses(pairing)).toEqual([]);
    expect(new Set(history.map(({ metadata }) => metadata?.id)).size).toBe(history.length);
  });

  test('is a day of work: reads whole and partial, edits and failed edits, searches, test runs, attached files', () => {
    const calls = pairing.calls.map(({ call }) => ({ name: call.name, parameters: JSON.stringify(call.parameters) }));
    const count = (name: string, part = ''): number =>
      calls.filter((call) => call.name === name && call.parameters.includes(part)).length;
    expect(count('read_file')).toBeGreaterThan(40);
    expect(count('read_file', 'offset')).toBeGreaterThan(5);
    expect(count('read_many_files')).toBeGreaterThan(0);
    expect(count('replace')).toBeGreaterThan(40);
    expect(count('write_file')).toBeGreaterThan(2);
    expect(count('search_file_content')).toBeGreaterThan(10);
    expect(count('run_shell_command', 'npm test')).toBeGreaterThan(20);
    const failed = pairing.responses.filter(({ response }) => response.error !== undefined);
    expect(failed.length).toBeGreaterThan(5);
    expect(JSON.stringify(history).split('--- End of content ---').length - 1).toBeGreaterThan(3);
  });

  test('shows in later reads what its edits changed', () => {
    const steps = pairing.responses.map(({ response, call }) => ({
      text: String(response.result),
      parameters: call?.call.parameters as Readonly<Record<string, string>>,
    }));
    const seen = steps.filter(({ parameters: { file_path, new_string } }, index) =>
      steps
        .slice(index + 1)
        .some(({ parameters, text }) => parameters['absolute_path'] === file_path && text.includes(new_string ?? '\0')),
    );
    expect(seen.length).toBeGreaterThan(10);
  });

  test('fails no edit but those that are meant to', () => {
    expect(pairing.responses.filter(({ response }) => response.error !== undefined)).toHaveLength(8);
  });
});
