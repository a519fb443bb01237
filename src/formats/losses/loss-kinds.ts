/** Everything that a session can lose on its way into another format, in words for a person. */
export const LOSS_TITLES = {
  'earlier-history': 'entries from before a compaction or rewind',
  'skipped-lines': 'lines that could not be read',
  'system-text': 'system prompt and tool definitions',
  'session-id': 'id of the session',
  'session-model': 'model of the session',
  workspace: 'folder that the agent worked in',
  words: 'texts that are gone or changed',
  'joined-texts': 'texts that were joined with others',
  'blank-texts': 'texts of nothing but blanks',
  'code-blocks': 'code blocks that became text',
  speakers: 'blocks that somebody else says now, or the system prompt',
  grouping: 'entries that were joined or split',
  calls: 'tool calls that are gone',
  'call-ids': 'ids of tool calls',
  'tool-names': 'names of tools',
  parameters: 'parameters of tool calls, as they were',
  'pending-calls': 'calls without a response, which got a failed one',
  results: 'tool results that are gone or changed',
  'orphan-results': 'results without a call, which became text',
  'result-structure': 'tool results that are told in another shape',
  errors: 'failures of tool calls that are told as plain results',
  'error-texts': 'error messages, as they were',
  media: 'images and files',
  'media-names': 'names and captions of images and files',
  thinking: 'thinking',
  'thinking-signatures': 'signatures of thinking',
  'sealed-thinking': 'thinking that is sealed',
  'block-fields': 'blocks with fields that only their source has',
  'entry-ids': 'ids of entries',
  timestamps: 'times of entries',
  models: 'models of answers',
  usage: 'token counts that the provider reported',
  'summary-marks': 'marks of summaries',
  'entry-fields': 'entries with facts that only their source has',
  order: 'results in the order in which they came',
} as const;

export type LossKind = keyof typeof LOSS_TITLES;

/** Something that `count` entries, blocks or calls do not have any more; `first` is the entry of the first, from 1. */
export interface Loss {
  readonly kind: LossKind;
  readonly count: number;
  readonly first?: number;
}
