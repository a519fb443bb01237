import type { ContentBlock, IContent } from '../../../content/content.ts';
import type { ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';
import type { Reason, ReasonRow } from '../../reasons/reason-row.ts';
import type { DensityRow, RowFields } from '../../settings/density-row.ts';
import type { DensityPhases } from '../../settings/phase-settings.ts';
import type { SharedSettings } from '../../settings/shared-settings.ts';
import type { FileCall } from './file-call.ts';
import type { Protection } from './protection.ts';

/** A history with the edits of the rules so far, to be edited for these reasons. Positions are those of the raw history. */
export interface Draft<Own extends Reason> {
  readonly history: readonly IContent[];
  /** The block at a position, `undefined` once it is removed. */
  blockAt(entry: number, block: number): ContentBlock | undefined;
  isRemoved(entry: number, block: number): boolean;
  replaceBlock(entry: number, block: number, edit: { readonly by: ContentBlock; readonly reason: Own }): void;
  removeBlock(entry: number, block: number, reason: Own): void;
}

/** A complete configuration. `rules`: the settings of a rule, and those that all rules share. */
export interface RulesInForce<Settings = unknown> extends DensityPhases {
  readonly rules: Settings & SharedSettings;
  readonly workspaceRoot: string;
  /** True if the prompt cache is lost, so that any change is free. */
  readonly isCold: boolean;
  /** True if thinking of earlier turns may be left out. */
  readonly canOmitThinking: boolean;
  readonly protection: Protection;
}

/** What a rule reads beside the draft. */
export interface RuleContext<Settings = unknown> {
  readonly inForce: RulesInForce<Settings>;
  readonly vocabulary: ToolVocabulary;
  /** The calls of the history, in order. */
  readonly calls: readonly FileCall[];
}

/** Everything about one pruning rule. What it edits depends only on the history, the settings and the rules before it. */
export interface PruningRule<Own extends Reason, Rows extends readonly DensityRow[] = readonly []> {
  /** Its own settings, beyond the specification, whose defaults turn it off. */
  readonly settings?: Rows;
  /** Why it edits, by the name of the reason. */
  readonly reasons: { readonly [Name in Own['rule']]: ReasonRow<Extract<Own, { readonly rule: Name }>> };
  isOn(inForce: RulesInForce<RowFields<Rows[number]>>): boolean;
  prune(draft: Draft<Own>, context: RuleContext<RowFields<Rows[number]>>): void;
}
