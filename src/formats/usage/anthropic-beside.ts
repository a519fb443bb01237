import type { BilledBeside, InnerCall, Usage } from '../../content/content.ts';
import { asCount, type Fields, isRecord } from '../../content/foreign-value.ts';

/** Calls that are in no count of the call around them. Source: https://platform.claude.com/docs/en/build-with-claude/compaction, and advisor-tool beside it. */
const ALWAYS_INNER = new Set(['compaction', 'advisor_message']);
const STANDARD_SERVICES = new Set(['standard', 'default']);
/** A model that cannot be asked for a region says so. Source: https://platform.claude.com/docs/en/manage-claude/usage-cost-api */
const STANDARD_REGIONS = new Set(['global', 'not_available']);
/** After the name of a tool, in the field that counts its uses. */
const USES = '_requests';

const nameIn = (value: unknown, standard: ReadonlySet<string>): string | undefined =>
  typeof value === 'string' && value !== '' && !standard.has(value) ? value : undefined;

function innerCall(iteration: Fields): InnerCall {
  const creation = isRecord(iteration['cache_creation']) ? iteration['cache_creation'] : {};
  const written = asCount(iteration['cache_creation_input_tokens']);
  const writtenHourTokens = Math.min(written, asCount(creation['ephemeral_1h_input_tokens']));
  const { type, model } = iteration;
  return {
    kind: typeof type === 'string' ? type : 'unknown',
    ...(typeof model === 'string' && { model }),
    cachedTokens: asCount(iteration['cache_read_input_tokens']),
    writtenTokens: written - writtenHourTokens,
    writtenHourTokens,
    uncachedTokens: asCount(iteration['input_tokens']),
    outputTokens: asCount(iteration['output_tokens']),
  };
}

const PROMPT_COUNTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

/**
 * The calls that the counts of a usage do not contain. The counts are those of the last attempts, mostly of all of them; an
 * attempt that they have no room for is beside them.
 */
function innerCalls(usage: Fields): readonly InnerCall[] {
  const iterations = Array.isArray(usage['iterations']) ? usage['iterations'].filter(isRecord) : [];
  const left = PROMPT_COUNTS.map((name) => asCount(usage[name]));
  const isInside = iterations.toReversed().map((iteration) => {
    if (ALWAYS_INNER.has(String(iteration['type']))) return false;
    const own = PROMPT_COUNTS.map((name) => asCount(iteration[name]));
    if (own.some((count, at) => count > left[at]!)) return false;
    for (const [at, count] of own.entries()) left[at]! -= count;
    return true;
  });
  isInside.reverse();
  return iterations.filter((_, at) => !isInside[at]).map(innerCall);
}

function toolUses(counts: unknown): Readonly<Record<string, number>> {
  if (!isRecord(counts)) return {};
  const uses = Object.entries(counts).map(
    ([name, count]) => [name.endsWith(USES) ? name.slice(0, -USES.length) : name, asCount(count)] as const,
  );
  return Object.fromEntries(uses.filter(([, count]) => count > 0));
}

/** What the usage of an answer of Anthropic's API has beside its counts. */
export function besideOf(usage: Fields): BilledBeside {
  const service = usage['speed'] === 'fast' ? 'fast' : nameIn(usage['service_tier'], STANDARD_SERVICES);
  const region = nameIn(usage['inference_geo'], STANDARD_REGIONS);
  const calls = innerCalls(usage);
  const tools = toolUses(usage['server_tool_use']);
  return {
    ...(service !== undefined && { service }),
    ...(region !== undefined && { region }),
    ...(calls.length > 0 && { innerCalls: calls }),
    ...(Object.keys(tools).length > 0 && { toolUses: tools }),
  };
}

/** A usage with these counts, with fields that say what is beside them. */
export function withBesideFields(counts: Fields, beside: BilledBeside): Fields {
  const { service, region, innerCalls: calls, toolUses: tools } = beside;
  return {
    ...counts,
    ...(service !== undefined && (service === 'fast' ? { speed: service } : { service_tier: service })),
    ...(region !== undefined && { inference_geo: region }),
    ...(tools && {
      server_tool_use: Object.fromEntries(Object.entries(tools).map(([name, count]) => [`${name}${USES}`, count])),
    }),
    ...(calls && { iterations: [...calls.map(iterationOf), { type: 'message', ...counts }] }),
  };
}

const iterationOf = ({ kind, model, writtenTokens: written, writtenHourTokens: hour, ...call }: InnerCall): Fields => ({
  type: kind,
  ...(model !== undefined && { model }),
  input_tokens: call.uncachedTokens,
  cache_read_input_tokens: call.cachedTokens,
  cache_creation_input_tokens: written + hour,
  ...(hour > 0 && { cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: hour } }),
  output_tokens: call.outputTokens,
});

/** The reader of usages that reads also what is beside the counts. Zeros without anything else are no usage. */
export const withBeside =
  (read: (report: unknown) => Usage | undefined) =>
  (report: unknown): Usage | undefined => {
    const usage = read(report);
    if (usage === undefined || !isRecord(report)) return undefined;
    const beside = besideOf(report);
    return usage.totalTokens > 0 || beside.innerCalls ? { ...usage, ...beside } : undefined;
  };
