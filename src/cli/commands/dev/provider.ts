import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import * as z from 'zod';
import { reasonOf } from '../../../disk/reason-of.ts';
import { CompressionStrategyError, codeOf, messageOf } from '../../../errors.ts';
import { grouped } from '../../../report/figures.ts';
import type { Accepted, ProviderRequest, Refused, Said } from '../../../strict-provider/contract.ts';
import { providerServer } from '../../../strict-provider/provider-server.ts';
import { StrictProvider } from '../../../strict-provider/strict-provider.ts';
import { printable, terminal, UsageError } from '../../terminal/terminal.ts';

/** Before 2026-08-31: such accounts lose bound thinking silently instead of a 400. */
const OLD_ACCOUNT = Date.UTC(2026, 0, 1);
const PORT_LIMIT = 65_536;

const SCRIPT = z.array(
  z.object({
    thinking: z.string().optional(),
    text: z.string().optional(),
    calls: z
      .array(z.object({ id: z.string().optional(), name: z.string(), input: z.record(z.string(), z.unknown()) }))
      .optional(),
  }),
);

/** What a person gave as a script is no list of answers: why. */
const wordsOf = (cause: unknown): string =>
  cause instanceof z.ZodError
    ? z.prettifyError(cause).split('\n').slice(0, 2).join(' ').replace('✖ ', '')
    : messageOf(cause);

/** @throws UsageError for a file that cannot be read or is no list of answers. */
async function scriptOf(file: string): Promise<readonly Said[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`Expected a script that can be read at ${file}, but ${reasonOf(cause)}.`);
  });
  try {
    return SCRIPT.parse(JSON.parse(text)) as readonly Said[];
  } catch (cause) {
    throw new UsageError(
      `Expected ${file} to be a JSON list of answers, [{"text": "Done."}, {"calls": [{"name": "Read", "input": {"file_path": "/a.ts"}}]}], got: ${wordsOf(cause)}`,
    );
  }
}

/** One line for a request: what it cost, or why it was refused. */
function lineOf({ api, isCount }: ProviderRequest, outcome: Accepted | Refused): string {
  if (outcome.status !== 200) return `${api} ${outcome.status} ${printable(outcome.message)}`;
  if (isCount) return `${api} counted`;
  const { uncached, read, written, writtenForAnHour, output } = outcome.tokens;
  const bill = outcome.dollars === undefined ? 'no price' : `$${outcome.dollars.toFixed(4)}`;
  const lost = outcome.dropped.length === 0 ? '' : `, ${outcome.dropped.length} thinking dropped`;
  return `${api} 200 read ${grouped(read)}, written ${grouped(written + writtenForAnHour)}, new ${grouped(uncached)}, output ${grouped(output)}, ${bill}${lost}`;
}

async function provide({
  port,
  script,
  oldAccount,
  json,
}: {
  port: string;
  script?: string;
  oldAccount?: boolean;
  json?: boolean;
}): Promise<void> {
  const wanted = Number(port);
  if (!Number.isInteger(wanted) || wanted < 0 || wanted >= PORT_LIMIT) {
    throw new CompressionStrategyError(
      `Expected \`--port\` between 0 and ${PORT_LIMIT - 1}, got \`${port}\`.`,
      'USAGE',
    );
  }
  const { out } = terminal();
  const answers = script === undefined ? [] : await scriptOf(script);
  const server = providerServer(new StrictProvider(oldAccount ? { createdAt: () => OLD_ACCOUNT } : {}), {
    script: answers,
    now: Date.now,
    onServed: ({ request, outcome, ...served }) => {
      const { status } = outcome;
      const facts =
        status === 200
          ? { tokens: outcome.tokens, dollars: outcome.dollars, dropped: outcome.dropped }
          : { message: outcome.message };
      void out.print(
        `${json ? JSON.stringify({ api: request.api, ...served, status, ...facts }) : lineOf(request, outcome)}\n`,
      );
    },
  });
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new CompressionStrategyError(`Port ${port} is in use. Choose another one with --port.`, 'USAGE');
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await out.print(`${json ? JSON.stringify({ url }) : `Listening on ${url}. Stop with Ctrl-C.`}\n`);
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  await once(server, 'close');
}

/** `density dev provider`: a provider without a model that enforces the rules of four APIs. */
export function defineProvider(command: Command): void {
  command
    .description(
      'Imitates the APIs of Anthropic, OpenAI and Google on this computer, without a model. It refuses the requests that the real APIs refuse, with the same words. It imitates their prompt caches, and bills each request.',
    )
    .option('--port <port>', 'the port on 127.0.0.1; 0 takes any free port', '0')
    .option('--script <file>', 'a JSON list of the answers of the model, in order: [{"text": "Done."}]')
    .option('--old-account', 'imitate an account from before 2026-08-31: bound thinking is dropped, not refused')
    .option('--json', 'one JSON object per line')
    .action(provide);
}
