import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, test } from 'vitest';
import type { ContentBlock } from '../../src/content/content.ts';
import { BlockArchive, blockHash } from '../../src/disk/block-archive.ts';
import { COMMAND } from './command.ts';
import { Computer, outcomeOf } from './density.ts';

const RESULT: ContentBlock = { type: 'tool_response', callId: 'c1', toolName: 'Bash', result: 'one\ntwo\nthree' };
const RECALL = { name: 'recall', arguments: { hash: blockHash(RESULT).slice(0, 12), lines: '2-' } };
const CLIENT = { name: 'test', version: '1' };

describe('density mcp', () => {
  const computer = new Computer();
  const kept = new BlockArchive(`${computer.home}/.local/share/high-density/archive`).keep([RESULT]);
  const server = {
    command: process.execPath,
    args: [COMMAND, 'mcp'],
    env: { HOME: computer.home },
    stderr: 'pipe' as const,
  };

  test('serves a client of version 1 of the SDK', async () => {
    await kept;
    const client = new OldClient(CLIENT);
    await client.connect(new OldTransport(server));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['recall', 'search_removed', 'archive_status']);
    const { content } = await client.callTool(RECALL);
    expect(content).toMatchObject([{ text: expect.stringMatching(/lines 2-3 of 3\]\ntwo\nthree$/) }]);
    await client.close();
  });

  test.each(['legacy', 'auto', { pin: '2026-07-28' }] as const)(
    'serves a client of version 2 of the SDK that negotiates %j',
    async (mode) => {
      await kept;
      const client = new Client(CLIENT, { versionNegotiation: { mode } });
      await client.connect(new StdioClientTransport(server));
      expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'legacy' ? '2025-11-25' : '2026-07-28');
      const { content } = await client.callTool(RECALL);
      expect(content).toMatchObject([{ text: expect.stringMatching(/lines 2-3 of 3\]\ntwo\nthree$/) }]);
      await client.close();
    },
  );

  test('prints nothing but messages, and ends with its input', async () => {
    const child = computer.start(['mcp'], { NODE_OPTIONS: '--trace-warnings' });
    const versions = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '1999-01-01'];
    for (const [id, protocolVersion] of versions.entries()) {
      const params = { protocolVersion, capabilities: {}, clientInfo: CLIENT };
      child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params })}\n`);
    }
    child.stdin!.end('no message');
    const { code, out, err } = await outcomeOf(child);
    const messages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number | null; result?: { protocolVersion: string } });
    const served = messages.filter(({ id }) => id !== null).sort((one, other) => one.id! - other.id!);
    expect(served.map(({ result }) => result?.protocolVersion)).toEqual([...versions.slice(0, 5), '2025-11-25']);
    expect(messages).toHaveLength(versions.length + 1);
    expect([code, err]).toEqual([0, '']);
  });
});
