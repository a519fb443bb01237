import { claude, other, type PlayedModel } from '../live/played-models.ts';

/** A model, and when its agent goes on from a summary: from each, or only where the originals exceed the window. */
export interface CompactedModel extends PlayedModel {
  readonly goesOn: 'always' | 'beyond';
}

const always = (played: PlayedModel): CompactedModel => ({ ...played, goesOn: 'always' });
const beyond = (played: PlayedModel): CompactedModel => ({
  ...played,
  name: `${played.name}, beyond`,
  goesOn: 'beyond',
});

export const COMPACTED_MODELS: readonly CompactedModel[] = [
  always(claude('claude-opus-5', '5m', 'new')),
  always(claude('claude-opus-5', '1h', 'new')),
  always(claude('claude-opus-5-5', '5m', 'new')),
  always(other('openai-responses', 'gpt-5.6-sol')),
  // Some sessions have more tokens than these windows.
  beyond(claude('claude-sonnet-4-5', '5m', 'new')),
  beyond(other('openai-responses', 'gpt-5.6-sol')),
];
