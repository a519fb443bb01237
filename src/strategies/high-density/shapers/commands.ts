import type { ToolCallBlock } from '../../../content/content.ts';
import { innerCalls } from '../../../content/files/inner-calls.ts';
import { parsedTexts } from '../../../content/files/tool-parameters.ts';
import { parseShell } from '../../../content/shell/parse-shell.ts';
import { toolDefinition } from '../../../content/tools/tool-definition.ts';
import type { ToolDefinition, ToolVocabulary } from '../../../content/vocabularies/vocabulary.ts';

/** What a program prints: lines that matched, paths, the report of a test runner, what builders and installers say, or lines of files with their numbers. No lines of files otherwise. */
export type CommandKind = 'matches' | 'paths' | 'tests' | 'output' | 'numbered';

/** Programs that print nothing of interest, or only what they are given. */
const SILENT =
  /^(?:cd|pushd|popd|export|unset|set|true|:|echo|printf|mkdir|rm|rmdir|cp|mv|touch|chmod|ln|sleep|wait|kill|pkill)\b/;
/** Programs that pass on lines of another one. */
const FILTERS =
  /^(?:(?:head|tail|grep|egrep|fgrep|rg|sort|uniq|tee|less|more)\b|cat$|sed -n(?:(?:;| -e)? ?\d+(?:,(?:\d+|\$))?p){1,1000}$)/;
/** What starts another program. */
const STARTERS =
  /^(?:(?:\w+=\S*|env|time|nice|sudo|command|npx|bunx|(?:npm|pnpm|yarn|bun) exec(?: --)?|(?:pnpm|yarn) dlx|(?:uv|poetry|rye|hatch|pdm) run|bundle exec|python3? -m|timeout(?: -\S+){0,1000} \S+)(?: -(?:y|-yes|-no-install))?\s+){1,1000}/;

const TESTS =
  /^(?:vitest|jest|ava|mocha|tap|pytest|py\.test|unittest|nose2|tox|rspec|phpunit|ctest|go test|cargo (?:\+\S+ )?(?:test|nextest)|dotnet test|swift test|node --test|bun test|deno test|playwright test|(?:\.\/)?(?:mvnw?|gradlew?)(?: \S+){0,1000} (?:test|verify|check)|make (?:-\S+ ){0,1000}(?:test|check)\S*|(?:npm|pnpm|yarn|bun)(?: -\S+(?: [^\s-]\S*)?){0,1000} (?:run )?(?:t|test|tests|e2e)(?::\S+)?|(?:just|task|rake|nox) test\S*)(?:\s|$)/;
const OUTPUT =
  /^(?:(?:npm|pnpm|yarn|bun) (?:ci|i|install|add|update|remove|uninstall|dedupe|audit|(?:run )?(?:build|lint|typecheck|type-check|check|format|fmt|compile|bundle)\S*)|yarn|pip3? (?:install|uninstall)|uv (?:pip|sync|add|lock|remove)|poetry (?:install|add|lock)|(?:apt|apt-get) (?:-\S+ ){0,1000}(?:install|update|upgrade)|brew (?:install|update)|gem install|bundle install|composer (?:install|require|update)|dotnet (?:restore|build|publish|add)|go (?:get|build|vet|generate|install|mod (?:tidy|download))|gofmt|cargo (?:\+\S+ )?(?:build|check|clippy|fmt|fetch|add|install|update|doc)|tsc|tsup|eslint|biome|prettier|oxlint|ruff|mypy|pyright|flake8|black|pylint|golangci-lint|cmake|ninja|make|webpack|vite build|rollup|esbuild|next build|swc|(?:\.\/)?(?:mvnw?|gradlew?)|javac|gcc|g\+\+|clang|msbuild|xcodebuild|swift build|bazel|terraform (?:init|plan|validate|fmt)|docker (?:build|pull|compose (?:build|pull|up))|pre-commit|git (?:add|commit|push|pull|fetch|clone|checkout|switch|merge|rebase|restore|reset|stash|tag|branch))(?:\s|$)/;
const PATHS =
  /^(?:ls|find|fd|fdfind|tree|git ls-files|git status|rg (?:\S+ ){0,1000}--files|git diff (?:\S+ ){0,1000}--(?:name-only|stat)|dirname|basename|pwd|which)(?:\s|$)/;
const MATCHES = /^(?:rg|grep|egrep|fgrep|ag|ack|git grep)(?:\s|$)/;

/** The kinds of output of a shell call, without silent programs and filters; `undefined` if any program may print lines of files, or is not known. */
export function printedKinds(call: ToolCallBlock, vocabulary: ToolVocabulary): ReadonlySet<CommandKind> | undefined {
  const kinds = new Set<CommandKind>();
  const definition = toolDefinition(vocabulary, call);
  return definition !== undefined && addKinds(kinds, call, definition) ? kinds : undefined;
}

function addKinds(kinds: Set<CommandKind>, call: ToolCallBlock, definition: ToolDefinition): boolean {
  if (definition.parser === 'script') {
    const { calls, isUnderstood } = innerCalls(definition, call);
    return isUnderstood && calls.every((inner) => addKinds(kinds, inner.call, inner.definition));
  }
  if (definition.role !== 'shell') return false;
  if (definition.parser === undefined) {
    // What is read of a process that runs; scripts whose language is not read may print files.
    if (definition.textKeys?.some((key) => SCRIPT_KEYS.has(key))) return false;
    kinds.add('output');
    return true;
  }
  if (definition.parser !== 'shell') return false;
  const scripts = parsedTexts(definition, call.parameters);
  return scripts.length > 0 && scripts.every((script) => addScript(kinds, script));
}

const SCRIPT_KEYS: ReadonlySet<string> = new Set(['command', 'code']);
const SHELL = /^(?:.*\/)?(?:ba|z|da)?sh$/;

function addScript(kinds: Set<CommandKind>, script: string | readonly string[]): boolean {
  if (typeof script !== 'string') {
    const [program = '', option = '', text] = script;
    return SHELL.test(program) && /^-\w*c$/.test(option) && text !== undefined
      ? addScript(kinds, text)
      : addProgram(kinds, script.join(' '));
  }
  const commands = parseShell(script);
  if (commands === undefined) return false;
  return commands.every(({ words, piped }, at) => {
    const program = words.map(({ text }) => text).join(' ');
    return (piped && at > 0 && FILTERS.test(program)) || addProgram(kinds, program);
  });
}

function addProgram(kinds: Set<CommandKind>, line: string): boolean {
  const program = line.replace(STARTERS, '');
  if (program === '' || SILENT.test(program)) return true;
  const kind = kindOf(program);
  if (kind !== undefined) kinds.add(kind);
  return kind !== undefined;
}

const NUMBERED = /^(?:nl|cat -n)(?:\s|$)/;

/** A program that runs others, or prints what it finds in them, is not known. */
const RUNS_OTHERS = /\s-(?:exec|execdir|ok|print0|printf|-exec|x|X)\b/;

function kindOf(program: string): CommandKind | undefined {
  if (TESTS.test(program)) return 'tests';
  if (NUMBERED.test(program)) return 'numbered';
  if (OUTPUT.test(program)) return 'output';
  if (PATHS.test(program)) return RUNS_OTHERS.test(program) ? undefined : 'paths';
  return MATCHES.test(program) ? 'matches' : undefined;
}
