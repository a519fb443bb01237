import { isRecord } from '../../content/foreign-value.ts';
import type { LiveApi } from '../../live/contract.ts';

type Fields = Readonly<Record<string, unknown>>;
const recordOf = (value: unknown): Fields => (isRecord(value) ? value : {});
const recordsOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(recordOf) : []);

interface ToolWaitReader {
  /** A text in each event that can say it. */
  readonly sign: string;
  /** True if an event of a stream, or a whole answer, says it. */
  isIn(event: Fields): boolean;
}

/**
 * Reasons after which the agent asks again without its user: a result of its tools comes next, or the provider stopped in the middle of a turn.
 * Source: https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
const GOES_ON: ReadonlySet<unknown> = new Set(['tool_use', 'pause_turn', 'compaction']);

/** An item whose output the agent sends: a tool of the provider has no `call_id`. */
const isCall = ({ type, call_id: id }: Fields): boolean =>
  typeof type === 'string' && type.endsWith('_call') && typeof id === 'string';

const isCallingMessage = ({ tool_calls: calls, function_call: call }: Fields): boolean =>
  recordsOf(calls).length > 0 || isRecord(call);

/** How each API says that the answer is no end of the turn. */
export const TOOL_WAITS: Readonly<Record<LiveApi, ToolWaitReader>> = {
  'anthropic-messages': {
    sign: 'stop_reason',
    isIn: (event) => GOES_ON.has(recordOf(event['delta'])['stop_reason'] ?? event['stop_reason']),
  },
  'openai-responses': {
    sign: 'call_id',
    isIn: ({ item, response, ...event }) =>
      [recordOf(item), ...recordsOf(recordOf(response)['output'] ?? event['output'])].some(isCall),
  },
  'openai-chat': {
    sign: '_call',
    isIn: ({ choices }) =>
      recordsOf(choices).some((choice) => isCallingMessage(recordOf(choice['delta'] ?? choice['message']))),
  },
  'gemini-api': {
    sign: 'functionCall',
    // Code Assist has the answer in `response`.
    isIn: (event) =>
      recordsOf(recordOf(event['response'] ?? event)['candidates'])
        .flatMap(({ content }) => recordsOf(recordOf(content)['parts']))
        .some(({ functionCall }) => isRecord(functionCall)),
  },
};
