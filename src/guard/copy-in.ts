import type { IContent, ToolCallBlock } from '../content/content.ts';
import { writtenTexts } from '../content/files/written-texts.ts';
import { anyAgent, type ToolVocabulary } from '../content/vocabularies/vocabulary.ts';
import type { CopiedMarker, CopiedMarkerOptions } from './contract.ts';
import { comparable, hasWords, markersOf, mayHaveMarker, type SentMarker } from './sent-marker.ts';

/** As `copiedMarker`, at once. Never throws for any parameters. Pure. */
export function copyIn(
  call: ToolCallBlock,
  history: readonly IContent[],
  { vocabulary = anyAgent, texts = [] }: CopiedMarkerOptions = {},
): CopiedMarker | undefined {
  const copies = copiesIn(call, vocabulary);
  if (copies === undefined) return undefined;
  const blocks = history.flatMap(({ blocks: own }) => own);
  const sent = blocks.flatMap((block) => (block.type === 'tool_response' ? markersOf(block) : []));
  const said = history.flatMap(({ speaker, blocks: own }) =>
    speaker === 'human' ? own.flatMap((block) => (block.type === 'text' ? block.text : [])) : [],
  );
  return copies(sent, [...said, ...texts]);
}

/** The first of these markers that a call would write, and none of these texts contains. */
type FindCopy = (sent: Iterable<SentMarker>, own: Iterable<string>) => CopiedMarker | undefined;

/** Finds copies of markers in what a call writes; `undefined` if it writes nothing like a marker. Linear. */
export function copiesIn(call: ToolCallBlock, vocabulary: ToolVocabulary): FindCopy | undefined {
  const { written, replaced } = writtenTexts(call, vocabulary);
  const likely = written.filter(mayHaveMarker).map(comparable);
  if (likely.length === 0) return undefined;
  return (sent, own) => {
    const copied = [...sent].filter((marker) => likely.some((text) => hasWords(text, marker)));
    if (copied.length === 0) return undefined;
    const known = [...replaced, ...own].filter(mayHaveMarker).map(comparable);
    const copy = copied.find((marker) => !known.some((text) => hasWords(text, marker)));
    return (
      copy && { marker: copy.text, standsFor: copy.standsFor, ...(copy.name !== undefined && { name: copy.name }) }
    );
  };
}
