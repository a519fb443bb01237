import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fileAccess } from '../../../src/content/files/file-access.ts';
import { powershellAccess } from '../../../src/content/shell/powershell-access.ts';
import { VOCABULARIES } from '../../../src/content/vocabularies/index.ts';
import { runs } from '../../property-runs.ts';

const ROOT = 'D:\\repo';
const access = (script: string) => {
  const { allWrites: _changed, ...found } = powershellAccess(script, ROOT);
  return found;
};
const reads = (...files: string[]) => ({ reads: files, writes: [], readsOnly: true });
const nothing = { reads: [], writes: [], readsOnly: false };

describe('a PowerShell script', () => {
  test.each([
    ['Get-Content a.ts', 'd:/repo/a.ts'],
    ['gc src\\a.ts', 'd:/repo/src/a.ts'],
    ['type "a b.ts"', 'd:/repo/a b.ts'],
    ["cat 'it''s.ts'", "d:/repo/it's.ts"],
    ['Get-Content -LiteralPath C:\\x\\a.ts -Raw -Encoding utf8', 'c:/x/a.ts'],
    ['get-content -tot 20 -path a.ts', 'd:/repo/a.ts'],
    ['Get-Content a.ts | Select-Object -First 20 -Skip 5', 'd:/repo/a.ts'],
    ['Get-Content a.ts |\n  select -Last 3 # the end', 'd:/repo/a.ts'],
    ['Set-Location D:\\other; Get-Content a.ts', 'd:/other/a.ts'],
    ['cd src\nGet-Content `\n  a.ts <# read #> 2>$null', 'd:/repo/src/a.ts'],
    ['Write-Output "---"; Get-Content a.ts; "done"', 'd:/repo/a.ts'],
    ['Get-Content /etc/hosts', '/etc/hosts'],
  ])('reads: %s', (script, file) => expect(access(script)).toEqual(reads(file)));

  test('reads a list of files', () => {
    expect(access("Get-Content a.ts, 'b.ts' -Raw")).toEqual(reads('d:/repo/a.ts', 'd:/repo/b.ts'));
  });

  test.each([
    "Set-Content a.ts 'text'",
    'Set-Content -Path a.ts -Value "x $y" -NoNewline',
    "@'\nGet-Content b.ts\n'@ | Set-Content -Encoding utf8 a.ts",
    '@"\r\n$x "quoted"\r\n"@ | Out-File -FilePath a.ts -Append',
    "'x' > a.ts",
    'npm test *> a.ts',
    'npm test | Tee-Object a.ts',
    'Add-Content a.ts x',
    'npm test && ac a.ts x',
    "@'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch\n'@ | apply_patch",
  ])('writes: %s', (script) => {
    expect(access(script)).toEqual({ reads: [], writes: ['d:/repo/a.ts'], readsOnly: false });
  });

  test.each([
    ['Remove-Item a.ts', ['a.ts']],
    ['rm -Recurse -Force src, b.ts', ['src', 'b.ts']],
    ['Move-Item src\\a.ts b.ts', ['src/a.ts', 'b.ts']],
    ['move-item -Destination b.ts -LiteralPath a.ts -Force', ['a.ts', 'b.ts']],
    ['Copy-Item a.ts b.ts', ['b.ts']],
    ['Rename-Item src\\a.ts c.ts', ['src/a.ts', 'src/c.ts']],
    ['Set-Content a.ts x; del b.ts', ['a.ts', 'b.ts']],
    ['Remove-Item a.ts -WhatIf', []],
    ['Remove-Item *.ts -Filter x', []],
    ['Move-Item a.ts', []],
    ['if ($x) { Remove-Item a.ts }', []],
  ])('changes: %s', (script, files) => {
    expect(powershellAccess(script, ROOT)).toMatchObject({
      allWrites: files.map((file) => `d:/repo/${file}`),
      reads: [],
      readsOnly: false,
    });
  });

  test.each([
    'Get-Content $file',
    'Get-Content (Join-Path a b)',
    'Get-Content *.ts',
    'Get-Content "$HOME/a.ts"',
    'Get-Content Env:\\PATH',
    'Get-Content \\\\server\\share\\a.ts',
    'Get-Content ~/a.ts',
    'Get-Content a.ts -Wait',
    'Get-Content a.ts -Unknown b',
    '$c = Get-Content a.ts',
    'foreach ($f in "a.ts") { Get-Content $f }',
    'if ($x) { Set-Content a.ts y }',
    'Set-Content a.ts x -WhatIf',
    'Remove-Item a.ts -WhatIf',
    '& "Get-Content" a.ts',
    'exit; Get-Content a.ts',
    'Get-Content "a.ts',
    'Get-Content ‘a.ts’; “',
    "@'\nnever ends",
    'npm test || Set-Content a.ts x',
    'Get-Content a.ts,',
    'Get-Content < a.ts',
    'Get-Content | ',
    'npm test',
  ])('neither reads nor writes: %s', (script) => expect(access(script)).toMatchObject(nothing));

  test('is no pure read if it does more, and loses its directory if that may have changed', () => {
    expect(access('Get-Content a.ts | Where-Object Length')).toMatchObject({
      reads: ['d:/repo/a.ts'],
      readsOnly: false,
    });
    expect(access('Get-Content a.ts; npm test')).toMatchObject({ reads: ['d:/repo/a.ts'], readsOnly: false });
    expect(access('Push-Location x; Get-Content a.ts')).toMatchObject(nothing);
    expect(access('Get-Content a.ts; if ($x) { Remove-Item a.ts }')).toMatchObject({ readsOnly: false });
  });
});

const call = (name: string, parameters: unknown) => ({ type: 'tool_call', id: '1', name, parameters }) as const;
const filesOf = (agent: string, name: string, parameters: unknown) =>
  fileAccess(call(name, parameters), VOCABULARIES.get(agent)!, ROOT);

test.each([
  ['claude-code', 'PowerShell', { command: 'Get-Content D:\\repo\\a.ts' }],
  ['copilot-cli', 'powershell', { command: 'Get-Content D:\\repo\\a.ts' }],
  ['codex', 'shell', { command: ['powershell.exe', '-NoProfile', '-Command', 'Get-Content a.ts'] }],
  ['codex', 'shell', { command: ['bash', '-lc', "pwsh -c 'Get-Content a.ts'"] }],
  ['codex', 'shell_command', { command: 'Get-Content -Path a.ts' }],
])('%s reads by %s %j', (agent, name, parameters) => {
  expect(filesOf(agent, name, parameters)).toMatchObject({ reads: ['d:/repo/a.ts'], isPureRead: true });
});

test('a PowerShell that keeps its directory leaves relative paths unknown', () => {
  expect(filesOf('claude-code', 'PowerShell', { command: 'Set-Content a.ts x' })).toMatchObject({ writes: [] });
});

test('a here-document of another shell that contains PowerShell is written', () => {
  const command = "cat > D:/a.ps1 <<'EOF'\nGet-Content a.ts\nEOF";
  expect(filesOf('codex', 'shell_command', { command })).toMatchObject({ reads: [], isPureRead: false });
  const script = "cat > /w/a.ps1 <<'EOF'\nGet-Content a.ts\nEOF";
  expect(filesOf('codex', 'shell_command', { command: script })).toMatchObject({ writes: ['/w/a.ps1'] });
});

test('never throws, for any text', () => {
  const piece = fc.constantFrom(
    ..."Get-Content Set-Content a.ts -Path | ; && || , ' \" ` $x @' '@ @\" < > 2>&1 ( { # <# #>".split(' '),
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string(), fc.constant('\n'))), (pieces) => {
      access(pieces.join(' '));
      access(pieces.join(''));
    }),
    { numRuns: runs(3000) },
  );
});

/** Of the processor, for a part of a second of work; quadratic time would be minutes. */
const MAX_MICROSECONDS = 15_000_000;

test.each(['a ', "'", '"a" ', ',a', 'a,', '|a', '`', "@'\n", '\n;', '<#', '> a ', '#', '$'])(
  'takes linear time for a megabyte of %j',
  (piece) => {
    for (const head of ['', 'Get-Content "']) {
      const start = process.cpuUsage();
      access(head + piece.repeat(1_000_000 / piece.length));
      expect(process.cpuUsage(start).user).toBeLessThan(MAX_MICROSECONDS);
    }
  },
);
