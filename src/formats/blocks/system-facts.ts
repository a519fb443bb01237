import type { Session } from '../contract.ts';

/** The system text of a session, of these texts and tool definitions; values of other types are none of them. */
export function systemFacts(texts: readonly unknown[], tools?: unknown): Pick<Session, 'systemText'> {
  const definitions = Array.isArray(tools) && tools.length > 0 ? [JSON.stringify(tools)] : [];
  const systemText = [...texts.filter((text) => typeof text === 'string'), ...definitions].join('\n');
  return systemText === '' ? {} : { systemText };
}
