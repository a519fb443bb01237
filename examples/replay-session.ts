import { readFileSync } from 'node:fs';
import { createEphemerals } from 'high-density';
import { detectFormat, linesOfText } from 'high-density/formats';
import { replaySession } from 'high-density/replay';
import { getCompressionStrategy } from 'high-density/strategies';

const file = process.argv[2] ?? new URL('../src/sessions/example-session.jsonl', import.meta.url);
const text = readFileSync(file, 'utf8');
const format = detectFormat(text);
const session = format.read(linesOfText(text));

const model = session.model ?? 'claude-sonnet-4-5';
const result = await replaySession(
  session,
  { strategy: 'high-density', model, engine: 'inline' },
  {
    createStrategy: (name) => getCompressionStrategy(name, { vocabulary: format.vocabulary }),
    ephemerals: createEphemerals([], { model }),
    clock: () => performance.now(),
  },
);
console.log(`${format.title}: ${result.turns} model calls`);
console.log(`tokens sent: ${result.tokensSentRaw} as recorded, ${result.tokensSent} pruned`);
