import type { RemovedTarget, RepeatedLines } from '../high-density/repeated-lines/repeated-lines.ts';
import { ALL_RULES } from '../high-density/rules/index.ts';
import type { Draft } from '../high-density/rules/rule.ts';
import type { Shaped } from '../high-density/shapers/shaped.ts';
import type { CertificateRow, CounterRow, ReasonLabels, ReasonRow } from './reason-row.ts';

type Rule = (typeof ALL_RULES)[number];
type ReasonsOf<One> = One extends { prune(draft: Draft<infer Own>, ...rest: never): void } ? Own : never;

/** A strategy without reasons, or the last resort, replaced the block by a shorter one or removed it. */
export interface MadeRoom {
  readonly rule: 'summarised' | 'dropped';
  readonly strategy: string;
}

const MADE_ROOM = {
  summarised: {
    counter: { name: 'summarised', what: 'results shortened', one: 'result', many: 'results', badge: 'shortened' },
    certificate: { what: 'replaced by a summary', page: 'summarised', terminal: 'summarised' },
    sentence: ({ strategy }) => `shortened by ${strategy} to make room`,
  },
  dropped: {
    counter: { name: 'dropped', what: 'oldest entries dropped', one: 'entry', many: 'entries', badge: 'dropped' },
    certificate: { what: 'dropped to reach the target', page: 'dropped', terminal: 'dropped' },
    sentence: ({ strategy }) => `dropped by ${strategy} to make room`,
  },
} as const satisfies Record<MadeRoom['rule'], ReasonRow<MadeRoom>>;

/** The reason why a block was removed or replaced: plain data that can be sent to another thread. */
export type EditReason = ReasonsOf<Rule> | RepeatedLines | RemovedTarget | Shaped | MadeRoom;

export type EditRule = EditReason['rule'];

type CounterOf<Row> = Row extends { readonly counter: { readonly name: infer Name } } ? Name : never;
type CountersOf<Rows> = Rows extends unknown ? CounterOf<Rows[keyof Rows]> : never;
type CertifiedOf<Rows> = Rows extends unknown
  ? { [Name in keyof Rows]: Rows[Name] extends { readonly certificate: string } ? never : Name }[keyof Rows]
  : never;
type Rows = Rule['reasons'] | typeof MADE_ROOM;

/** The counters of all reasons. Several reasons may share one. */
export type Counter = CountersOf<Rows>;

/** The names of all reasons in certificates. Several reasons may share one. */
export type CertificateRule = CertifiedOf<Rows>;

const ROWS = [...ALL_RULES.map(({ reasons }) => reasons), MADE_ROOM].flatMap((rows) =>
  Object.entries<ReasonRow<never>>(rows),
);

/** The names of a reason in totals (`counter`) and in certificates (`certificate`), and its row. */
interface ReasonNames {
  readonly counter: Counter;
  readonly certificate: CertificateRule;
  readonly row: ReasonRow<EditReason>;
}

/** Every reason, in the order of the rules. */
export const EDIT_RULES = Object.fromEntries(
  ROWS.map(([name, row]) => [
    name,
    {
      counter: typeof row.counter === 'string' ? row.counter : row.counter.name,
      certificate: typeof row.certificate === 'string' ? row.certificate : name,
      row,
    },
  ]),
) as Readonly<Record<EditRule, ReasonNames>>;

/** Every counter, in the order of tables. */
export const COUNTER_ROWS = Object.fromEntries(
  ROWS.flatMap(([, { counter }]) => (typeof counter === 'string' ? [] : [[counter.name, counter]])),
) as Readonly<Record<Counter, CounterRow>>;
export const COUNTERS = Object.keys(COUNTER_ROWS) as readonly Counter[];

/** Every name in certificates, in the order of tables. */
export const CERTIFICATE_ROWS = Object.fromEntries(
  ROWS.flatMap(([name, { certificate }]) => (typeof certificate === 'string' ? [] : [[name, certificate]])),
) as Readonly<Record<CertificateRule, CertificateRow>>;
export const CERTIFICATE_RULES = Object.keys(CERTIFICATE_ROWS) as readonly CertificateRule[];

/** A record with one value per name. */
export const recordOf = <Name extends string, Value>(
  names: readonly Name[],
  of: (name: Name) => Value,
): Record<Name, Value> => Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, Value>;

/** The reason as one sentence for a person, without a full stop. `file` absent: absolute paths. */
export const explainReason = (
  reason: EditReason,
  { call, file = (path) => path }: Pick<ReasonLabels, 'call'> & Partial<ReasonLabels>,
): string => EDIT_RULES[reason.rule].row.sentence(reason, { call, file });
