/** What a session can lose when it is converted to another format: a title for each kind. */
export const LOSS_TITLES = {
  'earlier-history': 'entries from before a compaction or rewind',
  'skipped-lines': 'lines that could not be read',
  'system-text': 'system prompt and tool definitions',
  'session-id': 'id of the session',
  'session-model': 'model of the session',
  workspace: 'working folder of the agent',
  words: 'texts that are missing or changed',
  'joined-texts': 'texts that were joined with other texts',
  'blank-texts': 'texts with only blanks',
  'code-blocks': 'code blocks that became text',
  speakers: 'blocks that another speaker or the system prompt contains now',
  grouping: 'entries that were joined or split',
  calls: 'tool calls that are missing',
  'call-ids': 'ids of tool calls',
  'tool-names': 'names of tools',
  parameters: 'original parameters of tool calls',
  'pending-calls': 'calls without a result, which got a failed result',
  results: 'tool results that are missing or changed',
  'orphan-results': 'results without a call, which became text',
  'result-structure': 'tool results in another shape',
  errors: 'failed tool results that became ordinary results',
  'error-texts': 'original error messages',
  media: 'images and files',
  'media-names': 'names and captions of images and files',
  thinking: 'thinking',
  'thinking-signatures': 'signatures of thinking',
  'sealed-thinking': 'encrypted thinking',
  'block-fields': 'blocks with fields that only the source format has',
  'entry-ids': 'ids of entries',
  timestamps: 'times of entries',
  models: 'models of answers',
  usage: 'token counts that the provider reported',
  'summary-marks': 'flags of summaries',
  'entry-fields': 'entries with facts that only the source format has',
  order: 'original order of results',
} as const;

export type LossKind = keyof typeof LOSS_TITLES;

/** A loss of `count` entries, blocks or calls; `first` is the first entry with it, from 1. */
export interface Loss {
  readonly kind: LossKind;
  readonly count: number;
  readonly first?: number;
}
