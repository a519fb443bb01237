import { readsLikeFailure } from '../../../content/calls/failure-text.ts';
import { isFailure } from '../../../content/calls/pairing.ts';
import type { IContent } from '../../../content/content.ts';
import type { DensityEdit, DensityResult } from '../../contract.ts';
import type { Asked } from '../repeated-lines/asked.ts';
import { type NewForm, type NewResult, newPart, withEdits, withForms } from '../repeated-lines/new-results.ts';
import { pruneWithoutRepeats } from '../repeated-lines/prune-without-repeats.ts';
import { SHAPERS } from './index.ts';
import { hasMarker } from './markers.ts';
import { printingOf } from './printing-of.ts';
import type { NewText, Shaper, ShaperName } from './shaper.ts';

/** A form that saves less is not worth it. */
const MIN_SAVED_CHARACTERS = 20;
const MIN_CHARACTERS = 60;

/**
 * The edits of all rules, with the forms of results that were not sent yet, which come first: the rules see the forms. What was sent
 * is never shaped, so that no cached prefix is lost. Source: docs/strategies.md, "New text".
 */
export function pruneShaped(history: readonly IContent[], asked: Asked): DensityResult {
  const shapers = SHAPERS.filter(({ name }) => asked.inForce.rules[name]);
  if (shapers.length === 0) return pruneWithoutRepeats(history, asked);
  const forms = newPart(history).results.flatMap((result) => formOf(result, { shapers, history, asked }) ?? []);
  if (forms.length === 0) return pruneWithoutRepeats(history, asked);
  const shaped = withForms(history, forms);
  return withEdits(pruneWithoutRepeats(shaped, asked), { shaped, edits: forms.map(editOf) });
}

interface ShapedForm extends NewForm {
  readonly shapers: readonly ShaperName[];
}

const editOf = ({ result, shapers }: ShapedForm): DensityEdit => ({
  entry: result.entry,
  block: result.block,
  kind: 'replace',
  reason: { rule: 'shaped', call: result.place, shapers },
});

interface Shaping {
  readonly shapers: readonly Shaper[];
  readonly history: readonly IContent[];
  readonly asked: Asked;
}

function formOf(result: NewResult, { shapers, history, asked }: Shaping): ShapedForm | undefined {
  const { call, response } = result;
  const { vocabulary, inForce, fileAccess } = asked;
  if (response.result.length < MIN_CHARACTERS || hasMarker(response.result)) return undefined;
  const { reads } = fileAccess(call, vocabulary, inForce.workspaceRoot, {
    includesShellWrites: inForce.rules.shellWrites,
  });
  if (inForce.protection.coversCall({ call, reads })) return undefined;
  const hasFailed = isFailure(response) || (vocabulary.hidesFailures === true && readsLikeFailure(response));
  const about: NewText = {
    call,
    vocabulary,
    ...printingOf(vocabulary, call),
    isNamed: namesIn(result, { history, asked }),
  };
  const used: ShaperName[] = [];
  let text = response.result;
  for (const shaper of shapers) {
    if ((hasFailed && shaper.name !== 'terminalNoise') || !shaper.appliesTo(about)) continue;
    const form = shaper.shape(text, about);
    if (form.length > text.length - MIN_SAVED_CHARACTERS) continue;
    text = form;
    used.push(shaper.name);
  }
  return used.length === 0 ? undefined : { result, text, shapers: used };
}

/** Tells lines with the name of a file that the agent wrote, or that the call names. Found once, where it is asked. */
function namesIn(
  { call }: NewResult,
  { history, asked }: Pick<Shaping, 'history' | 'asked'>,
): (line: string) => boolean {
  let names: readonly string[] | undefined;
  return (line) => {
    names ??= [...namesOfFiles(JSON.stringify(call.parameters) ?? ''), ...writtenNames(history, asked)];
    return names.some((name) => line.includes(name));
  };
}

/** Up to the first dot: `part` of `part.test.ts`. */
const FILE = /(?<![\w.-])[\w-]{4}[\w-]*(?=(?:\.[\w-]+){0,1000}\.\w{1,5}\b)/g;
const namesOfFiles = (text: string): readonly string[] => text.match(FILE) ?? [];

function writtenNames(history: readonly IContent[], { vocabulary, inForce, fileAccess }: Asked): Set<string> {
  const names = new Set<string>();
  for (const block of history.flatMap(({ blocks }) => blocks)) {
    if (block.type !== 'tool_call') continue;
    const { writes } = fileAccess(block, vocabulary, inForce.workspaceRoot, { includesShellWrites: true });
    for (const file of writes) for (const name of namesOfFiles(file.slice(file.lastIndexOf('/') + 1))) names.add(name);
  }
  return names;
}
